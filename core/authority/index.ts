export {
  authorityBounds,
  authorityFields,
  authorityIdSchema,
  authorityOriginOf,
  type AuthorityState,
  type LicenseAuthority,
  matchAuthority,
  parseAuthorityAddress,
  type StoredAuthority,
} from '#core/authority/authority';
export {
  createValidationInquiry,
  decodeReply,
  type EncodedReply,
  encodeReply,
  type ValidationRequest,
  validationRequestOf,
} from '#core/authority/validation-request';
