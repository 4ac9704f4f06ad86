import { type Written, certificateOnly } from '#core/license/document/document';
import { readMoment } from '#core/time/moment';
import {
  base64UrlOfBase64,
  decodeStrictBase64,
  isJsonObject,
  type JsonDocument,
  type JsonObject,
  type JsonOddity,
  type JsonValue,
  parseStrictJson,
} from '#core/encoding/index';
import {
  cutMark,
  decodeSource,
  mendText,
  readingsOf,
  RepairTally,
  type SourceFault,
  type TextRepair,
  transportsOfLicenses,
} from '#core/reading/index';
import { findJson } from '#core/license/extract/find-json';
import { findTokens, type FoundToken } from '#core/license/extract/find-tokens';
import { isPrivateKey } from '#core/keys/index';
import type { LastContact } from '#core/license/standing';
import { omitUndefined } from '#core/result';

/** Holds something that looks like a signed document, not opened yet. */
export interface Artifact {
  readonly written: Written;
  /** The document as one text: compact, or its JSON. */
  readonly raw: string;
  /** Its place: empty in plain text, else the dotted path in the JSON that holds it. */
  readonly where: string;
  /** The purpose of the JSON member that holds it, where that is one of the spec's two. */
  readonly meant?: 'license' | 'certificate';
  /** The JSON object whose `license` or `activation_certificate` it is: the same for both documents of one saved state. */
  readonly holder?: string;
  /** Whether it is JSON, or a token with a JSON object as its payload. */
  readonly isDocument: boolean;
  /** Whether other text is glued to its beginning, so that nobody can tell by the form where it begins. */
  readonly isGlued?: true;
}

/** Holds what a source contains: its signed documents, what it says beside them, and what had to be repaired. */
export interface FoundArtifacts {
  readonly artifacts: readonly Artifact[];
  readonly stated: StatedFields;
  readonly repairs: readonly TextRepair[];
  /** Why there is nothing, where that is known. Absent together with artifacts: plain text without any. */
  readonly fault?: SourceFault;
}

const foundNothing = { artifacts: [], stated: {}, repairs: [] } as const;

/** A text or the bytes of a file, at most 256 KiB each; several are read as one: a license and its certificate in files of their own. */
export type Sources = string | Uint8Array | readonly (string | Uint8Array)[];

export function sourcesOf(sources: Sources): readonly (string | Uint8Array)[] {
  return typeof sources === 'string' || sources instanceof Uint8Array ? [sources] : sources;
}

/**
 * Finds the signed documents in a text or in the bytes of a file, wherever they stand in it: bare, wrapped by mail, quoted, in
 * prose, in JSON of any shape, attached to a mail. Opens and verifies none of them; of several readings of a text, the one with
 * the most whole documents counts.
 *
 * The same document found twice in places of one kind counts once. Takes linear time and never throws.
 * @returns the documents and the repairs; without any document a `fault` where the reason is known
 * @example
 * const { artifacts, repairs } = findArtifacts('License: eyJ0eXAiOi…');
 */
export function findArtifacts(sources: Sources): FoundArtifacts {
  return mergeFound(
    sourcesOf(sources).map((source, part) => {
      const readings = [...findInReadings(source, part)];
      const most = Math.max(...readings.map(wholeDocuments));
      return readings.find((one) => wholeDocuments(one) === most) ?? foundNothing;
    }),
  );
}

function wholeDocuments({ artifacts }: FoundArtifacts): number {
  return artifacts.filter(({ isDocument }) => isDocument).length;
}

/**
 * Yields what one source holds, in each of its readings that holds something else: the pinned keys decide which is right.
 * @param part which of several sources it is
 */
export function* findInReadings(
  source: string | Uint8Array,
  part: number,
): Generator<FoundArtifacts> {
  const decoded = decodeSource(source);
  if (!decoded.ok) {
    const isBinaryKey = decoded.fault.kind === 'binary' && isPrivateKey(source);
    yield { ...foundNothing, fault: isBinaryKey ? { kind: 'private-key' } : decoded.fault };
    return;
  }
  const seen = new Set<string>();
  for (const reading of readingsOf(decoded.value.text, transportsOfLicenses)) {
    const finder = new Finder([...decoded.value.repairs, ...reading.undone], part);
    finder.readText(reading.text);
    const found = finder.findings(reading.text);
    const key = JSON.stringify(found.artifacts.map(keyOf));
    if (seen.has(key)) continue;
    seen.add(key);
    yield found;
  }
}

