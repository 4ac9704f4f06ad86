export {
  type Encoding,
  type PinnedKey,
  type SignedForm,
  type SigningInput,
  teamSettingsPrefix,
} from '#core/keys/pinned-key';
export {
  fingerprintOf,
  groupedFingerprint,
  isPrivateKey,
  parsePublicKey,
  type PublicKey,
  type PublicKeyFault,
} from '#core/keys/public-key';
