import { loadTranslation } from '#components/translations';
import type { Translation } from '#components/i18n';

const files = import.meta.glob<object>(
  // Named one by one: a file for other pages is no part of the site.
  ['../locales/??{,-??}/{base,verifier,undo,reply}.json', '!../locales/en/*.json'],
  { import: 'default' },
);

/** Loads the texts of the browser's language. The site has no other: within another page it may not even read its storage. */
export function translate(): Promise<Translation> {
  return loadTranslation(files, ['base', 'verifier', 'undo', 'reply'], navigator.languages);
}
