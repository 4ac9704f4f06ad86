export { type Failure, type FailureKind, failureHeader, failureReply } from '#relay/rules/failure';
export { accountParts, checkRoles, type Role, visibleParts } from '#relay/rules/roles';
export {
  extendedExpiry,
  hashOf,
  holdsToken,
  newToken,
  parseAuthorization,
  sameHash,
  tokenMaxMs,
} from '#relay/rules/token';
