import type { Texts } from '#scripts/translations/texts';

/** Tells whether a text holds braces of another kind than those of a value. */
export function hasOtherSigns(text: string): boolean {
  return /[{}]/.test(text.replaceAll(/\{\w+\}/g, ''));
}

/** Names what is wrong with the texts that a language has, measured by the English ones. */
export function translationProblems(english: Texts, translated: Texts, language: string): string[] {
  const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories.length;
  const placeholders = (text: string): string =>
    [...new Set(text.match(/\{[^}]*\}|\$\w+\$/g))].sort().join(' ');
  const problems = [...english].flatMap(([key, text]) => {
    const other = translated.get(key);
    if (other === undefined) return [];
    const parts = other.split('|');
    const counts = text.includes('|') ? [1, forms] : [1];
    return [
      ...(parts.some((part) => part.trim() === '') ? [`${key}: empty`] : []),
      ...(counts.includes(parts.length)
        ? []
        : [`${key}: ${String(parts.length)} forms of ${String(forms)}`]),
      ...(placeholders(other) === placeholders(text) ? [] : [`${key}: other placeholders`]),
      ...(hasOtherSigns(other) ? [`${key}: a sign that is read as none of a text`] : []),
    ];
  });
  const unused = [...translated.keys()].filter((key) => !english.has(key));
  return [...problems, ...unused.map((key) => `${key}: not in English`)];
}
