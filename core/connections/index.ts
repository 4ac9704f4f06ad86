export { type AccountLocation, accountLocation } from '#core/connections/account-location';
export {
  type ApiKeyProblem,
  hideKey,
  maxApiKeyLength,
  minSearchedKeyLength,
  parseApiKey,
  type SecretFault,
  secretsIn,
  type SecretMode,
  type SecretState,
} from '#core/connections/api-key';
export {
  alternativesTo,
  type Connection,
  connectionBounds,
  connectionFields,
  type ConnectionState,
  defaultDialect,
  type Dialect,
  isThroughRelay,
  staysProven,
  type StoredConnection,
  weakensPlacement,
} from '#core/connections/connection';
