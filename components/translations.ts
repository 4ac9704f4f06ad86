import type { Translation } from '#components/i18n';
import { directionOf, findLanguage, translatedLanguages } from '#core/text/index';

/**
 * Where a page stores the chosen language for the next page, because extension storage cannot be read synchronously.
 */
const languageMirror = 'language';

/** Loads each file of `locales/`, by its path. */
export type CatalogueFiles = Readonly<Record<string, () => Promise<object>>>;

/**
 * Returns the locales for a page, best first: the chosen language in a region that the browser lists, or else the
 * browser's own.
 */
export function wantedLocales(
  chosen: string | null,
  browsers: readonly string[],
): readonly string[] {
  if (chosen === null || chosen === '') return browsers;
  return [...browsers.filter((tag) => matchingLanguage(tag) === chosen), chosen];
}

/**
 * Returns the language of the interface for a locale: `de` for `de-AT`, `pt-BR` for `pt`; undefined if there are no
 * texts for it.
 */
export function matchingLanguage(locale: string): string | undefined {
  return findLanguage(locale, ['en', ...translatedLanguages]);
}

/**
 * Loads the texts of the page's language, and sets the language and the direction of the document. Loads none for
 * English, in which any language without texts is shown.
 * @param names the files of a language's folder, without extension
 */
export async function loadTranslation(
  files: CatalogueFiles,
  names: readonly string[],
  wanted = wantedLocales(localStorage.getItem(languageMirror), navigator.languages),
): Promise<Translation> {
  const locale = wanted.find((tag) => matchingLanguage(tag) !== undefined) ?? 'en';
  const language = matchingLanguage(locale) ?? 'en';
  document.documentElement.lang = locale;
  document.documentElement.dir = directionOf(language);
  if (language === 'en') return { locale };
  const parts = await Promise.all(
    names.flatMap((name) => {
      const file = `/${language}/${name}.json`;
      return Object.entries(files).flatMap(([path, load]) => (path.endsWith(file) ? load() : []));
    }),
  );
  return { locale, messages: Object.assign({}, ...parts) as object };
}
