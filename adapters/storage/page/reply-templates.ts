import type { createPageReplyTemplates } from '#adapters/storage/reply-templates';

/** Loads what reads reply templates when they are first needed: the popup opens without it. */
export async function openReplyTemplates(): Promise<ReturnType<typeof createPageReplyTemplates>> {
  const loaded = await import('#adapters/storage/reply-templates');
  return loaded.createPageReplyTemplates();
}
