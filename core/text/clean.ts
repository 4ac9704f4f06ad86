/** Holds normalised text and maps its indexes to the original. */
export interface NormalisedText {
  readonly text: string;
  /** Returns the offset in the original of a normalised index, in UTF-16 units. */
  readonly offsetOf: (index: number) => number;
}

/** Matches soft hyphens, zero-width and direction marks, variation selectors, fillers, tags and byte order marks. */
export const invisible = /\p{Default_Ignorable_Code_Point}/u;
/** Matches typographic forms of a hyphen. */
export const oddDash = /[\u02D7\u2010-\u2015\u2043\u2212\uFE58\uFE63\uFF0D]/;
const oddSpace = /[\u00A0\u1680\u2000-\u200A\u202F\u205F\u3000]/;
const oddBreak = /[\v\f\u0085\u2028\u2029]/;
/** Matches full-width letters and digits, as East Asian keyboards type them. */
export const fullWidth = /[\uFF10-\uFF19\uFF21-\uFF3A\uFF41-\uFF5A]/;

const toAscii = 0xfee0;

/**
 * Replaces typographic dashes, spaces, line separators and full-width letters and digits by their plain forms and leaves
 * invisible characters out. Linear in the length of the text.
 */
export function normaliseText(original: string): NormalisedText {
  const parts: string[] = [];
  const offsets = new Uint32Array(original.length + 1);
  let length = 0;
  let copied = 0;
  for (let at = 0; at < original.length; at += 1) {
    offsets[length] = at;
    const point = original.codePointAt(at) ?? 0;
    const plain = point < 0x80 ? undefined : plainFormOf(String.fromCodePoint(point));
    if (plain !== undefined) {
      parts.push(original.slice(copied, at), plain);
      // A character beyond U+FFFF is two units.
      if (point > 0xffff) at += 1;
      copied = at + 1;
    }
    length += plain?.length ?? 1;
  }
  offsets[length] = original.length;
  parts.push(original.slice(copied));
  return { text: parts.join(''), offsetOf: (index) => offsets[index] ?? original.length };
}

/** Returns the plain form of a character; undefined where it stays unchanged. */
function plainFormOf(character: string): string | undefined {
  if (invisible.test(character)) return '';
  if (oddDash.test(character)) return '-';
  if (oddSpace.test(character)) return ' ';
  if (oddBreak.test(character)) return '\n';
  if (fullWidth.test(character)) return String.fromCharCode(character.charCodeAt(0) - toAscii);
  return undefined;
}
