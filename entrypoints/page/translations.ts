import { loadTranslation } from '#components/translations';
import type { Translation } from '#components/i18n';

const files = import.meta.glob<object>(
  [
    '../../locales/*/*.json',
    '!../../locales/*/{browser,join,replies}.json',
    '!../../locales/en/*.json',
  ],
  {
    import: 'default',
  },
);

/** The texts that every page with a check needs. */
const common = ['base', 'answer', 'ticket', 'shortcuts', 'undo', 'reply', 'items'];

/**
 * Loads the texts of the page's language.
 * @param names the files that this page needs beside those of the check
 */
export function translate(names: readonly string[] = []): Promise<Translation> {
  return loadTranslation(files, [...common, ...names]);
}
