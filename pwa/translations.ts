import { loadTranslation } from '#components/translations';
import type { Translation } from '#components/i18n';

const files = import.meta.glob<object>(
  [
    '../locales/*.json',
    '!../locales/*.{answer,authority,desk,items,options,policy,shortcuts,team,ticket}.json',
    '!../locales/en*.json',
  ],
  { import: 'default' },
);

/** Loads the texts of the browser's language. The site has no other: within another page it may not even read its storage. */
export function translate(): Promise<Translation> {
  return loadTranslation(files, ['', 'verifier', 'undo', 'reply'], navigator.languages);
}
