import { loadTranslation, wantedLocales } from '#components/translations';
import type { Translation } from '#components/i18n';

const files = import.meta.glob<object>(
  // The files are listed by name, so that those of other pages do not become part of the site.
  ['../locales/??{,-??}/{base,verifier,undo,reply}.json', '!../locales/en/*.json'],
  { import: 'default' },
);

/**
 * Loads the texts of the site's language.
 * @param chosen the language chosen on the site; null or empty for the browser's
 */
export function translate(chosen: string | null): Promise<Translation> {
  const wanted = wantedLocales(chosen, navigator.languages);
  return loadTranslation(files, ['base', 'verifier', 'undo', 'reply'], wanted);
}
