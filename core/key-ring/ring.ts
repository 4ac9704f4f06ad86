import type { Encoding, PinnedKey, SignedForm, SigningInput } from '#core/keys/index';
import type { Result } from '#core/result';

/** The members of a pinned key that an agent may change; never the key itself or its fingerprint. */
export type KeyChanges = Partial<
  Pick<
    PinnedKey,
    | 'label'
    | 'keyId'
    | 'validFrom'
    | 'validTo'
    | 'kind'
    | 'revoked'
    | 'authority'
    | 'sameAuthorityAs'
    | 'products'
    | 'productNames'
  >
>;

/** The fields that change; `undefined` takes a field away. */
export type ChangedFields = { readonly [Field in keyof KeyChanges]: KeyChanges[Field] | undefined };

/**
 * Reads pinned keys from untrusted data. Leaves out records that are incomplete, or whose validity, authority or
 * products cannot be read. Does not check that the bytes are a valid key.
 */
export function readRing(data: unknown): PinnedKey[] {
  return Array.isArray(data) ? data.flatMap((record) => readPinnedKey(record) ?? []) : [];
}

function readPinnedKey(record: unknown): PinnedKey | undefined {
  if (typeof record !== 'object' || record === null) return undefined;
  const fields = record as Partial<Record<keyof PinnedKey, unknown>>;
  const raw = digits(fields.raw);
  const fingerprint = digits(fields.fingerprint);
  if (raw === undefined || fingerprint === undefined) return undefined;
  const read = readFields(fields, optionalFields);
  // If one of its limits were dropped, a key would be trusted for more than it should be.
  if (limits.some((name) => (fields[name] ?? '') !== '' && !(name in read))) return undefined;
  return {
    id: text(fields.id) ?? fingerprint,
    label: text(fields.label) ?? '',
    raw,
    fingerprint,
    // Unreadable values take the safer meaning: revoked, and test.
    revoked: fields.revoked !== false,
    kind: kinds.find((kind) => kind === fields.kind) ?? 'test',
    ...read,
  };
}

/**
 * Adds a key to a ring, or updates it. An existing key keeps its id and remembered forms, and stays revoked: only
 * `changeKey` can reinstate it. A key that the policy pins can only be revoked, not changed otherwise.
 */
export function putKey(ring: readonly PinnedKey[], key: PinnedKey): PinnedKey[] {
  const at = ring.findIndex(({ raw }) => raw === key.raw);
  const present = ring[at];
  if (present === undefined) return [...ring, key];
  const { remembered, byPolicy } = present;
  return ring.with(at, {
    ...(byPolicy ? present : key),
    id: present.id,
    revoked: present.revoked || key.revoked,
    ...(remembered !== undefined && { remembered }),
  });
}

/** Changes one key of a ring, unless the policy pins it. A field set to `undefined` is removed. */
export function changeKey(
  ring: readonly PinnedKey[],
  id: string,
  changes: ChangedFields,
): PinnedKey[] {
  return ring.map((key) =>
    key.id === id && !key.byPolicy
      ? (readPinnedKey(dropUndefined({ ...key, ...changes })) ?? key)
      : key,
  );
}

/** Remembers how a key signs documents of one kind. A form that is already remembered stays. */
export function rememberForm(
  ring: readonly PinnedKey[],
  fingerprint: string,
  kind: 'license' | 'certificate',
  form: SignedForm,
): PinnedKey[] {
  return ring.map((key) =>
    key.fingerprint === fingerprint && key.remembered?.[kind] === undefined
      ? { ...key, remembered: { ...key.remembered, [kind]: form } }
      : key,
  );
}

const kinds: readonly PinnedKey['kind'][] = ['live', 'unstated'];
/** Limits the names of a product, and the number of products with several names. */
const maxNames = 100;
const encodings: readonly Encoding[] = ['token', 'jws', 'pair', 'member'];
const inputs: readonly SigningInput[] = ['payload', 'segment', 'jws', 'canonical'];

const formFields = { license: readForm, certificate: readForm };

function readRemembered(value: unknown): PinnedKey['remembered'] {
  if (typeof value !== 'object' || value === null) return undefined;
  return readFields(value, formFields);
}

function readForm(value: unknown): SignedForm | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const fields = value as Partial<Record<keyof SignedForm, unknown>>;
  const encoding = encodings.find((name) => name === fields.encoding);
  const input = inputs.find((name) => name === fields.input);
  return encoding && input ? { encoding, input } : undefined;
}

