import type { RawReply } from '#core/marketplaces/exchange';
import type { Vault } from '#relay/keys/vault';
import { cacheMs, type SellerCall } from '#relay/rules/seller-call';
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

/** Returns the end of a reply's key, call and an HMAC of the parameter. Before it stand the connection and a name of its API key. */
export function cacheKeyEndOf(
  { vault }: Holder,
  at: { readonly connection: string; readonly call: SellerCall },
  parameter: string,
): string {
  return `${at.call}:${vault.hmac('cache-hmac', `${at.connection} ${at.call} ${parameter}`)}`;
}

/** Encrypts a success for the cache; undefined where the call is not cached. */
export function sealCached(
  { vault }: Holder,
  { cacheKey, call }: { readonly cacheKey: string; readonly call: SellerCall },
  { raw, checkedAt }: SellerAnswer,
): CachedReply | undefined {
  if (cacheMs[call] === 0) return undefined;
  const head = Buffer.from(
    `${JSON.stringify({ status: raw.status, contentType: raw.contentType })}\n`,
  );
  return {
    key: cacheKey,
    storedAt: checkedAt,
    expiresAt: checkedAt + cacheMs[call],
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
