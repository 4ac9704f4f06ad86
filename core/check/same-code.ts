/**
 * Whether two spellings name one purchase code. Case never tells two codes apart. Of 32 hexadecimal digits the dashes do not
 * either; in codes of other forms they might, so there they count.
 */
export function sameCode(one: string, other: string): boolean {
  return canonicalCode(one) === canonicalCode(other);
}

/** The one spelling that stands for all of a code's, by the rule of {@link sameCode}. */
export function canonicalCode(code: string): string {
  const folded = code.trim().toLowerCase();
  const digits = folded.replaceAll('-', '');
  return /^[0-9a-f]{32}$/.test(digits) ? digits : folded;
}
