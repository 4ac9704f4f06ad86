import { type Written, certificateOnly } from '#core/license/document/document';
import {
  base64UrlOfBase64,
  decodeStrictBase64,
  isJsonObject,
  type JsonObject,
  type JsonOddity,
  type JsonValue,
  parseStrictJson,
} from '#core/encoding/index';
import {
  decodeSource,
  plainForm,
  readingOf,
  readingsOf,
  RepairTally,
  type SourceFault,
  type TextRepair,
  transportsOfLicenses,
} from '#core/reading/index';
import { findJson } from '#core/license/extract/find-json';
import {
  cutMark,
  findTokens,
  hasSurroundings,
  minTokenLetters,
  tallySpan,
  tallyTokens,
  withHyphens,
} from '#core/license/extract/find-tokens';
import {
  mergeStated,
  readStatedFields,
  type StatedFields,
} from '#core/license/extract/stated-fields';
import { isPrivateKey } from '#core/keys/index';
import { omitUndefined } from '#core/result';

/** Something that looks like a signed document, not yet opened. */
export interface Artifact {
  readonly written: Written;
  /** The document as one text: compact, or its JSON. */
  readonly raw: string;
  /** Its location: empty in plain text, else its dotted path in the JSON. */
  readonly where: string;
  /** The purpose of the JSON member that contains it, if that is one of the spec's two. */
  readonly meant?: 'license' | 'certificate';
  /** The JSON object whose `license` or `activation_certificate` it is: the same for both documents of one saved state. */
  readonly holder?: string;
  /** Whether it is JSON, or a token with a JSON object as its payload. */
  readonly isDocument: boolean;
  /** The same, including text joined to its beginning, if any: the form alone does not show where it begins. */
  readonly glued?: string;
}

/** The content of a source: its signed documents, its unsigned fields, and the repairs that were needed. */
export interface FoundArtifacts {
  readonly artifacts: readonly Artifact[];
  readonly stated: StatedFields;
  readonly repairs: readonly TextRepair[];
  /** Why nothing was found, if known. Plain text without documents has neither artifacts nor a fault. */
  readonly fault?: SourceFault;
}

const foundNothing: FoundArtifacts = { artifacts: [], stated: {}, repairs: [] };

/**
 * A text or the bytes of a file, at most 256 KiB each. Several are read as one source: a license and its certificate in
 * separate files.
 */
export type Sources = string | Uint8Array | readonly (string | Uint8Array)[];

/**
 * Finds the signed documents anywhere in a text or in the bytes of a file: bare, wrapped by mail, quoted, in prose, in
 * JSON of any shape, attached to a mail. Does not open or verify them. If a text has several readings, the one with the
 * most whole documents is used.
 *
 * A document found twice in places of the same kind counts once. Takes linear time and never throws.
 * @returns the documents and the repairs; if there is no document, a `fault` if the reason is known
 * @example
 * const { artifacts, repairs } = findArtifacts('License: eyJ0eXAiOi…');
 */
export function findArtifacts(sources: Sources): FoundArtifacts {
  return chooseReadings(findInReadings(sources), () => false);
}

/**
 * Finds the content of each source in each of its readings, without duplicates. The pinned keys later decide which
 * reading is right.
 */
export function findInReadings(sources: Sources): FoundArtifacts[][] {
  const all = typeof sources === 'string' || sources instanceof Uint8Array ? [sources] : sources;
  return all.map((source, part) => {
    const decoded = decodeSource(source);
    if (!decoded.ok) {
      const isBinaryKey = decoded.fault.kind === 'binary' && isPrivateKey(source);
      return [{ ...foundNothing, fault: isBinaryKey ? { kind: 'private-key' } : decoded.fault }];
    }
    const found = new Map<string, FoundArtifacts>();
    for (const reading of readingsOf(decoded.value.text, transportsOfLicenses)) {
      const finder = new Finder([...decoded.value.repairs, ...reading.undone], part);
      const one = finder.find(reading.text);
      const key = JSON.stringify(one.artifacts.map(keyOf));
      if (!found.has(key)) found.set(key, one);
    }
    return [...found.values()];
  });
}

/**
 * For each source, chooses the reading with the most genuine documents, then with the most whole ones, and adds the
 * genuine documents of its other readings.
 */
