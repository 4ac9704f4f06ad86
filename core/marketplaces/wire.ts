import * as v from 'valibot';
import { isRecord } from '#core/record';
import { safeUrl } from '#core/address/index';
import { parseTimestamp } from '#core/time/index';

// Deployments send decimals as text, booleans as 0 and 1, and an absent field as `null`.

const decimal = /^-?(?:\d+|\d{1,3}(?:,\d{3})+(?=\.))(?:\.\d+)?$/;

function readText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? String(value) : undefined;
}

/** Reads text, or a number as its digits. */
export const text = wire(readText);

/** Reads a purchase code, which may also be a number that is a safe integer. */
export const code = wire((value) => {
  if (typeof value === 'string') return value.trim() === '' ? undefined : value;
  return Number.isSafeInteger(value) ? String(value) : undefined;
});

/** Reads a decimal amount. Refuses `29,00`, which could mean 29 or 2900; accepts `1,234.50`. */
function readAmount(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'string' || value.length > 32) return undefined;
  return decimal.test(value.trim()) ? Number(value.replaceAll(',', '')) : undefined;
}

/** Reads an id: a whole number, or text of at most 16 digits. */
export const identifier = wire((value) => {
  const number = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value;
  return Number.isSafeInteger(number) && Number(number) >= 0 ? Number(number) : undefined;
});

function hundredthOf(cents: number | undefined): number | undefined {
  return cents === undefined ? undefined : cents / 100;
}

/** The forms of a boolean, including 0 and 1 as numbers or text. */
const flags = new Map<unknown, boolean>([
  [true, true],
  [1, true],
  ['1', true],
  ['true', true],
  [false, false],
  [0, false],
  ['0', false],
  ['false', false],
]);

/** The date format of mails and HTTP. */
const mailDate = /^[a-z]{3}, \d.*:\d\d (?:GMT|[+-]\d{4})$/i;

/**
 * Reads a moment as epoch milliseconds: ISO 8601, the mail format, seconds or milliseconds since 1970, or PHP's JSON
 * form of a date, if its time zone is UTC or an offset.
 */
function readMoment(value: unknown): number | undefined {
  const bare = isRecord(value) ? [value['date'], value['timezone']].join('') : value;
  const sent = readText(bare)?.trim() ?? '';
  if (/^\d{10}(?:\d{3})?$/.test(sent)) return Number(sent.padEnd(13, '0'));
  return parseTimestamp(sent, 'day') ?? ((mailDate.test(sent) && Date.parse(sent)) || undefined);
}

/** The dates that databases and frameworks write for an empty date. */
const noDay = /^(?:0000-00-00|1970-01-01)/;

/** Tells whether a field is empty. */
function isUnset(value: unknown): boolean {
  return (value ?? '') === '' || (typeof value === 'string' && noDay.test(value));
}

/** Reads a moment that may be absent; any other value must be readable. */
export const optionalMoment = v.nullish(
  wire((value) => (isUnset(value) ? null : readMoment(value))),
);

/**
 * Returns the entries of a list, or of the object with numeric keys that PHP makes of a list with gaps; undefined for
 * anything else.
 */
export function asList(value: unknown): unknown[] | undefined {
  if (Array.isArray(value)) return value as unknown[];
  if (!isRecord(value)) return undefined;
  return Object.keys(value).every((key) => /^\d+$/.test(key)) ? Object.values(value) : undefined;
}

/** Makes a schema from a function that returns undefined if it cannot read a value. */
function wire<T>(read: (value: unknown) => T | undefined) {
  return v.pipe(
    v.unknown(),
    v.transform(read),
    v.custom<T>((value) => value !== undefined),
  );
}

/**
 * Makes a schema of an object whose `entries` must be readable; `read` makes the value and may use other fields too.
 */
export function objectOf<Entries extends v.ObjectEntries, T>(
  entries: Entries,
  read: (wire: v.InferOutput<v.LooseObjectSchema<Entries, undefined>>) => T,
): v.GenericSchema<unknown, T> {
  return v.pipe(v.looseObject(entries), v.transform(read));
}

