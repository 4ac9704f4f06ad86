export { type Answered, useAuthorityAnswers } from '#stores/verifier/authority-answers';
export { useBatch } from '#stores/verifier/batch';
export type { BatchRow } from '#stores/verifier/judged-rows';
export type { KeyDraft, KeyFault } from '#stores/verifier/key-drafts';
export { useVerifierKeys } from '#stores/verifier/keys';
export type { OpenedDocument } from '#stores/verifier/document-inspections';
export { useOpenedDocuments } from '#stores/verifier/opened-documents';
export { provideVerifier, verifierPorts } from '#stores/verifier/ports';
export { useSharedContent } from '#stores/verifier/shared-content';
