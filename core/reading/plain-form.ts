import { type Reading, Undoing } from '#core/reading/reading';

const suspect = /[^\n\r\t -~]|^[ \t]*[>|]/m;
const typography =
  /((?:^|(?<=[\v\f\u0085]))[\t\p{Zs}\p{Default_Ignorable_Code_Point}]{0,8}(?:(?!\|[\t |>]{0,99}[^\s|>].*\|)[>|][\t\p{Zs}\p{Default_Ignorable_Code_Point}]{0,8}){1,99})|[^\n\r\t -~]/gmu;

/** Characters and their plain forms. Hyphens join two words; other dashes separate them. */
const plainCharacters: readonly (readonly [RegExp, string])[] = [
  [/\p{Default_Ignorable_Code_Point}/u, ''],
  [/[\u2010\u2011\uFE63\uFF0D]/, '-'],
  [/[\p{Pd}\u02D7\u2043\u2212]/u, '–'],
  [/\p{Zs}/u, ' '],
  [/[\v\f\u0085\u2028\u2029]/, '\n'],
];

/**
 * Returns a reading without the changes of typography and mail programs. Invisible characters and reply marks are
 * removed, except a mark that begins a table row. Hyphens, spaces, line breaks, full-width letters, ligatures and
 * digits of other scripts become ASCII; every other dash becomes U+2013. Linear in the text.
 */
export function plainForm(reading: Reading): Reading {
  const { text } = reading;
  if (!suspect.test(text)) return reading;
  const undoing = new Undoing(reading);
  undoing.replaceEach(typography, ([found, mark]) =>
    mark === undefined ? plainCharacter(found) : '',
  );
  return undoing.done();
}

/** Returns the plain form of a non-ASCII character; undefined if it does not change. */
function plainCharacter(character: string): string | undefined {
  const [, plain] = plainCharacters.find(([characters]) => characters.test(character)) ?? [];
  if (plain !== undefined || !/[\p{L}\p{Nd}]/u.test(character)) return plain;
  const compatible = character.normalize('NFKC');
  if (/^[A-Za-z\d]{1,3}$/.test(compatible)) return compatible;
  return /\p{Nd}/u.test(character) ? String(digitOf(character)) : undefined;
}

/**
 * Returns the value of a decimal digit of any script. The ten digits of a script are consecutive (Unicode section 4.6).
 */
function digitOf(character: string): number {
  const point = character.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(point - value - 1))) value += 1;
  return value;
}
