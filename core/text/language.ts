/** ISO 639 codes of right-to-left languages. */
const rightToLeft: ReadonlySet<string> = new Set('ar ckb dv fa he ps sd ug ur yi'.split(' '));

/**
 * Returns a language's writing direction as a value of `dir`. No released Firefox offers it in `Intl.Locale` yet.
 * @param tag a BCP 47 tag
 */
export function directionOf(tag: string): 'rtl' | 'ltr' {
  return rightToLeft.has(tag.split('-', 1)[0]?.toLowerCase() ?? '') ? 'rtl' : 'ltr';
}

/**
 * Returns the available language for a locale: `de` for `de-AT`, `pt-BR` for `pt`; undefined if there is none.
 * @param locale a BCP 47 tag; throws a `RangeError` if it is not one
 */
export function findLanguage(locale: string, known: readonly string[]): string | undefined {
  const { language, script, region } = new Intl.Locale(locale).maximize();
  // Traditional Chinese is another script, for which there are no texts.
  if (script === 'Hant') return undefined;
  return (
    known.find((tag) => tag === `${language}-${region ?? ''}`) ??
    known.find((tag) => tag.split('-', 1)[0] === language)
  );
}

/** The languages of the interface besides English, each a folder of `locales/`. */
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
