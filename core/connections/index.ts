export { accountLocation, type AccountLocation } from '#core/connections/account-location';
export {
  type ApiKeyProblem,
  hideKey,
  maxApiKeyLength,
  minPassphraseLength,
  minSearchedKeyLength,
  parseApiKey,
  type SecretFault,
  type SecretMode,
  secretsIn,
  type SecretState,
} from '#core/connections/api-key';
export { codePatternsOf, connectionsFor, hasFormOf } from '#core/connections/code-forms';
export {
  alternativesTo,
  type Connection,
  connectionBounds,
  connectionFields,
  type ConnectionState,
  defaultDialect,
  type Dialect,
  isThroughRelay,
  type KeyRefusal,
  staysProven,
  type StoredConnection,
  weakensPlacement,
} from '#core/connections/connection';
