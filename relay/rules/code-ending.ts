/**
 * Returns the last four characters of a code for the audit; `''` for one of less than twelve, of which four would be most.
 * Characters are code points. What no database keeps as text, NUL and half a surrogate pair, becomes U+FFFD.
 */
export function endingOf(code: string): string {
  // Twelve characters take 24 units at most; one that is cut in two here counts as a whole one.
  const end = Array.from(code.slice(-24));
  return end.length < 12 ? '' : end.slice(-4).join('').toWellFormed().replaceAll('\0', '\ufffd');
}
