/** A file of `locales/`: texts under nested names. */
export interface Catalogue {
  readonly [name: string]: Catalogue | string;
}

/** The names of a catalogue without its texts. */
export interface CatalogueKeys {
  readonly [name: string]: CatalogueKeys | 0;
}

export function keysOf(catalogue: Catalogue): CatalogueKeys {
  return Object.fromEntries(
    Object.entries(catalogue).map(([name, value]) => [
      name,
      typeof value === 'string' ? 0 : keysOf(value),
    ]),
  );
}

/**
 * Returns the texts of a translation in the order of the English file; an empty one for a text that is shown in
 * English, because it is missing or the same. Plural forms are never the same, since each language picks them by its
 * own rules.
 */
export function textsOf(english: Catalogue, translation: Catalogue): readonly string[] {
  return Object.entries(english).flatMap(([name, original]) => {
    const value = translation[name];
    if (typeof original !== 'string')
      return textsOf(original, typeof value === 'object' ? value : {});
    const isOwn = typeof value === 'string' && (value !== original || value.includes('|'));
    return isOwn ? value : '';
  });
}

/** Restores a translation's keys from the order of its texts. Empty texts are left out. */
export function translationOf(keys: CatalogueKeys, texts: readonly string[]): object {
  let next = 0;
  const fill = (node: CatalogueKeys): object =>
    Object.fromEntries(
      Object.entries(node).flatMap(([name, key]): [string, object | string][] => {
        if (key !== 0) return [[name, fill(key)]];
        const text = texts[next++] ?? '';
        return text === '' ? [] : [[name, text]];
      }),
    );
  return fill(keys);
}