function slugs(value: unknown): string[] | undefined {
  return Array.isArray(value)
    ? value.filter((slug): slug is string => typeof slug === 'string')
    : undefined;
}

function nameGroups(value: unknown): string[][] | undefined {
  if (!Array.isArray(value)) return undefined;
  const groups = value.flatMap((names) => {
    const read = slugs(names) ?? [];
    return read.length > 1 ? [read.slice(0, maxNames)] : [];
  });
  return groups.length > 0 ? groups.slice(0, maxNames) : undefined;
}

function digits(value: unknown): string | undefined {
  return typeof value === 'string' && /^[0-9a-f]{64}$/.test(value) ? value : undefined;
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value.slice(0, 200) : undefined;
}

function moment(value: unknown): number | undefined {
  return typeof value === 'number' && Math.abs(value) <= 8.64e15 ? value : undefined;
}

const isTrue = (value: unknown): true | undefined => value === true || undefined;

const optionalFields = {
  keyId: text,
  validFrom: moment,
  validTo: moment,
  authority: text,
  sameAuthorityAs: digits,
  products: slugs,
  productNames: nameGroups,
  byPolicy: isTrue,
  wasOwn: isTrue,
  remembered: readRemembered,
};
const limits = ['validFrom', 'validTo', 'authority', 'products'] as const;

type Readers = Readonly<Record<string, (value: unknown) => unknown>>;
type ReadFields<R extends Readers> = {
  -readonly [Name in keyof R]?: NonNullable<ReturnType<R[Name]>>;
};

/** Reads each of these fields, leaving out those that are absent or unreadable. */
function readFields<R extends Readers>(record: object, readers: R): ReadFields<R> {
  const fields = record as Partial<Record<string, unknown>>;
  const read = Object.entries(readers).map(([name, reader]) => [name, reader(fields[name])]);
  return dropUndefined(Object.fromEntries(read) as ReadFields<R>);
}

/** Copies a record without the fields that are `undefined`. */
function dropUndefined<T extends object>(record: T): T {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as T;
}

/** A file of public keys to share. It says nothing about documents. */
export interface KeyFile {
  readonly format: 'counterfoil-keys';
  readonly version: 1;
  readonly keys: readonly Omit<PinnedKey, 'remembered' | 'byPolicy' | 'wasOwn'>[];
}

export function exportRing(ring: readonly PinnedKey[]): KeyFile {
  return {
    format: 'counterfoil-keys',
    version: 1,
    keys: ring.map(withoutMemory),
  };
}

/**
 * Reads at most 1,000 keys of a key file. The caller must validate each key and have its fingerprint confirmed. A key
 * without `revoked` is not revoked.
 * @returns undefined if the data is not a key file
 */
export function readKeyFile(data: unknown): PinnedKey[] | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  const { format, version, keys } = data as Record<string, unknown>;
  if (format !== 'counterfoil-keys' || version !== 1 || !Array.isArray(keys)) return undefined;
  const records = keys.slice(0, 1000).map((record: unknown) => ({
    revoked: false,
    ...(record as object),
  }));
  return readRing(records).map(withoutMemory);
}

/** Leaves out what is only valid in this browser. */
function withoutMemory(key: PinnedKey): KeyFile['keys'][number] {
  return dropUndefined({ ...key, remembered: undefined, byPolicy: undefined, wasOwn: undefined });
}

/** Returns the name to show for a key: its label, else its key id, else the beginning of its fingerprint. */
export function keyName({ label, keyId, fingerprint }: PinnedKey): string {
  if (label !== '') return label;
  return keyId ?? fingerprint.slice(0, 8).replace(/.{4}/, '$& ').toUpperCase();
}

/** Stored keys that are not in the ring because this version of the program cannot read them. */
export interface UnusedKeys {
  /** How many cannot be read. */
  readonly unreadable: number;
  /** Whether a newer version of the program wrote any. */
  readonly newer: boolean;
}

/** Stores the pinned keys of this browser profile. They are read again at each use. */
export interface KeyRingPort {
  read(): Promise<PinnedKey[]>;
  change(
    change: (ring: readonly PinnedKey[]) => readonly PinnedKey[],
  ): Promise<Result<PinnedKey[], { readonly kind: 'not-stored' }>>;
  unused(): Promise<UnusedKeys>;
  /** Removes the keys that cannot be read. */
  removeUnreadable(): Promise<void>;
  watch(changed: () => void): () => void;
}