/** Puts together what several sources hold, or several readings of one. */
export function mergeFound(all: readonly FoundArtifacts[]): FoundArtifacts {
  const [only] = all;
  if (only !== undefined && all.length === 1) return only;
  const repairs = new RepairTally();
  for (const one of all) repairs.addAll(one.repairs);
  const artifacts = unique(all.flatMap((one) => one.artifacts));
  const fault = all.find((one) => one.fault !== undefined)?.fault;
  return {
    artifacts,
    stated: all.map(({ stated }) => stated).reduce(mergeStated, {}),
    repairs: repairs.list(),
    ...(fault !== undefined && artifacts.length === 0 && { fault }),
  };
}

/** Returns a key that is the same for the same document in places of one kind. */
export function keyOf({ raw, meant }: Artifact): string {
  return `${meant ?? ''} ${raw}`;
}

function unique(artifacts: readonly Artifact[]): Artifact[] {
  const seen = new Set<string>();
  return artifacts.filter((artifact) => {
    const key = keyOf(artifact);
    return !seen.has(key) && seen.add(key);
  });
}

/** The members of a License request and of a saved state that hold signed documents (spec section 2). */
const fieldSlots: ReadonlyMap<string, 'license' | 'certificate'> = new Map([
  ['license', 'license'],
  ['activation_certificate', 'certificate'],
]);

/** A compact document of two segments that needs no repair: the whole text is one token, and nothing else can be found in it. */
const wholeTokenPattern = /^e(?:y[AIJ]|w[0gko])[\w-]+\.[\w-]{85}[AQgw]$/;
/** No document is shorter, not even a damaged one. */
const minTokenLetters = 40;

/** How deep JSON may stand inside strings of JSON. */
const maxNested = 3;
/** A shorter text in the place of a license is the name of one, as in a package's manifest: "MIT". */
const minLicenseLetters = 40;
/** Letters of compact documents alone, spaces aside. */
const compactPattern = /^[\w+/=-]*(?:\.[\w+/=-]*)+$/;

/** A place that the spec names, and the object that it belongs to. */
interface Slot {
  readonly meant: 'license' | 'certificate';
  readonly holder: string;
}

class Finder {
  readonly #artifacts: Artifact[] = [];
  readonly #repairs = new RepairTally();
  #stated: StatedFields = {};
  #tooDeep = false;
  readonly #part: number;
  #holders = 0;

  constructor(repairs: readonly TextRepair[], part: number) {
    this.#repairs.addAll(repairs);
    this.#part = part;
  }

  findings(text: string): FoundArtifacts {
    const artifacts = unique(this.#artifacts);
    const found = { artifacts, stated: this.#stated, repairs: this.#repairs.list() };
    if (artifacts.length > 0) return found;
    if (this.#tooDeep) return { ...found, fault: { kind: 'too-deep' } };
    if (isPrivateKey(text)) return { ...found, fault: { kind: 'private-key' } };
    const isKey = /-----BEGIN [A-Z0-9 ]*KEY-----|^ssh-ed25519 AAAA|"kty"\s*:/m.test(text);
    return isKey ? { ...found, fault: { kind: 'key' } } : found;
  }

  readText(text: string): void {
    const json = text.includes('{') ? findJson(text) : { found: [], tooDeep: false };
    this.#tooDeep ||= json.tooDeep;
    let rest = '';
    let last = 0;
    for (const { document, from, to, repairs } of json.found) {
      this.#repairs.addAll(repairs);
      const before = this.#artifacts.length;
      this.#readJson(document, '', 0);
      const found = this.#artifacts.splice(before);
      this.#artifacts.push(...found.filter(({ isDocument }) => isDocument));
      // Line ends that were taken out of its strings may have parted a token from a word.
      const isMended = repairs.some(({ id }) => id === 'line-breaks');
      if (isMended && !(found.length > 0 && found.every(({ isDocument }) => isDocument)))
        this.#readTokens(text.slice(from, to), '');
      else this.#artifacts.push(...found.filter(({ isDocument }) => !isDocument));
      rest += `${text.slice(last, from)}${cutMark}`;
      last = to;
    }
    this.#readTokens(rest + text.slice(last), '');
  }

  #readTokens(text: string, where: string): void {
    if (text.length < minTokenLetters) return;
    if (wholeTokenPattern.test(text)) {
      this.#artifacts.push({ written: text, raw: text, where, isDocument: true });
      return;
    }
    const repairs = new RepairTally();
    const clean = mendText(text, repairs);
    const tokens = findTokens(clean);
    if (tokens.length === 0) return;
    this.#repairs.addAll(repairs.list());
    for (const token of tokens) {
      const { text: written, isDocument, isFree } = token;
      this.#artifacts.push({
        written,
        raw: written,
        where,
        isDocument,
        ...(!isFree && { isGlued: true }),
      });
      tallyToken(clean, token, this.#repairs);
    }
    if (where === '' && hasSurroundings(clean, tokens)) this.#repairs.add('surrounding-text');
  }

  /** @param nested how many strings of JSON this document stood in */
  #readJson({ value, oddities }: JsonDocument, where: string, nested: number): void {
    const visit = (at: JsonValue, path: string): void => {
      if (typeof at === 'string') this.#readString(at, path, nested);
      else if (Array.isArray(at)) {
        for (const [index, item] of at.entries())
          visit(item as JsonValue, join(path, String(index)));
      } else if (isJsonObject(at)) this.#readObject(at, path, oddities, visit);
    };
    visit(value, where);
  }

