import * as v from 'valibot';

import { type Result, fail, succeed } from '#core/result';

/** A stored record as its members, before anything in it is believed. */
export type Fields = Readonly<Record<string, unknown>>;

/** Turns a record of one version into the next. Must be pure, and total: its input is not judged yet. */
export type MigrationStep = (fields: Fields) => Fields;

/** Leaves a record's members as they are: only its version is new. */
const unchanged: MigrationStep = (fields) => fields;

/**
 * The steps that bring each kind of record up to date. The step at place `n` turns version `n` into `n + 1`; a record
 * that states no version has version 0. Steps are never edited once released: a change of form adds one.
 */
export const migrationSteps = {
  connection: [unchanged],
  authority: [unchanged],
  site: [unchanged],
  'pinned-key': [unchanged],
  job: [unchanged],
  row: [unchanged],
  'history-entry': [unchanged],
  listing: [unchanged],
  item: [unchanged],
  // Version 2 may hold a second key in an entry, `next`.
  secrets: [unchanged, unchanged],
} as const satisfies Readonly<Record<string, readonly MigrationStep[]>>;

export type RecordKind = keyof typeof migrationSteps;

export type StoredReading<T> =
  | { readonly kind: 'readable'; readonly record: T }
  /** A newer version of the program wrote it: it must be left as it is. */
  | { readonly kind: 'newer'; readonly version: number }
  /** @property path the first member that cannot be read, dotted; `$` is the whole record. */
  | { readonly kind: 'unreadable'; readonly path: string };

/** How records of one kind are stored. */
export interface RecordForm<T> {
  /** Reads a stored value of any version. Never throws. */
  read(value: unknown): StoredReading<T>;
  /** Returns the record with its present version, ready to be stored. */
  write<R extends T>(record: R): R & { readonly version: number };
}

/** Parses members of the present version; the fault is the path of the first member that cannot be read. */
export type RecordParser<T> = (fields: Fields) => Result<T, string>;

export function defineForm<T extends object>(
  kind: RecordKind,
  parse: RecordParser<T>,
): RecordForm<T> {
  return defineFormWith(migrationSteps[kind], parse);
}

/** @param steps see `migrationSteps` */
export function defineFormWith<T extends object>(
  steps: readonly MigrationStep[],
  parse: RecordParser<T>,
): RecordForm<T> {
  return {
    read(value) {
      if (!isFields(value)) return { kind: 'unreadable', path: '$' };
      const version = value['version'] ?? 0;
      if (typeof version !== 'number' || !Number.isSafeInteger(version) || version < 0)
        return { kind: 'unreadable', path: 'version' };
      if (version > steps.length) return { kind: 'newer', version };
      const fields = steps.slice(version).reduce<Fields>((before, step) => step(before), value);
      const parsed = parse(fields);
      return parsed.ok
        ? { kind: 'readable', record: parsed.value }
        : { kind: 'unreadable', path: parsed.fault };
    },
    write: (record) => ({ ...record, version: steps.length }),
  };
}

/** Parses with a schema, which drops what it does not know: the version is no part of a record in memory. */
export function parseWith<T>(schema: v.GenericSchema<unknown, T>): RecordParser<T> {
  return (fields) => {
    const read = v.safeParse(schema, fields, { abortEarly: true });
    return read.success ? succeed(read.output) : fail(v.getDotPath(read.issues[0]) ?? '$');
  };
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
