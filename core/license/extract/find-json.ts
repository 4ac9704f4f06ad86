import { isJsonObject, type JsonDocument, parseStrictJson } from '#core/encoding/index';
import { RepairTally, type TextRepair } from '#core/reading/index';

/** Holds a JSON object found in a text, and the stretch that it takes up. */
export interface FoundJson {
  readonly document: JsonDocument;
  readonly from: number;
  readonly to: number;
  readonly repairs: readonly TextRepair[];
}

export interface JsonSearch {
  readonly found: readonly FoundJson[];
  /** Something that looked like JSON went deeper than is read. */
  readonly tooDeep: boolean;
}

/** More objects than this are not looked for in one text. */
const maxObjects = 64;
/** How many letters may be read after braces that open no JSON, so that no text keeps the search busy. */
const searchBudget = 4_000_000;
/** The least that one of them costs of the budget. */
const missCost = 2000;

/** Finds the outermost JSON objects and arrays of a text, with what mail does to their strings undone. Takes linear time. */
export function findJson(text: string): JsonSearch {
  const whole = parseStrictJson(text);
  if (whole.ok && typeof whole.value.value === 'object') {
    const only = { document: whole.value, from: 0, to: text.length, repairs: [] };
    return { found: [only], tooDeep: false };
  }
  const found: FoundJson[] = [];
  let tooDeep = false;
  let budget = searchBudget;
  for (let at = nextOpening(text, 0); at >= 0 && found.length < maxObjects && budget > 0;) {
    const to = closingOf(text, at);
    const read = readJson(text.slice(at, to));
    if (read === undefined) {
      budget -= Math.max(missCost, (to > at ? to : text.length) - at);
      at = nextOpening(text, at + 1);
      continue;
    }
    if (read === 'too-deep') tooDeep = true;
    else found.push({ ...read, from: at, to });
    at = nextOpening(text, to);
  }
  return { found, tooDeep };
}

/** Arrays count only where one begins the text: in prose, brackets are brackets. */
function nextOpening(text: string, from: number): number {
  if (from === 0 && /^\s*\[/.test(text)) return text.indexOf('[');
  return text.indexOf('{', from);
}

/** Finds the end of what opens here, brackets inside strings passed over: `from` itself where nothing closes it. */
function closingOf(text: string, from: number): number {
  let depth = 0;
  let quoted = false;
  for (let at = from; at < text.length; at += 1) {
    const letter = text[at];
    if (quoted) {
      if (letter === '\\') at += 1;
      else if (letter === '"') quoted = false;
    } else if (letter === '"') quoted = true;
    else if (letter === '{' || letter === '[') depth += 1;
    else if (letter === '}' || letter === ']') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return from;
}

function readJson(
  text: string,
):
  | { readonly document: JsonDocument; readonly repairs: readonly TextRepair[] }
  | 'too-deep'
  | undefined {
  const whole = parseStrictJson(text);
  if (whole.ok) return { document: whole.value, repairs: [] };
  if (whole.fault.kind === 'too-deep') return 'too-deep';
  const repairs = new RepairTally();
  const mended = parseStrictJson(mend(text, repairs));
  return mended.ok && isJsonObject(mended.value.value)
    ? { document: mended.value, repairs: repairs.list() }
    : undefined;
}

/** Straightens quotation marks, takes the quoting of mail from the lines, and line ends out of strings. */
function mend(text: string, repairs: RepairTally): string {
  const counted =
    (pattern: RegExp, by: string, id: 'mail-quotes' | 'quotation-marks') =>
    (from: string): string => {
      repairs.add(id, from.match(pattern)?.length ?? 0);
      return from.replace(pattern, by);
    };
  const unquoted = counted(/^[ \t]*>[> \t]*/gm, '', 'mail-quotes')(text);
  const straight = unquoted.includes('"')
    ? unquoted
    : counted(/[\u201C\u201D\u201E\u00AB\u00BB]/g, '"', 'quotation-marks')(unquoted);
  let quoted = false;
  let mended = '';
  for (let at = 0; at < straight.length; at += 1) {
    const letter = straight.charAt(at);
    if (quoted && (letter === '\n' || letter === '\r')) {
      if (letter === '\n') repairs.add('line-breaks');
      continue;
    }
    if (letter === '"') quoted = !quoted;
    mended += letter;
    if (quoted && letter === '\\') {
      at += 1;
      mended += straight.charAt(at);
    }
  }
  return mended;
}
