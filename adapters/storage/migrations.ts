import type { Result } from '#core/result';

/** Holds the members of a stored record before anything in it is believed. */
export type Fields = Readonly<Record<string, unknown>>;

/** Turns a record of one version into the next. Must be pure, and total: its input is not judged yet. */
export type MigrationStep = (fields: Fields) => Fields;

/** Leaves a record's members as they are: only its version is new. */
const unchanged: MigrationStep = (fields) => fields;

/**
 * Lists the steps that bring each kind of record up to date. The step at place `n` turns version `n` into `n + 1`; a
 * record that states no version has version 0. Steps are never edited once released: a change of form adds one.
 */
export const migrationSteps = {
  // Version 2 may go through a team's relay.
  connection: [unchanged, unchanged],
  authority: [unchanged],
  // Version 2 may name an expected item.
  site: [unchanged, unchanged],
  'pinned-key': [unchanged],
  // Version 2 may say until when its deletion can be undone.
  job: [unchanged, unchanged],
  row: [unchanged],
  'job-source': [],
  // Version 2 may name the bulk check that an entry is part of.
  // Version 3 may hold the whole code, encrypted.
  'history-entry': [unchanged, unchanged, unchanged],
  listing: [unchanged],
  item: [unchanged],
  preferences: [unchanged],
  // Version 2 has templates about licenses too, in several languages, and a greeting and closing apart from the text.
  'reply-templates': [unchanged, nameSituations],
  team: [unchanged],
  policy: [unchanged],
  'history-settings': [unchanged],
  'latest-moment': [unchanged],
  // Version 2 may hold a second key in an entry, `next`. Version 3 says what each key is bound to.
  secrets: [unchanged, unchanged, nameBindings],
} as const satisfies Readonly<Record<string, readonly MigrationStep[]>>;

export type RecordKind = keyof typeof migrationSteps;

export type StoredReading<T> =
  | { readonly kind: 'readable'; readonly record: T }
  /** A newer version of the program wrote it: it must be left as it is. */
  | { readonly kind: 'newer'; readonly version: number }
  /** @property path the first member that cannot be read, dotted; `$` is the whole record. */
  | { readonly kind: 'unreadable'; readonly path: string };

/** Reads and writes records of one kind in their stored form. */
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

/**
 * Defines how records of one kind are stored.
 * @param steps see `migrationSteps`
 */
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

/** Turns the `origin` of each key of a secrets record into `boundTo`. */
function nameBindings(fields: Fields): Fields {
  const { entries } = fields;
  if (!isFields(entries)) return fields;
  const named = Object.entries(entries).map(([id, entry]) => {
    const next = isFields(entry) ? entry['next'] : undefined;
    const renamed = nameBinding(entry);
    return [id, isFields(next) ? { ...renamed, next: nameBinding(next) } : renamed] as const;
  });
  return { ...fields, entries: Object.fromEntries(named) };
}

/** Turns the `verdict` of each template into its `situation`. The text was whole, and in English unless the agent wrote another. */
function nameSituations(fields: Fields): Fields {
  const { templates } = fields;
  if (!Array.isArray(templates)) return fields;
  const named = templates.map((template: unknown) => {
    if (!isFields(template)) return template;
    const { verdict, ...rest } = template;
    return { ...rest, situation: verdict, language: 'en', whole: true };
  });
  return { ...fields, templates: named };
}

function nameBinding(entry: unknown): Fields {
  if (!isFields(entry)) return {};
  const { origin, ...rest } = entry;
  return { ...rest, boundTo: { origin } };
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
