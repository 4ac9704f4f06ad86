/** Tells whether two spellings name one purchase code, by {@link canonicalCode}. */
export function sameCode(one: string, other: string): boolean {
  return canonicalCode(one) === canonicalCode(other);
}

/**
 * Returns the one spelling that stands for all spellings of a code. Case never tells two codes apart; of 32 hexadecimal digits
 * the dashes do not either, while in other forms they might, so there they count.
 *
 * Groups what is shown: codes found in a text, duplicates of a bulk check, chips, earlier checks. A server may tell spellings
 * apart, so what is asked, cached and compared over time keeps the exact spelling.
 *
 * @example canonicalCode('8678C3CD-2A21-4AFA-B5D1-0F1B4E2D9C70') // '8678c3cd2a214afab5d10f1b4e2d9c70'
 */
export function canonicalCode(code: string): string {
  const folded = code.trim().toLowerCase();
  const digits = folded.replaceAll('-', '');
  return /^[0-9a-f]{32}$/.test(digits) ? digits : folded;
}
