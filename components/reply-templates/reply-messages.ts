import en from '#locales/en/reply.json';
import { type Catalogue, useI18n } from '#components/i18n';

/** Returns the page's catalogue with the texts around a reply in it: they come with the first view that shows one. */
export function useReplyMessages(): Catalogue {
  const i18n = useI18n();
  if (!i18n.has('reply.copy')) i18n.addEnglish(en);
  return i18n;
}
