const address = /(?:https?:\/\/|www\.)[^\s<>"']+/gi;
const namesACode = /(?:purchase|code|licen[cs]e|key)[^\s/?&#=]{0,24}[/=]$/i;
const namesAnotherId =
  /(?:^|[^a-z])(?:installation|licen[cs]e|request|message|session|trace|correlation|device|user|account|attachment|event|span)[ _-]?ids?["']?\s{0,3}[:=#]?\s{0,3}["']?$/i;
const goesOnAsFile =
  /^\.(?:png|jpe?g|gif|webp|svg|pdf|zip|rar|txt|log|mp[34]|mov|webm|csv|json|xml|html?|eml|lic)(?![a-z\d])/i;

/** More dashes in a row are a drawn line. */
const maxRuleDashes = 8;

/** Judges a stretch of a normalised text by the characters around it. */
export interface CodeContext {
  readonly beginsHere: (start: number) => boolean;
  readonly endsHere: (end: number) => boolean;
  readonly isSomethingElse: (start: number, end: number) => boolean;
}

/**
 * Creates the judge of what surrounds a possible code. A code is not part of a longer run, a file name, a message id or a value
 * labelled as another id. Inside an address it must follow a label such as `code=`.
 * In the source of a mail `=` is written `=3D` (quoted-printable).
 * @param joins whether the dash at an index is a hyphen, which joins two words; other dashes separate them
 */
export function contextOf(text: string, joins: (index: number) => boolean): CodeContext {
  const inAddress = addressMarks(text);
  const isJoint = (index: number): boolean =>
    text[index] === '_' || (text[index] === '-' && joins(index));
  return {
    beginsHere: (start) => {
      let before = start - 1;
      const furthest = before - maxRuleDashes;
      while (before > furthest && isJoint(before)) {
        before -= 1;
      }
      return !isLetterOrDigit(text, before) || text.slice(start - 3, start) === '=3D';
    },
    endsHere: (end) => {
      const after = isJoint(end) ? end + 1 : end;
      return !isLetterOrDigit(text, after);
    },
    isSomethingElse: (start, end) => {
      const lead = text.slice(Math.max(0, start - 48), start).replace(/=3D$/, '=');
      if (inAddress?.[start] === 1) return !namesACode.test(lead);
      return (
        namesAnotherId.test(lead) ||
        text[end] === '@' ||
        goesOnAsFile.test(text.slice(end, end + 8))
      );
    },
  };
}

function addressMarks(text: string): Uint8Array | undefined {
  let marks: Uint8Array | undefined;
  for (const { 0: found, index } of text.matchAll(address)) {
    marks ??= new Uint8Array(text.length);
    marks.fill(1, index, index + found.length);
  }
  return marks;
}

function isLetterOrDigit(text: string, index: number): boolean {
  const unit = text.charCodeAt(index);
  const lower = unit | 0x20;
  return (unit >= 0x30 && unit <= 0x39) || (lower >= 0x61 && lower <= 0x7a);
}
