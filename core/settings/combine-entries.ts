/** Combines each list of two records with each other. */
export function combineEntries<
  Entries extends { readonly [Part in keyof Entries]: readonly string[] },
>(
  one: Entries,
  other: Entries,
  combine: (one: readonly string[], other: readonly string[]) => readonly string[],
): Entries {
  const parts = Object.keys(one) as (keyof Entries)[];
  const combined = parts.map((part) => [part, combine(one[part], other[part])]);
  return Object.fromEntries(combined) as Entries;
}

/** Returns the names of a list that another does not hold. */
export function without(names: readonly string[], gone: readonly string[]): readonly string[] {
  return names.filter((name) => !gone.includes(name));
}

/** Returns the names of two lists, each once. */
export function union(names: readonly string[], others: readonly string[]): readonly string[] {
  return [...new Set([...names, ...others])];
}