  #readObject(
    object: JsonObject,
    path: string,
    oddities: readonly JsonOddity[],
    visit: (value: JsonValue, path: string) => void,
  ): void {
    if (isSigned(object)) {
      this.#artifacts.push({
        written: { object, oddities },
        raw: JSON.stringify(object),
        where: path,
        isDocument: true,
      });
      return;
    }
    this.#stated = { ...readStatedFields(object), ...this.#stated };
    this.#holders += 1;
    const holder = `${String(this.#part)}.${String(this.#holders)}`;
    for (const [name, member] of Object.entries(object)) {
      const meant = fieldSlots.get(name);
      const where = join(path, name);
      if (meant === undefined) visit(member, where);
      else this.#readSlot(member, where, { meant, holder }, oddities, visit);
    }
  }

  /** Reads what stands in a place that the spec names. Whatever it is, it is meant to be that one document. */
  #readSlot(
    value: JsonValue,
    where: string,
    slot: Slot,
    oddities: readonly JsonOddity[],
    visit: (value: JsonValue, path: string) => void,
  ): void {
    if (typeof value === 'string' && wholeTokenPattern.test(value)) {
      this.#artifacts.push({ written: value, raw: value, where, isDocument: true, ...slot });
      return;
    }
    const before = this.#artifacts.length;
    if (typeof value === 'string' && this.#readCompactSlot(value, where, slot)) return;
    visit(value, where);
    const found = this.#artifacts.splice(before);
    if (found.length === 0) this.#keepDamaged(value, where, slot, oddities);
    for (const one of found) {
      this.#artifacts.push(one.meant === undefined ? { ...one, ...slot } : one);
    }
  }

  /**
   * Reads a place that holds the letters of compact documents alone as one document, so that one with a missing or an empty
   * segment is not taken for a shorter document of another kind.
   */
  #readCompactSlot(text: string, where: string, slot: Slot): boolean {
    const repairs = new RepairTally();
    const compact = mendText(text, repairs).replaceAll(/\s/g, '');
    if (!compactPattern.test(compact) || !isLongEnough(compact, slot)) return false;
    const written = compact
      .split('.')
      .map((segment) => base64UrlOfBase64(segment))
      .join('.');
    const [token] = findTokens(mendText(text, new RepairTally()));
    // One token that fills the place: the usual reader counts its repairs.
    if (token?.text === written) return false;
    this.#repairs.addAll(repairs.list());
    this.#artifacts.push({ written, raw: written, where, isDocument: false, ...slot });
    return true;
  }

  /** Keeps what cannot be read at all: not the same as an empty place. */
  #keepDamaged(value: JsonValue, where: string, slot: Slot, oddities: readonly JsonOddity[]): void {
    if (isJsonObject(value)) {
      const raw = JSON.stringify(value);
      this.#artifacts.push({
        written: { object: value, oddities },
        raw,
        where,
        isDocument: true,
        ...slot,
      });
    } else if (typeof value === 'string' && isLongEnough(value, slot)) {
      const raw = value.trim();
      if (raw !== '')
        this.#artifacts.push({ written: raw, raw, where, isDocument: false, ...slot });
    }
  }

  #readString(text: string, path: string, nested: number): void {
    if (text.length < 40) return;
    const mayBeJson = nested < maxNested && /^\s*[{[]/.test(text);
    const parsed = mayBeJson ? parseStrictJson(text) : undefined;
    if (parsed?.ok !== true) {
      this.#readTokens(text, path);
      return;
    }
    this.#repairs.add('nested-json');
    this.#readJson(parsed.value, path, nested + 1);
  }
}

/**
 * Tells an object that is signed from one with a signature of another kind: a mail's, or that of a saved state. Without a whole
 * signature it needs a member that signed objects have.
 */
function isSigned(object: JsonObject): boolean {
  const { signature } = object;
  if (typeof signature !== 'string') return false;
  if (decodeStrictBase64(signature)?.length === 64) return true;
  const has = (name: string): boolean => name in object;
  return ['payload', ...certificateOnly].some(has) && ![...fieldSlots.keys()].some(has);
}

