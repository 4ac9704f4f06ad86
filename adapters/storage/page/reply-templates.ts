import type { createPageReplyTemplates } from '#adapters/storage/reply-templates';

/** Loads the store of reply templates when it is first needed, since the popup opens without it. */
export async function openReplyTemplates(): Promise<ReturnType<typeof createPageReplyTemplates>> {
  const loaded = await import('#adapters/storage/reply-templates');
  return loaded.createPageReplyTemplates();
}
