import { mendText, CUT } from '#core/license/extract/mend-text';
import type { Written } from '#core/license/document/document';
import { decodeSource } from '#core/license/encoding/decode-source';
import { findJson } from '#core/license/extract/find-json';
import type { FoundToken } from '#core/license/extract/find-tokens';
import { findTokens } from '#core/license/extract/find-tokens';
import type { StatedFields } from '#core/license/extract/stated-fields';
import { readStatedFields } from '#core/license/extract/stated-fields';
import type { TextRepair } from '#core/license/extract/repair';
import { RepairTally } from '#core/license/extract/repair-tally';
import type { SourceFault } from '#core/license/encoding/source-fault';
import { FILE_LIMIT_BYTES } from '#core/license/encoding/source-fault';
import type {
  JsonDocument,
  JsonObject,
  JsonOddity,
  JsonValue,
} from '#core/license/encoding/strict-json';
import { isJsonObject, parseStrictJson } from '#core/license/encoding/strict-json';

/** Something that looks like a signed document, not opened yet. */
export interface Artifact {
  readonly written: Written;
  /** It as one text: a compact document, or its JSON. */
  readonly raw: string;
  /** Its place: empty in plain text, else the dotted path in the JSON that holds it. */
  readonly where: string;
  /** What its place says that it is, where it is too damaged to show it itself. */
  readonly meant?: 'license' | 'certificate';
}

export interface FoundArtifacts {
  readonly artifacts: readonly Artifact[];
  readonly stated: StatedFields;
  readonly repairs: readonly TextRepair[];
  /** Why there is nothing, where that is known. Absent together with artifacts: plain text without any. */
  readonly fault?: SourceFault;
}

const NOTHING = { artifacts: [], stated: {}, repairs: [] } as const;

/**
 * The signed documents in a text or in the bytes of a file, wherever they stand in it: bare, wrapped by mail, quoted, in
 * prose, in JSON of any shape. What had to be repaired is told; the same document found twice counts once.
 * @param source several are read as one: a license and its certificate in files of their own
 */
export function findArtifacts(
  source: string | Uint8Array | readonly (string | Uint8Array)[],
): FoundArtifacts {
  if (typeof source !== 'string' && !(source instanceof Uint8Array)) return findInAll(source);
  const decoded = decodeSource(source);
  if (!decoded.ok) return { ...NOTHING, fault: decoded.fault };
  const { text, repairs } = decoded.value;
  const found = new Finder(repairs);
  found.readText(text, '');
  return found.findings(text);
}

function findInAll(sources: readonly (string | Uint8Array)[]): FoundArtifacts {
  const all = sources.map((source) => findArtifacts(source));
  const repairs = new RepairTally();
  for (const one of all) repairs.addAll(one.repairs);
  const artifacts = unique(all.flatMap((one) => one.artifacts));
  const fault = all.find((one) => one.fault !== undefined)?.fault;
  return {
    artifacts,
    stated: Object.assign({}, ...all.map(({ stated }) => stated).toReversed()) as StatedFields,
    repairs: repairs.list(),
    ...(fault !== undefined && artifacts.length === 0 && { fault }),
  };
}

function unique(artifacts: readonly Artifact[]): Artifact[] {
  const seen = new Set<string>();
  return artifacts.filter(({ raw }) => !seen.has(raw) && seen.add(raw));
}

const SLOTS: ReadonlyMap<string, 'license' | 'certificate'> = new Map([
  ['license', 'license'],
  ['activation_certificate', 'certificate'],
]);

/** JSON inside strings of JSON: how often. */
const NESTED = 3;

class Finder {
  readonly #artifacts: Artifact[] = [];
  readonly #repairs = new RepairTally();
  #stated: StatedFields = {};
  #tooDeep = false;

  constructor(repairs: readonly TextRepair[]) {
    this.#repairs.addAll(repairs);
  }