function isLongEnough(text: string, { meant }: Slot): boolean {
  return meant === 'certificate' || text.length >= minLicenseLetters;
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

/** Counts what was between the parts of one token, and right around it. */
function tallyToken(text: string, token: FoundToken, repairs: RepairTally): void {
  const { from, to } = token;
  const span = text.slice(from, to);
  const count = (pattern: RegExp): number => span.match(pattern)?.length ?? 0;
  repairs.add('line-breaks', count(/\r\n?|\n/g));
  repairs.add('mail-quotes', count(/[\r\n][ \t]*>/g));
  repairs.add('spaces', count(/[^\S\r\n](?![\s>|])/g));
  repairs.add('padding', count(/=+/g));
  repairs.add('base64-alphabet', count(/[+/]/g));
  const before = text.slice(Math.max(0, from - 40), from);
  if (/["'`\u2018-\u201E\u00AB\u00BB<([{]\s*$/.test(before)) repairs.add('quotation-marks');
  if (/\w\s{0,3}[:=]\s*["'`]?$/.test(before)) repairs.add('label');
  if (/^\s*>/.test(before.slice(before.lastIndexOf('\n') + 1))) repairs.add('mail-quotes');
  if (text.startsWith('=', to)) repairs.add('padding');
}

/** Tells whether a text says anything beside its tokens. Labels, quotes and rules do not count. */
function hasSurroundings(text: string, tokens: readonly FoundToken[]): boolean {
  let rest = '';
  let last = 0;
  for (const { from, to } of tokens) {
    rest += `${text.slice(last, from)} `;
    last = to;
  }
  const words = (rest + text.slice(last)).match(/\p{L}+/gu) ?? [];
  return words.length > 2 * tokens.length + 1;
}

/** Holds what a file says beside its signed documents. Nobody vouches for any of it. */
export interface StatedFields {
  readonly domain?: string;
  readonly productSlug?: string;
  readonly installationId?: string;
  /** `at`: epoch milliseconds. */
  readonly lastContact?: LastContact;
}

/** Members that make an object a License request or a saved installation state: spec section 2. */
const stateMarks = ['license', 'activation_certificate', 'installation_id', 'last_contact'];

/**
 * Reads what a License request or a saved installation state says beside its signed documents (spec section 2). Any other
 * object gives nothing. Nobody vouches for any of it.
 */
export function readStatedFields(object: JsonObject): StatedFields {
  if (!stateMarks.some((name) => name in object)) return {};
  const { domain, product_slug, installation_id, last_contact } = object;
  return omitUndefined({
    domain: textOf(domain),
    productSlug: textOf(product_slug),
    installationId: textOf(installation_id),
    lastContact: readLastContact(last_contact),
  });
}

/**
 * Merges what two files state, the same in either order: the later contact counts, and of two different texts the one that
 * sorts first.
 */
export function mergeStated(a: StatedFields, b: StatedFields): StatedFields {
  return omitUndefined({
    domain: firstOf(a.domain, b.domain),
    productSlug: firstOf(a.productSlug, b.productSlug),
    installationId: firstOf(a.installationId, b.installationId),
    lastContact: laterOf(a.lastContact, b.lastContact),
  });
}

function firstOf(a: string | undefined, b: string | undefined): string | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return a < b ? a : b;
}

function laterOf(a: LastContact | undefined, b: LastContact | undefined): LastContact | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  if (a.at !== b.at) return a.at > b.at ? a : b;
  return a.outcome < b.outcome ? a : b;
}

/** Reads `{at, outcome}`, in the words that installations use. An unknown outcome counts as none. */
function readLastContact(value: JsonValue | undefined): LastContact | undefined {
  if (!isJsonObject(value)) return undefined;
  const { at, outcome } = value;
  const moment = readMoment(typeof at === 'number' && at > 1e11 ? at / 1000 : at);
  const known =
    typeof outcome === 'string' ? contactOutcomes.get(outcome.toLowerCase()) : undefined;
  return moment.ok && known !== undefined ? { at: moment.value, outcome: known } : undefined;
}

const contactOutcomes: ReadonlyMap<string, LastContact['outcome']> = new Map([
  ...named('validated', 'validated', 'success', 'ok'),
  ...named('unreachable', 'unreachable', 'unavailable', 'failed', 'failure', 'offline', 'timeout'),
  ...named('refused', 'refused', 'refusal', 'denied'),
]);

function named(
  outcome: LastContact['outcome'],
  ...words: readonly string[]
): (readonly [string, LastContact['outcome']])[] {
  return words.map((word) => [word, outcome] as const);
}

function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}
