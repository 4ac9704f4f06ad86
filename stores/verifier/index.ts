export { type Answered, useAuthorityAnswers } from '#stores/verifier/authority-answers';
export { type BatchRow, useBatch } from '#stores/verifier/batch';
export { type KeyDraft, type KeyFault, useVerifierKeys } from '#stores/verifier/keys';
export type { OpenedDocument } from '#stores/verifier/document-inspections';
export { useOpenedDocuments } from '#stores/verifier/opened-documents';
export { provideVerifier, verifierPorts } from '#stores/verifier/ports';
export { useSharedContent } from '#stores/verifier/shared-content';
