/**
 * Parses JSON text of any origin; `undefined` when it is none, which JSON itself cannot say.
 * Keys such as `__proto__` become plain own properties, as `JSON.parse` makes them.
 */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
