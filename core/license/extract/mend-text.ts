import type { RepairTally } from '#core/license/extract/repair-tally';

/** Stands where something was cut out that a token cannot run across. */
export const cutMark = '\u0001';

/** Without any of these a text needs no cleaning, which is how most files are. */
const suspectPattern = /[^A-Za-z0-9_.+/\s-]|---/;
const invisiblePattern = /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]/gu;
const softLineEndPattern = /^([^\r\n]{60,75})=\r?\n/gm;
const dashPattern = /(?<=[A-Za-z0-9_-])[\u2010-\u2015\u2212\uFE58\uFE63\uFF0D](?=[A-Za-z0-9_-])/g;
const armourPattern = /(?<!-)-{3,}\s?(?:BEGIN|END)\b[^\r\n-]{0,80}-{3,}/gi;
const ruledLinePattern = /^[ \t]*([-=_*~#])\1{3,}[ \t]*$/gm;
const encodedPattern = /%(?:2[BEFbef]|3[Dd]|5[Ff])/g;

/** Takes out of a text what mail and word processors put in, whatever stands in it. */
export function mendText(text: string, repairs: RepairTally): string {
  if (!suspectPattern.test(text)) return text;
  let clean = text;
  const replace = (
    pattern: RegExp,
    by: (match: string, group: string) => string,
    id: Parameters<RepairTally['add']>[0],
  ): void => {
    const found = clean.match(pattern);
    if (found === null) return;
    repairs.add(id, found.length);
    clean = clean.replace(pattern, by);
  };
  replace(invisiblePattern, () => '', 'invisible-characters');
  if (softLineEndPattern.test(clean)) {
    replace(softLineEndPattern, (_, line) => line, 'quoted-printable');
    replace(/=3D|=2E/g, (code) => (code === '=3D' ? '=' : '.'), 'quoted-printable');
  }
  softLineEndPattern.lastIndex = 0;
  replace(
    encodedPattern,
    (code) => String.fromCharCode(Number(`0x${code.slice(1)}`)),
    'percent-encoding',
  );
  replace(dashPattern, () => '-', 'dashes');
  replace(armourPattern, () => cutMark, 'armour');
  replace(/<w?br ?\/?>/gi, () => '\n', 'line-breaks');
  return clean.replace(ruledLinePattern, cutMark);
}
