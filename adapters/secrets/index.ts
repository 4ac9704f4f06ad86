export { type Sealed, secretKeys } from '#adapters/secrets/secret-record';
export {
  createSecretStore,
  isKeysUnreadable,
  type SecretStore,
} from '#adapters/secrets/secret-store';
export type { SecretBinding } from '#adapters/secrets/sealing';
export { createWrappingKeys } from '#adapters/secrets/wrapping-keys';
