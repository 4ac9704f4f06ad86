/** Tells whether two spellings are one purchase code, by {@link canonicalCode}. */
export function sameCode(one: string, other: string): boolean {
  return canonicalCode(one) === canonicalCode(other);
}

/**
 * Returns the canonical spelling of a code. Ignores case, and the dashes of 32 hexadecimal digits; in other forms dashes count.
 *
 * Use it to group what is shown: codes found in a text, duplicates of a bulk check, chips, earlier checks. Requests, caches and
 * comparisons over time use the exact spelling, since a server may distinguish spellings.
 *
 * @example canonicalCode('8678C3CD-2A21-4AFA-B5D1-0F1B4E2D9C70') // '8678c3cd2a214afab5d10f1b4e2d9c70'
 */
export function canonicalCode(code: string): string {
  const folded = code.trim().toLowerCase();
  const digits = folded.replaceAll('-', '');
  return /^[0-9a-f]{32}$/.test(digits) ? digits : folded;
}
