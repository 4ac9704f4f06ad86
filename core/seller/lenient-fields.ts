import * as v from 'valibot';

import { safeUrl } from '#core/seller/safe-url';
import { amount, asList, flag, isRecord, moment, text } from '#core/seller/wire';

/** Reads optional fields: an unreadable one is left out and named in `unreadable`. */
export interface LenientFields {
  /** Each method returns an empty value (`''`, `[]` or undefined) for an absent or unreadable field. */
  text(name: string): string;
  amount(name: string): number | undefined;
  flag(name: string): boolean | undefined;
  /** Epoch milliseconds. */
  moment(name: string): number | undefined;
  /** Returns a safe http(s) address; an unsafe one counts as absent. */
  link(name: string): string | undefined;
  texts(name: string): readonly string[];
  links(name: string): readonly string[];
  /** Returns a map to text as pairs in the order sent, so that no key of a reply becomes a property name. */
  pairs(name: string): readonly (readonly [name: string, value: string])[];
  /** Returns a reader of the object in a field. */
  within(name: string): LenientFields;
  /** Paths of the unreadable fields so far, such as `price.regular`. */
  readonly unreadable: readonly string[];
}

/**
 * Creates a reader of a record's fields. Accepts the forms that deployments send: `null` or `""` for an absent field, `[]`, `{}`
 * or `""` for an empty list or map, numbers as text.
 * @param path of the record in the reply, for the names in `unreadable`
 * @param unreadable list that the paths are added to
 */
export function lenientFields(
  record: Readonly<Record<string, unknown>>,
  path: readonly string[] = [],
  unreadable: string[] = [],
): LenientFields {
  function read<T>(name: string, reader: (value: unknown) => T | undefined): T | undefined {
    const value = Object.hasOwn(record, name) ? record[name] : undefined;
    if (value === undefined || value === null || value === '') return undefined;
    const readable = reader(value);
    if (readable === undefined) note(name);
    return readable;
  }

  function note(name: string): void {
    unreadable.push([...path, name].join('.'));
  }

  return {
    text: (name) => read(name, by(text)) ?? '',
    amount: (name) => read(name, by(amount)),
    flag: (name) => read(name, by(flag)),
    moment: (name) => read(name, by(moment)),
    link: (name) => {
      const address = read(name, (value) => (typeof value === 'string' ? value : undefined));
      return address === undefined ? undefined : safeUrl(address);
    },
    texts: (name) => {
      const entries = read(name, asList) ?? [];
      const texts = entries.map((entry) => (entry === null ? '' : by(text)(entry)));
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

function by<T>(schema: v.GenericSchema<unknown, T>): (value: unknown) => T | undefined {
  return (value) => {
    const read = v.safeParse(schema, value);
    return read.success ? read.output : undefined;
  };
}

/** Takes an empty list for an empty map, as PHP writes it. */
function asRecord(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (Array.isArray(value)) return value.length === 0 ? {} : undefined;
  return isRecord(value) ? value : undefined;
}
