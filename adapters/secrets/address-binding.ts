import { type SecretBinding, open, seal } from '#adapters/secrets/crypto';
import {
  type BoundKey,
  type SecretEntry,
  type SecretRecord,
  writeSecretRecord,
} from '#adapters/secrets/record';
import { type WatchedPlaces, wrappingKeyOf } from '#adapters/secrets/wrapping';

/** Tells whether a key is bound to exactly this base address. */
export function isBoundTo({ boundTo }: BoundKey, baseAddress: string): boolean {
  return 'baseAddress' in boundTo && boundTo.baseAddress === baseAddress;
}

/** Finds the key of an address; one that is still bound to its origin may be it. */
export function findKeyOf(
  entry: SecretEntry | undefined,
  baseAddress: string,
): BoundKey | undefined {
  const keys = [entry, entry?.next].filter((key) => key !== undefined);
  const { origin } = new URL(baseAddress);
  return (
    keys.find((key) => isBoundTo(key, baseAddress)) ??
    keys.find(({ boundTo }) => 'origin' in boundTo && boundTo.origin === origin)
  );
}

/**
 * Seals keys that earlier versions bound to an origin anew, bound to the base address of their connection, as soon as
 * they can be opened. A key that cannot be opened, or whose connection is not there, stays as it is.
 *
 * It is one write: stopped anywhere, the record before it or the one after it is there.
 */
export async function bindToAddresses(
  places: WatchedPlaces,
  record: SecretRecord,
): Promise<SecretRecord> {
  if (!Object.values(record.entries).some(isBoundToOrigin)) return record;
  const key = await wrappingKeyOf(places, record);
  if (key === 'locked') return record;
  const addresses = await places.baseAddresses();
  const bound: SecretRecord['entries'] = {};
  for (const [connectionId, entry] of Object.entries(record.entries)) {
    const baseAddress = addresses.get(connectionId);
    if (baseAddress === undefined || !isBoundToOrigin(entry)) continue;
    const anew = await bindEntry(key, { connectionId, baseAddress }, entry);
    if (anew !== undefined) bound[connectionId] = anew;
  }
  if (Object.keys(bound).length === 0) return record;
  const next = { ...record, entries: { ...record.entries, ...bound } };
  // On a full disk the next use tries again.
  await writeSecretRecord(places.local, next).catch(() => undefined);
  return next;
}

function isBoundToOrigin({ boundTo, next }: SecretEntry): boolean {
  return [boundTo, next?.boundTo].some((one) => one !== undefined && 'origin' in one);
}

/** Returns the key of the connection's present address alone; undefined when it cannot be opened. */
async function bindEntry(
  key: CryptoKey | 'lost',
  binding: SecretBinding,
  entry: SecretEntry,
): Promise<BoundKey | undefined> {
  const { connectionId, baseAddress } = binding;
  const present = findKeyOf(entry, baseAddress);
  if (present === undefined) return undefined;
  const { boundTo, sealed } = present;
  if ('baseAddress' in boundTo) return { boundTo, ...(sealed && { sealed }) };
  if (sealed === undefined) return { boundTo: { baseAddress } };
  const apiKey = key === 'lost' ? undefined : await open(key, { connectionId, ...boundTo }, sealed);
  if (key === 'lost' || apiKey === undefined) return undefined;
  return { boundTo: { baseAddress }, sealed: await seal(key, binding, apiKey) };
}
