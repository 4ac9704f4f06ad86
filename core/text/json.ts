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

/** Takes off the mark that some editors write before the first character of a file; JSON does not know it. */
export function withoutByteOrderMark(text: string): string {
  return text.replace(/^\uFEFF/u, '');
}
