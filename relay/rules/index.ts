export { type Failure, type FailureKind, failureHeader, failureReply } from '#relay/rules/failure';
export { accountSights, checkRoles, type Role, sights } from '#relay/rules/roles';
export {
  extendedExpiry,
  hashOf,
  holdsToken,
  newToken,
  parseAuthorization,
  sameHash,
  tokenMaxMs,
} from '#relay/rules/token';
