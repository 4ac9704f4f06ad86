/** ISO 639 codes of languages that are written from right to left. */
const rightToLeft: ReadonlySet<string> = new Set('ar ckb dv fa he ps sd ug ur yi'.split(' '));

/**
 * Tells whether a language is written from right to left. `Intl.Locale` tells it in no stock Firefox yet.
 * @param tag a BCP 47 tag
 */
export function isRightToLeft(tag: string): boolean {
  return rightToLeft.has(tag.split('-', 1)[0]?.toLowerCase() ?? '');
}
