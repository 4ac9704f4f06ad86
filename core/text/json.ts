/**
 * Parses untrusted JSON text; returns undefined when it is invalid. Never throws. Keys such as `__proto__` become own properties.
 */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
