/** Holds what a message is filled with, by the names in its braces. */
export type MessageValues = Readonly<Record<string, unknown>>;

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
 * Fills a message: `{name}` stands for a value, `|` parts the forms of a plural. A value that is missing is left out.
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
 * Returns what picks the form of a plural. Forms stand in a message in the order of CLDR (zero, one, two, few, many, other),
 * those only that the language has.
 */
export function pluralFormOf(locale: string): (count: number) => number {
  const rules = new Intl.PluralRules(locale);
  const { pluralCategories } = rules.resolvedOptions();
  const categories = (['zero', 'one', 'two', 'few', 'many', 'other'] as const).filter((category) =>
    pluralCategories.includes(category),
  );
  return (count) => categories.indexOf(rules.select(count));
}
