import type { RawReply } from '#core/marketplaces/exchange';
import type { Question } from '#core/marketplaces/marketplace';
import type { Vault } from '#relay/keys/vault';
import type { CachedReply, ServingStore } from '#relay/store/store';

/** Holds a seller's answer, whatever it says, and when it was given. */
export interface SellerAnswer {
  readonly raw: RawReply;
  /** Epoch milliseconds. */
  readonly checkedAt: number;
}

interface Holder {
  readonly vault: Vault;
}

/**
 * Limits the size of a reply that is read and kept, in bytes. A larger one would take a statement longer than its group
 * may wait.
 */
export const maxKeptBytes = 1024 * 1024;

/**
 * Says how long a success is answered from the cache, in milliseconds; 0 for the account, which vouches for the key at
 * this moment.
 */
export const cacheMs: Readonly<Record<Question, number>> = {
  account: 0,
  items: 3_600_000,
  item: 3_600_000,
  validation: 300_000,
};

/** Returns the end of a reply's key, an HMAC of what is asked. Before it stand the connection and a name of its API key. */
export function cacheKeyEndOf(
  { vault }: Holder,
  asked: { readonly connection: string; readonly path: string; readonly values: readonly string[] },
): string {
  return vault.hmac('cache-hmac', JSON.stringify([asked.connection, asked.path, ...asked.values]));
}

/** Encrypts a success for the cache; undefined where the call is not cached. */
export function sealCached(
  { vault }: Holder,
  cacheKey: string,
  asked: Question,
  { raw, checkedAt }: SellerAnswer,
): CachedReply | undefined {
  if (cacheMs[asked] === 0) return undefined;
  const head = Buffer.from(
    `${JSON.stringify({ status: raw.status, contentType: raw.contentType })}\n`,
  );
  return {
    key: cacheKey,
    storedAt: checkedAt,
    expiresAt: checkedAt + cacheMs[asked],
    sealed: vault.sealReply(cacheKey, Buffer.concat([head, raw.body])),
  };
}

/** Finds a reply that has not expired; one that does not decrypt counts as absent. */
export async function findCachedReply(
  { store, vault }: Holder & { readonly store: ServingStore },
  cacheKey: string,
): Promise<SellerAnswer | undefined> {
  const cached = await store.findCached(cacheKey);
  return cached && openCached({ vault }, cached);
}

/** Decrypts a reply; undefined where it does not decrypt. */
export function openCached({ vault }: Holder, cached: CachedReply): SellerAnswer | undefined {
  const plain = vault.openReply(cached.key, cached.sealed);
  if (plain === undefined) return undefined;
  const end = plain.indexOf(0x0a);
  const head = JSON.parse(Buffer.from(plain.subarray(0, end)).toString()) as {
    readonly status: number;
    readonly contentType: string;
  };
  return { raw: { ...head, body: plain.subarray(end + 1) }, checkedAt: cached.storedAt };
}
