/**
 * Returns the language, of those that there are texts in, for a locale: `de` for `de-AT`, `pt-BR` for `pt`; undefined for none.
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