/** Reads optional fields: an unreadable one is left out and listed in `unreadable`. */
export interface LenientFields {
  /** Each method returns an empty value (`''`, `[]` or undefined) for an absent or unreadable field. */
  text(name: string): string;
  amount(name: string): number | undefined;
  /** Reads an amount in hundredths. */
  cents(name: string): number | undefined;
  flag(name: string): boolean | undefined;
  /** Epoch milliseconds. */
  moment(name: string): number | undefined;
  /** Returns a safe http(s) address; an unsafe one counts as absent. */
  link(name: string): string | undefined;
  texts(name: string): readonly string[];
  links(name: string): readonly string[];
  /** Returns a map of texts as pairs in the order sent, so that no key of a reply becomes a property name. */
  pairs(name: string): readonly (readonly [name: string, value: string])[];
  /** Returns a reader of the object in a field. */
  within(name: string): LenientFields;
  /** Paths of the unreadable fields so far, such as `price.regular`. */
  readonly unreadable: readonly string[];
}

/**
 * Creates a reader of a record's fields. Accepts the forms that deployments send: `null` or `""` for an absent field,
 * `[]`, `{}` or `""` for an empty list or map, numbers as text.
 * @param path of the record in the reply, for the names in `unreadable`
 * @param unreadable the list to which paths are added
 */
export function lenientFields(
  record: Readonly<Record<string, unknown>>,
  path: readonly string[] = [],
  unreadable: string[] = [],
): LenientFields {
  function read<T>(name: string, reader: (value: unknown) => T | undefined): T | undefined {
    const value = Object.hasOwn(record, name) ? record[name] : undefined;
    if (isUnset(value)) return undefined;
    const readable = reader(value);
    if (readable === undefined) note(name);
    return readable;
  }

  function note(name: string): void {
    unreadable.push([...path, name].join('.'));
  }

  return {
    text: (name) => read(name, readText) ?? '',
    amount: (name) => read(name, readAmount),
    cents: (name) => read(name, (value) => hundredthOf(readAmount(value))),
    flag: (name) => read(name, (value) => flags.get(value)),
    moment: (name) => read(name, readMoment),
    link: (name) => {
      const address = read(name, (value) => (typeof value === 'string' ? value : undefined));
      return address === undefined ? undefined : safeUrl(address);
    },
    texts: (name) => {
      const entries = read(name, asList) ?? [];
      const texts = entries.map((entry) => (entry === null ? '' : readText(entry)));
      if (texts.includes(undefined)) note(name);
      return texts.flatMap((entry) => (entry === undefined || entry === '' ? [] : [entry]));
    },
    links: (name) => {
      const entries = (read(name, asList) ?? []).filter((entry) => entry !== null);
      if (entries.some((entry) => typeof entry !== 'string')) note(name);
      return entries.flatMap((entry) => (typeof entry === 'string' ? (safeUrl(entry) ?? []) : []));
    },
    pairs: (name) => {
      const entries = Object.entries(read(name, asRecord) ?? {}).filter(
        ([, value]) => value !== null,
      );
      if (entries.some(([, value]) => typeof value !== 'string')) note(name);
      return entries.flatMap(([key, value]) => (typeof value === 'string' ? [[key, value]] : []));
    },
    within: (name) => lenientFields(read(name, asRecord) ?? {}, [...path, name], unreadable),
    get unreadable() {
      return unreadable;
    },
  };
}

/** Adds the paths of the unreadable fields, if any. */
export function namingUnreadable<T extends object>(
  read: T,
  { unreadable }: LenientFields,
): T & { readonly unreadable?: readonly string[] } {
  return unreadable.length === 0 ? read : { ...read, unreadable };
}

/** Treats an empty list as an empty map, since PHP writes it so. */
function asRecord(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (Array.isArray(value)) return value.length === 0 ? {} : undefined;
  return isRecord(value) ? value : undefined;
}
