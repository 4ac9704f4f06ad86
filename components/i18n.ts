import { resolveValue } from '@intlify/core-base';
import { type Composer, createI18n, type I18n, registerMessageResolver } from 'petite-vue-i18n';

import en from '#locales/en/base.json';

/**
 * Holds a page's own English messages, beside those every page has. Only English texts are stable: others automate
 * against them.
 */
export interface PageMessages {
  readonly en: object;
}

/** Holds the texts of another language. What it lacks is shown in English. */
export interface Translation {
  /** The whole locale, such as `de-AT`: it shapes dates and numbers. */
  readonly locale: string;
  readonly messages?: object;
}

type Catalogue = I18n<
  Record<string, object>,
  Record<string, never>,
  Record<string, never>,
  string,
  false
>;

// Keys are paths, such as `check.submit`; the small distribution looks up plain keys unless it is told.
registerMessageResolver(resolveValue);

/** Returns the locale that the page is to be in at first sight: the chosen language, else the browser's. */
export function firstLocale(): string {
  // eslint-disable-next-line @typescript-eslint/prefer-nullish-coalescing -- empty: the browser's
  return localStorage.getItem('language') || navigator.language;
}

/** Tells whether a page in a locale is in English, so that no translation has to be looked for. */
export function isEnglish(locale: string): boolean {
  return /^en/i.test(locale);
}

/**
 * Creates the catalogue of a page. The whole locale (`en-GB`) shapes dates and numbers, its language picks the messages.
 * @param translated the texts of the locale's language; absent for English
 */
export function createCatalogue(
  [locale = 'en']: readonly string[],
  pageMessages?: PageMessages,
  translated?: object,
): Catalogue {
  return createI18n({
    legacy: false,
    locale,
    // `en-GB` finds the messages of `en`.
    fallbackLocale: [languageOf(locale), 'en'],
    // eslint-disable-next-line @typescript-eslint/no-unnecessary-type-assertion -- the compiler needs it
    messages: { [locale]: translated, en: { ...pageMessages?.en, ...en } } as { en: typeof en },
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
  const { pluralCategories } = rules.resolvedOptions();
  const categories = (['zero', 'one', 'two', 'few', 'many', 'other'] as const).filter((category) =>
    pluralCategories.includes(category),
  );
  return (count, forms) => Math.min(categories.indexOf(rules.select(count)), forms - 1);
}
