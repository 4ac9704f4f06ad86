export {
  type LinkedFile,
  type LinkedFileFault,
  linkedFileName,
  maxLinkedFileBytes,
} from '#core/verifier/linked-file';
export { createVerifier } from '#core/verifier/verifier';
export type {
  DocumentReport,
  DocumentSummary,
  InspectionContext,
  ListLines,
  OpenedFiles,
  PoolReply,
  PoolRequest,
  Source,
  VerifierReply,
  VerifierRequest,
  Verify,
} from '#core/verifier/verifier-request';
