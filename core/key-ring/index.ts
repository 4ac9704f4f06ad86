export {
  type ChangedFields,
  changeKey,
  exportRing,
  type KeyFile,
  keyName,
  type KeyRingPort,
  putKey,
  readKeyFile,
  readRing,
  rememberForm,
  type UnusedKeys,
} from '#core/key-ring/ring';
export { sharedKeySchema } from '#core/key-ring/shared-key';