export function chooseReadings(
  sources: readonly (readonly FoundArtifacts[])[],
  isGenuine: (artifact: Artifact) => boolean,
): FoundArtifacts {
  const chosen = sources.map((readings) => {
    const [only, ...others] = readings;
    if (only !== undefined && others.length === 0) return only;
    const weighed = readings.map((found) => ({
      found,
      genuine: found.artifacts.filter(isGenuine),
      whole: found.artifacts.filter(({ isDocument }) => isDocument),
    }));
    const [best] = weighed.toSorted(
      (a, b) => b.genuine.length - a.genuine.length || b.whole.length - a.whole.length,
    );
    const { artifacts, ...rest } = best?.found ?? foundNothing;
    const own = new Set(artifacts.map(({ raw }) => raw));
    const more = weighed.flatMap(({ genuine }) => genuine).filter(({ raw }) => !own.has(raw));
    return { ...rest, artifacts: [...artifacts, ...more] };
  });
  return mergeFound(chosen);
}

/** Merges the contents of several sources. */
function mergeFound(all: readonly FoundArtifacts[]): FoundArtifacts {
  const [only, ...others] = all;
  if (only !== undefined && others.length === 0) return only;
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

/** Returns a key that is the same for the same document in places of the same kind. */
export function keyOf({ raw, glued = raw, meant }: Artifact): string {
  return `${meant ?? ''} ${glued}`;
}

/** Removes duplicates in places of the same kind, keeping the first. */
export function unique(artifacts: readonly Artifact[]): Artifact[] {
  const seen = new Set<string>();
  return artifacts.filter((artifact) => {
    const key = keyOf(artifact);
    return !seen.has(key) && seen.add(key);
  });
}

/** The members of a License request or a saved state that contain signed documents (spec section 2). */
const fieldSlots: ReadonlyMap<string, 'license' | 'certificate'> = new Map([
  ['license', 'license'],
  ['activation_certificate', 'certificate'],
]);

/** A text that is one compact document of two segments and needs no repair, so nothing else can be in it. */
const wholeTokenPattern = /^e(?:y[AIJ]|w[0gko])[\w-]+\.[\w-]{85}[AQgw]$/;
/** Only segments of compact documents. */
const segmentsPattern = /^[\w+/=-]*(?:\.[\w+/=-]*)+$/;
/** How deep JSON may be nested in strings of JSON. */
const maxNested = 3;

/** The location of a value. */
interface Place {
  readonly where: string;
  /** The oddities of the JSON that contains it. */
  readonly oddities: readonly JsonOddity[];
  /** How many JSON strings that JSON is nested in. */
  readonly nested: number;
  /** The innermost enclosing member that the spec names. */
  readonly slot?: Pick<Artifact, 'meant' | 'holder'>;
}

const plainText: Place = { where: '', oddities: [], nested: 0 };

class Finder {
  #artifacts: Artifact[] = [];
  readonly #repairs = new RepairTally();
  #stated: StatedFields = {};
  readonly #part: number;
  #holders = 0;

  /** @param part which of several sources is read */
  constructor(repairs: readonly TextRepair[], part: number) {
    this.#repairs.addAll(repairs);
    this.#part = part;
  }

  find(text: string): FoundArtifacts {
    let isTooDeep = false;
    let rest = '';
    let last = 0;
    for (const { document, from, to, repairs } of text.includes('{') ? findJson(text) : []) {
      if (document === undefined) {
        isTooDeep = true;
        continue;
      }
      this.#repairs.addAll(repairs);
      const before = this.#artifacts.splice(0);
      this.#readValue(document.value, { ...plainText, oddities: document.oddities });
      const whole = this.#artifacts.filter(({ isDocument }) => isDocument);
      // Line breaks removed from its strings may have separated a token from a word.
      const isMended = repairs.some(({ id }) => id === 'line-breaks');
      const isRead = !isMended || (whole.length > 0 && whole.length === this.#artifacts.length);
      this.#artifacts = [...before, ...(isRead ? this.#artifacts : whole)];
      rest += `${text.slice(last, isRead ? from : to)}${cutMark}`;
      last = to;
    }
    this.#readTokens(rest + text.slice(last), plainText);
    const artifacts = unique(this.#artifacts);
    const found = { artifacts, stated: this.#stated, repairs: this.#repairs.list() };
    if (artifacts.length > 0) return found;
    if (isTooDeep) return { ...found, fault: { kind: 'too-deep' } };
    return omitUndefined({ ...found, fault: faultOf(text) });
  }

  #add(written: Written, isDocument: boolean, { where, slot }: Place, glued?: string): void {
    const raw = typeof written === 'string' ? written : JSON.stringify(written.object);
    this.#artifacts.push(omitUndefined({ written, raw, where, isDocument, glued, ...slot }));
  }

  #readValue(value: JsonValue, place: Place): void {
    if (typeof value === 'string') this.#readString(value, place);
    else if (Array.isArray(value)) {
      for (const [index, item] of value.entries())
        this.#readValue(item as JsonValue, inside(place, String(index)));
    } else if (isJsonObject(value)) this.#readObject(value, place);
  }

  #readObject(object: JsonObject, place: Place): void {
    if (isSigned(object)) {
      this.#add({ object, oddities: place.oddities }, true, place);
      return;
    }
    this.#stated = { ...readStatedFields(object), ...this.#stated };
    this.#holders += 1;
    const holder = `${String(this.#part)}.${String(this.#holders)}`;
    for (const [name, member] of Object.entries(object)) {
      const meant = fieldSlots.get(name);
      const there = inside(place, name);
      if (meant === undefined) this.#readValue(member, there);
      else this.#readSlot(member, { ...there, slot: { meant, holder } });
    }
  }

  /** Reads the value of a member that the spec names. Whatever it is, it is meant to be that one document. */
  #readSlot(value: JsonValue, place: Place): void {
    const before = this.#artifacts.length;
    if (typeof value !== 'string' || !this.#readSegments(value, place))
      this.#readValue(value, place);
    // A value that cannot be read is not the same as an empty one.
    if (this.#artifacts.length > before) return;
    if (isJsonObject(value)) this.#add({ object: value, oddities: place.oddities }, true, place);
    else if (typeof value === 'string' && isLongEnough(value, place))
      this.#add(value.trim(), false, place);
  }

  /**
   * If a value has only the characters of compact documents, reads it as one document, so that one with a missing or
   * empty segment is not taken for a shorter document of another kind.
   */
  #readSegments(text: string, place: Place): boolean {
    if (wholeTokenPattern.test(text)) return false;
    const letters = withHyphens(plainForm(readingOf(text)).text).replaceAll(/\s/g, '');
    if (!segmentsPattern.test(letters) || !isLongEnough(letters, place)) return false;
    const written = letters.split('.').map(base64UrlOfBase64).join('.');
    // A token that fills the whole value is read in the usual way.
    if (findTokens(text)[0]?.text === written) return false;
    tallySpan(text, this.#repairs);
    this.#add(written, false, place);
    return true;
  }

  #readString(text: string, place: Place): void {
    const { nested } = place;
    const mayBeJson = text.length >= minTokenLetters && nested < maxNested && /^\s*[{[]/.test(text);
    const parsed = mayBeJson ? parseStrictJson(text) : undefined;
    if (parsed?.ok !== true) {
      this.#readTokens(text, place);
      return;
    }
    this.#repairs.add('nested-json');
    const { value, oddities } = parsed.value;
    this.#readValue(value, { ...place, oddities, nested: nested + 1 });
  }

  #readTokens(text: string, place: Place): void {
    if (text.length < minTokenLetters) return;
    if (wholeTokenPattern.test(text)) {
      this.#add(text, true, place);
      return;
    }
    const tokens = findTokens(text);
    for (const { text: written, isDocument, glued } of tokens)
      this.#add(written, isDocument, place, glued);
    if (tokens.length === 0) return;
    tallyTokens(text, tokens, this.#repairs);
    if (place.where === '' && hasSurroundings(text, tokens)) this.#repairs.add('surrounding-text');
  }
}

/** Returns what a text is in which no document was found. */
function faultOf(text: string): SourceFault | undefined {
  if (isPrivateKey(text)) return { kind: 'private-key' };
  const isKey = /-----BEGIN [A-Z0-9 ]*KEY-----|^ssh-ed25519 AAAA|"kty"\s*:/m.test(text);
  return isKey ? { kind: 'key' } : undefined;
}

/**
 * Tells whether an object is signed, rather than having another kind of signature, such as a mail's or a saved state's.
 * If its signature is incomplete, it must have a member that signed objects have.
 */
function isSigned(object: JsonObject): boolean {
  const { signature } = object;
  if (typeof signature !== 'string') return false;
  if (decodeStrictBase64(signature)?.length === 64) return true;
  const has = (name: string): boolean => name in object;
  return ['payload', ...certificateOnly].some(has) && ![...fieldSlots.keys()].some(has);
}

/** A shorter text in a `license` member is the name of a license, as in a package's manifest: "MIT". */
function isLongEnough(text: string, { slot }: Place): boolean {
  return text.trim() !== '' && (slot?.meant === 'certificate' || text.length >= minTokenLetters);
}

function inside(place: Place, name: string): Place {
  return { ...place, where: place.where === '' ? name : `${place.where}.${name}` };
}
