import { isJsonObject, type JsonDocument, parseStrictJson } from '#core/encoding/index';
import { RepairTally, type TextRepair } from '#core/reading/index';

/** A JSON object found in a text, and its stretch of the text. */
export interface FoundJson {
  /** Absent if it is nested too deep to be read. */
  readonly document?: JsonDocument;
  readonly from: number;
  readonly to: number;
  readonly repairs: readonly TextRepair[];
}

/** At most this many objects are searched for in one text. */
const maxObjects = 64;
/** How many characters may be read after braces that do not open JSON. This limits the time of the search. */
const searchBudget = 4_000_000;
/** The minimum cost of one such brace. */
const missCost = 2000;

/**
 * Finds the outermost JSON objects and arrays of a text, undoing the changes that mail makes to their strings. Linear
 * in the text.
 */
export function findJson(text: string): FoundJson[] {
  const whole = parseStrictJson(text);
  if (whole.ok && typeof whole.value.value === 'object') {
    return [{ document: whole.value, from: 0, to: text.length, repairs: [] }];
  }
  const found: FoundJson[] = [];
  let budget = searchBudget;
  for (let at = nextOpening(text, 0); at >= 0 && found.length < maxObjects && budget > 0;) {
    const to = closingOf(text, at);
    const read = readJson(text.slice(at, to));
    if (read === undefined) {
      budget -= Math.max(missCost, (to > at ? to : text.length) - at);
      at = nextOpening(text, at + 1);
    } else {
      found.push({ ...read, from: at, to });
      at = nextOpening(text, to);
    }
  }
  return found;
}

/** An array counts only at the start of the text, because in prose brackets are just brackets. */
function nextOpening(text: string, from: number): number {
  if (from === 0 && /^\s*\[/.test(text)) return text.indexOf('[');
  return text.indexOf('{', from);
}

/** Finds the closing bracket of the one that opens here, skipping strings; `from` itself if nothing closes it. */
function closingOf(text: string, from: number): number {
  let depth = 0;
  let quoted = false;
  for (let at = from; at < text.length; at += 1) {
    const letter = text[at];
    if (letter === '"') quoted = !quoted;
    else if (quoted && letter === '\\') at += 1;
    else if (quoted) continue;
    else if (letter === '{' || letter === '[') depth += 1;
    else if (letter === '}' || letter === ']') depth -= 1;
    if (depth === 0) return at + 1;
  }
  return from;
}

function readJson(text: string): Pick<FoundJson, 'document' | 'repairs'> | undefined {
  const whole = parseStrictJson(text);
  if (whole.ok) return { document: whole.value, repairs: [] };
  if (whole.fault.kind === 'too-deep') return { repairs: [] };
  const repairs = new RepairTally();
  const mended = parseStrictJson(mend(text, repairs));
  return mended.ok && isJsonObject(mended.value.value)
    ? { document: mended.value, repairs: repairs.list() }
    : undefined;
}

const replyMarks = /^[ \t]*>[> \t]*/gm;
const typographicQuotes = /[\u201C\u201D\u201E\u00AB\u00BB]/g;
/** A string, or a space outside strings that JSON does not allow, with which mails and pages indent. */
const stringsAndSpaces =
  /"[^"\\]*(?:\\[^][^"\\]*)*"|(?! )[\p{Zs}\p{Default_Ignorable_Code_Point}]/gu;

/** Removes mail quoting, straightens quotation marks and spaces, and removes line breaks from strings. */
function mend(text: string, repairs: RepairTally): string {
  repairs.addMatches('mail-quotes', text, replyMarks);
  let mended = text.replace(replyMarks, '');
  if (!mended.includes('"')) {
    repairs.addMatches('quotation-marks', mended, typographicQuotes);
    mended = mended.replace(typographicQuotes, '"');
  }
  return mended.replace(stringsAndSpaces, (found) => {
    if (!found.startsWith('"')) return ' ';
    const whole = found.replaceAll(/[\r\n]/g, '');
    if (whole !== found) repairs.addMatches('line-breaks', found, /\r\n?|\n/g);
    return whole;
  });
}
