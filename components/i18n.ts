import { type App, inject, type InjectionKey, shallowRef } from 'vue';

import en from '#locales/en/base.json';

/** The texts of another language. Missing texts are shown in English. */
export interface Translation {
  /** The whole locale, such as `de-AT`, for formatting dates and numbers. */
  readonly locale: string;
  readonly messages?: object;
}

/** The texts of a page. Only English texts are stable, since others automate against them. */
export interface Catalogue {
  /** The whole locale, such as `en-GB`. */
  readonly locale: string;
  /**
   * Returns the text with a dotted name, filled with values; the name itself if no language has it.
   * @param values a number picks the form of a plural, and is its `{count}`
   * @param count picks the form if `values.count` is missing, or is an already formatted number
   */
  readonly t: (name: string, values?: MessageValues | number, count?: number) => string;
  /** Tells whether a name has a text. Every text is there in English. */
  readonly has: (name: string) => boolean;
  /** Adds English texts of a view that is loaded later. */
  readonly addEnglish: (messages: object) => void;
  readonly install: (app: App) => void;
}

const catalogueKey: InjectionKey<Catalogue> = Symbol('catalogue');

/** Returns the initial locale of the page: the chosen language, else the browser's. */
export function firstLocale(): string {
  // eslint-disable-next-line @typescript-eslint/prefer-nullish-coalescing -- empty: the browser's
  return localStorage.getItem('language') || navigator.language;
}

/** Tells whether a locale is English, so that no translation is needed. */
export function isEnglish(locale: string): boolean {
  return /^en/i.test(locale);
}

/**
 * Creates the catalogue of a page.
 * @param english the page's own texts, beside those that every page has
 * @param translated the texts of the locale's language; absent for English
 */
export function createCatalogue(locale: string, english?: object, translated?: object): Catalogue {
  const originals = shallowRef<object>({ ...english, ...en });
  const ownForm = pluralFormOf(locale);
  const englishForm = pluralFormOf('en');

  const catalogue: Catalogue = {
    locale,
    t(name, values = {}, count) {
      const own = findMessage(translated, name);
      const text = own ?? findMessage(originals.value, name) ?? name;
      return fillMessage(text, values, count, own === undefined ? englishForm : ownForm);
    },
    has: (name) => findMessage(originals.value, name) !== undefined,
    addEnglish(messages) {
      originals.value = { ...originals.value, ...messages };
    },
    install(app) {
      app.provide(catalogueKey, catalogue);
    },
  };
  return catalogue;
}

/** Returns the catalogue of the page. Call it in a component's setup. @throws if the page has none */
export function useI18n(): Catalogue {
  const catalogue = inject(catalogueKey);
  if (catalogue === undefined) throw new Error('This page has no catalogue of texts.');
  return catalogue;
}

/** The English texts of a view that is loaded late, as their JSON module exports them. */
export interface Messages {
  readonly default: object;
}

/**
 * Loads a view together with its own texts when it is first shown.
 * @param messages the English texts; those of other languages are loaded from the start
 */
export async function withMessages<View>(
  view: Promise<View>,
  messages: Promise<Messages>,
  { addEnglish }: Pick<Catalogue, 'addEnglish'>,
): Promise<View> {
  const [loaded, { default: english }] = await Promise.all([view, messages]);
  addEnglish(english);
  return loaded;
}

/** The values of a message, by the names in its braces. */
type MessageValues = Readonly<Record<string, unknown>>;

/** Finds the text under a dotted name, such as `check.submit`, in nested texts. */
export function findMessage(texts: object | undefined, name: string): string | undefined {
  let found: unknown = texts;
  for (const part of name.split('.')) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, part))
      return undefined;
    found = (found as Record<string, unknown>)[part];
  }
  return typeof found === 'string' ? found : undefined;
}

/**
 * Fills a message: `{name}` is replaced by a value, and `|` separates plural forms. A missing value is left out.
 * @param values a number counts as `count`
 * @param count picks the form; without it, `values.count` does
 * @param formOf the index of the form for a count
 */
export function fillMessage(
  text: string,
  values: MessageValues | number,
  count: number | undefined,
  formOf: (count: number) => number,
): string {
  const named = typeof values === 'number' ? { count: values } : { count, ...values };
  const forms = text.split('|');
  const counted = count ?? named.count;
  const at = typeof counted === 'number' && forms.length > 1 ? formOf(counted) : 0;
  const form = forms[Math.min(at, forms.length - 1)]?.trim() ?? '';
  return form.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => {
    const value = (named as MessageValues)[name];
    return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  });
}

/**
 * Returns a function that picks the plural form. A message has only the forms of its language, in the order of CLDR
 * (zero, one, two, few, many, other).
 */
export function pluralFormOf(locale: string): (count: number) => number {
  const rules = new Intl.PluralRules(locale);
  const { pluralCategories } = rules.resolvedOptions();
  const categories = (['zero', 'one', 'two', 'few', 'many', 'other'] as const).filter((category) =>
    pluralCategories.includes(category),
  );
  return (count) => categories.indexOf(rules.select(count));
}
