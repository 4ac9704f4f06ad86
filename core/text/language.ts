/** ISO 639 codes of languages that are written from right to left. */
const rightToLeft: ReadonlySet<string> = new Set('ar ckb dv fa he ps sd ug ur yi'.split(' '));

/**
 * Returns the direction that a language is written in, as `dir` has it. `Intl.Locale` tells it in no stock Firefox yet.
 * @param tag a BCP 47 tag
 */
export function directionOf(tag: string): 'rtl' | 'ltr' {
  return rightToLeft.has(tag.split('-', 1)[0]?.toLowerCase() ?? '') ? 'rtl' : 'ltr';
}

/**
 * Returns the language, of those that there are texts in, for a locale: `de` for `de-AT`, `pt-BR` for `pt`; undefined
 * for none.
 * @param locale a BCP 47 tag; throws a `RangeError` on what is none
 */
export function findLanguage(locale: string, known: readonly string[]): string | undefined {
  const { language, script, region } = new Intl.Locale(locale).maximize();
  // Traditional characters are another script.
  if (script === 'Hant') return undefined;
  return (
    known.find((tag) => tag === `${language}-${region ?? ''}`) ??
    known.find((tag) => tag.split('-', 1)[0] === language)
  );
}

/**
 * The languages of the interface beside English, each a folder of `locales/`.
 */
export const translatedLanguages = [
  'ar',
  'de',
  'es',
  'fr',
  'hi',
  'id',
  'ja',
  'pt-BR',
  'tr',
  'vi',
  'zh-CN',
] as const;
