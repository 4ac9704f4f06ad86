import { createI18n, type I18n } from 'vue-i18n';

import en from '#locales/en.json';

/** The languages with a catalogue. Only English has stable texts, which others automate against. */
const catalogues = { en };

/** A page's own messages, by language, beside those every page has. */
export type PageMessages = Record<keyof typeof catalogues, object>;

type Catalogue = I18n<
  Record<string, object>,
  Record<string, never>,
  Record<string, never>,
  string,
  false
>;

/**
 * The catalogue for a page. The whole locale (`en-GB`) shapes dates and numbers, its language picks the words.
 * @param wanted locales in order of preference, as `navigator.languages` gives them
 */
export function createCatalogue(wanted: readonly string[], words?: PageMessages): Catalogue {
  const locale = wanted.find((tag) => languageOf(tag) in catalogues) ?? 'en';
  return createI18n({
    legacy: false,
    // `en-GB` finds the words of `en` by itself.
    locale,
    fallbackLocale: 'en',
    messages: { en: { ...words?.en, ...catalogues.en } },
    pluralRules: { [locale]: pluralFormOf(locale) },
    missingWarn: false,
    fallbackWarn: false,
  });
}

/**
 * Lets a view that is loaded when it is first shown bring its own words along.
 * @param merge the catalogue's `mergeLocaleMessage`
 */
export async function withMessages<View>(
  view: Promise<View>,
  words: Promise<{ readonly default: object }>,
  merge: (locale: string, words: object) => void,
): Promise<View> {
  const [loaded, { default: en }] = await Promise.all([view, words]);
  merge('en', en);
  return loaded;
}

function languageOf(tag: string): string {
  return tag.split('-', 1)[0]?.toLowerCase() ?? '';
}

/** Forms stand in a message in the order of CLDR (zero, one, two, few, many, other), those only that the language has. */
function pluralFormOf(locale: string): (count: number, forms: number) => number {
  const rules = new Intl.PluralRules(locale);
  const order = ['zero', 'one', 'two', 'few', 'many', 'other'];
  const categories = [...rules.resolvedOptions().pluralCategories].sort(
    (a, b) => order.indexOf(a) - order.indexOf(b),
  );
  return (count, forms) => Math.min(categories.indexOf(rules.select(count)), forms - 1);
}
