import { type Composer, useI18n } from 'petite-vue-i18n';

import en from '#locales/en/reply.json';
import { hasMessage } from '#components/i18n';

/** Returns the page's catalogue with the texts around a reply in it: they come with the first view that shows one. */
export function useReplyMessages(): Composer {
  const i18n = useI18n();
  if (!hasMessage(i18n, 'reply.copy')) i18n.mergeLocaleMessage('en', en);
  return i18n;
}