  findings(text: string): FoundArtifacts {
    const artifacts = unique(this.#artifacts);
    const found = { artifacts, stated: this.#stated, repairs: this.#repairs.list() };
    if (artifacts.length > 0) return found;
    if (this.#tooDeep) return { ...found, fault: { kind: 'too-deep' } };
    const isKey = /-----BEGIN [A-Z0-9 ]*KEY-----|^ssh-ed25519 AAAA|"kty"\s*:/m.test(text);
    return isKey ? { ...found, fault: { kind: 'key' } } : found;
  }

  /** @param nested how many strings of JSON this text stood in */
  readText(text: string, where: string, nested = 0): void {
    if (text.length > FILE_LIMIT_BYTES) return;
    const json = text.includes('{') ? findJson(text) : { found: [], tooDeep: false };
    this.#tooDeep ||= json.tooDeep;
    let rest = '';
    let last = 0;
    for (const { document, from, to, repairs } of json.found) {
      this.#repairs.addAll(repairs);
      this.#readJson(document, where, nested);
      rest += `${text.slice(last, from)}${CUT}`;
      last = to;
    }
    this.#readTokens(rest + text.slice(last), where);
  }

  #readTokens(text: string, where: string): void {
    const repairs = new RepairTally();
    const clean = mendText(text, repairs);
    const tokens = findTokens(clean);
    if (tokens.length === 0) return;
    this.#repairs.addAll(repairs.list());
    for (const token of tokens) {
      this.#artifacts.push({ written: token.text, raw: token.text, where });
      tallyToken(clean, token, this.#repairs);
    }
    if (where === '' && hasSurroundings(clean, tokens)) this.#repairs.add('surrounding-text');
  }

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
    const { signature } = object;
    if (typeof signature === 'string') {
      this.#artifacts.push({
        written: { object, oddities },
        raw: JSON.stringify(object),
        where: path,
      });
      return;
    }
    this.#stated = { ...readStatedFields(object), ...this.#stated };
    for (const [name, member] of Object.entries(object)) {
      const before = this.#artifacts.length;
      visit(member, join(path, name));
      const meant = SLOTS.get(name);
      if (meant !== undefined && this.#artifacts.length === before) {
        this.#keepDamaged(member, join(path, name), meant, oddities);
      }
    }
  }

  /** A slot of the spec that holds something unreadable: not the same as an empty slot. */
  #keepDamaged(
    value: JsonValue,
    where: string,
    meant: 'license' | 'certificate',
    oddities: readonly JsonOddity[],
  ): void {
    if (isJsonObject(value)) {
      const raw = JSON.stringify(value);
      this.#artifacts.push({ written: { object: value, oddities }, raw, where, meant });
    } else if (typeof value === 'string' && (value.length >= 40 || meant === 'certificate')) {
      const raw = value.trim();
      if (raw !== '') this.#artifacts.push({ written: raw, raw, where, meant });
    }
  }

  #readString(text: string, path: string, nested: number): void {
    if (text.length < 40) return;
    if (nested >= NESTED || !/^\s*[{[]/.test(text)) {
      this.#readTokens(text, path);
      return;
    }
    const parsed = parseStrictJson(text);
    if (!parsed.ok) return;
    this.#repairs.add('nested-json');
    this.#readJson(parsed.value, path, nested + 1);
  }
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

/** What was between the parts of one token, and right around it. */
function tallyToken(text: string, token: FoundToken, repairs: RepairTally): void {
  const { from, to } = token;
  const span = text.slice(from, to);
  if (span !== token.text) {
    const count = (pattern: RegExp): number => span.match(pattern)?.length ?? 0;
    repairs.add('line-breaks', count(/\r\n?|\n/g));
    repairs.add('mail-quotes', count(/[\r\n][ \t]*>/g));
    repairs.add('spaces', count(/[^\S\r\n]+(?![\s>|])/g));
    repairs.add('padding', count(/=+/g));
    repairs.add('base64-alphabet', count(/[+/]/g));
  }
  const before = text.slice(Math.max(0, from - 40), from);
  const after = text.slice(to, to + 8);
  if (/["'`\u2018-\u201E\u00AB\u00BB<([{]\s*$/.test(before)) repairs.add('quotation-marks');
  if (/\w\s{0,3}[:=]\s*["'`]?$/.test(before)) repairs.add('label');
  if (/^\s*>/.test(before.slice(before.lastIndexOf('\n') + 1))) repairs.add('mail-quotes');
  if (after.startsWith('=')) repairs.add('padding');
}

/** Whether a text says anything beside its tokens: labels, quotes and rules do not count. */
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
