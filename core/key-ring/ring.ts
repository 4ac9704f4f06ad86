import type { Encoding, PinnedKey, SignedForm, SigningInput } from '#core/license/keys/pinned-key';

/** What an agent may change of a pinned key. The key itself and its fingerprint never change. */
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
  >
>;

/**
 * Reads pinned keys from unknown data, as it was in storage or in a file. A record that is not whole is left out; whether its
 * bytes are a fit key is judged by whoever verifies with it.
 */
export function readRing(kept: unknown): PinnedKey[] {
  return Array.isArray(kept)
    ? kept.map(readPinnedKey).filter((key): key is PinnedKey => key !== undefined)
    : [];
}

function readPinnedKey(record: unknown): PinnedKey | undefined {
  if (typeof record !== 'object' || record === null) return undefined;
  const fields = record as Partial<Record<keyof PinnedKey, unknown>>;
  const raw = digits(fields.raw);
  const fingerprint = digits(fields.fingerprint);
  if (raw === undefined || fingerprint === undefined) return undefined;
  const products = fields.products;
  const remembered = readRemembered(fields.remembered);
  return {
    id: text(fields.id) ?? fingerprint,
    label: text(fields.label) ?? '',
    raw,
    fingerprint,
    // Whatever is not plainly "not revoked" counts as revoked, and what is not plainly live as test.
    revoked: fields.revoked !== false,
    kind: fields.kind === 'live' ? 'live' : 'test',
    ...present('keyId', text(fields.keyId)),
    ...present('validFrom', moment(fields.validFrom)),
    ...present('validTo', moment(fields.validTo)),
    ...present('authority', text(fields.authority)),
    ...present('sameAuthorityAs', digits(fields.sameAuthorityAs)),
    ...present(
      'products',
      Array.isArray(products)
        ? products.filter((slug): slug is string => typeof slug === 'string')
        : undefined,
    ),
    ...present('remembered', remembered),
  };
}

/**
 * Puts one key into a ring. A key that is there already keeps its id and what is remembered of it, takes the rest, and stays
 * revoked: only the agent's own hand, never a file, makes a revoked key good again.
 */
export function putKey(ring: readonly PinnedKey[], key: PinnedKey): PinnedKey[] {
  const at = ring.findIndex(({ raw }) => raw === key.raw);
  const present = ring[at];
  if (present === undefined) return [...ring, key];
  const { remembered } = present;
  return ring.with(at, {
    ...key,
    id: present.id,
    revoked: present.revoked || key.revoked,
    ...(remembered !== undefined && { remembered }),
  });
}

/** Changes one key, as the agent asked. A field set to `undefined` is taken away. */
export function changeKey(
  ring: readonly PinnedKey[],
  id: string,
  changes: { readonly [Field in keyof KeyChanges]: KeyChanges[Field] | undefined },
): PinnedKey[] {
  return ring.map((key) =>
    key.id === id ? (readPinnedKey(dropUndefined({ ...key, ...changes })) ?? key) : key,
  );
}

/** Remembers how a key's documents are signed, from the first document on. A later form does not overwrite it. */
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

const encodings: readonly Encoding[] = ['token', 'jws', 'pair', 'member'];
const inputs: readonly SigningInput[] = ['payload', 'segment', 'jws', 'canonical'];

function readRemembered(value: unknown): PinnedKey['remembered'] {
  if (typeof value !== 'object' || value === null) return undefined;
  const fields = value as Partial<Record<'license' | 'certificate', unknown>>;
  return {
    ...present('license', readForm(fields.license)),
    ...present('certificate', readForm(fields.certificate)),
  };
}

function readForm(value: unknown): SignedForm | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const fields = value as Partial<Record<keyof SignedForm, unknown>>;
  const encoding = encodings.find((name) => name === fields.encoding);
  const input = inputs.find((name) => name === fields.input);
  return encoding && input ? { encoding, input } : undefined;
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

function present<Name extends string, Value>(
  name: Name,
  value: Value | undefined,
): Partial<Record<Name, Value>> {
  return value === undefined ? {} : ({ [name]: value } as Record<Name, Value>);
}

function dropUndefined<T extends object>(record: T): T {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as T;
}
