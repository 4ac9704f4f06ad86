// The pages' door. These modules load what is needed later by themselves.

export { openHandoffs } from '#adapters/storage/handoffs';
export { createPageHistory } from '#adapters/storage/history-store';
export { createPageItems } from '#adapters/storage/item-cache';
export { createPageJobs } from '#adapters/storage/job-store';
export { forgetKeptAnswers } from '#adapters/storage/kept-answers';
export { createPreferenceStore } from '#adapters/storage/page/preferences';
export { openReplyTemplates } from '#adapters/storage/page/reply-templates';
export { watchStored } from '#adapters/storage/page/storage-changes';
export { openTicketMemory } from '#adapters/storage/page/ticket-memory';
export { createClockMemory, createKeyRing } from '#adapters/storage/page/verifier-stores';
export { createTables } from '#adapters/storage/tables';
