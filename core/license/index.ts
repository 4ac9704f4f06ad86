export {
  createDocumentVerifier,
  type DocumentFault,
  type DocumentVerifier,
  isNewerCertificate,
} from '#core/license/document-verifier';
export {
  licenseLimitBytes,
  parseInstallationId,
  type Written,
} from '#core/license/document/document';
export { kindOfSource } from '#core/license/inspect/documents';
export { type InspectContext, inspectText } from '#core/license/inspect/inspect';
export type {
  Check,
  Expected,
  HeadlineSentence,
  Inspection,
} from '#core/license/inspect/inspection';
export {
  type LastContact,
  nextTransition,
  type Standing,
  standingAt,
} from '#core/license/standing';
export type { VerifiedCertificate, VerifyContext } from '#core/license/verify';
