import { resolveValue } from '@intlify/core-base';
import { type Composer, createI18n, type I18n, registerMessageResolver } from 'petite-vue-i18n';

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

// Keys are paths, such as `check.submit`; the small distribution looks up plain keys unless it is told.
registerMessageResolver(resolveValue);

/**
 * Creates the catalogue of a page. The whole locale (`en-GB`) shapes dates and numbers, its language picks the messages.
 * @param wanted locales in order of preference, as `navigator.languages` gives them
 */
export function createCatalogue(wanted: readonly string[], pageMessages?: PageMessages): Catalogue {
  const locale = wanted.find((tag) => languageOf(tag) in catalogues) ?? 'en';
  return createI18n({
    legacy: false,
    locale,
    // `en-GB` finds the messages of `en`.
    fallbackLocale: [languageOf(locale), 'en'],
    messages: { en: { ...pageMessages?.en, ...catalogues.en } },
    pluralRules: { [locale]: pluralFormOf(locale) },
    missingWarn: false,
    fallbackWarn: false,
  });
}

/** Tells whether a key has a message in the page's language or in English. */
export function hasMessage(
  { getLocaleMessage, locale }: Pick<Composer, 'getLocaleMessage' | 'locale'>,
  key: string,
): boolean {
  return [locale.value, languageOf(locale.value), 'en'].some(
    (name) => resolveValue(getLocaleMessage(name), key) !== null,
  );
}

/**
 * Lets a view that is loaded when it is first shown bring its own messages along.
 * @param merge the catalogue's `mergeLocaleMessage`
 */
export async function withMessages<View>(
  view: Promise<View>,
  messages: Promise<{ readonly default: object }>,
  merge: (locale: string, messages: object) => void,
): Promise<View> {
  const [loaded, { default: en }] = await Promise.all([view, messages]);
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
