import type { PinnedKey } from '#core/license/keys/pinned-key';

/** Tells whom a pinned key signs for, as the ring says. JSON-safe. */
export interface SigningAuthority {
  readonly fingerprint: string;
  readonly kind: PinnedKey['kind'];
  /** The origin that the key is tied to. */
  readonly origin?: string;
  /** The least fingerprint among the keys that are linked to it, its own included. */
  readonly group: string;
}

export function signingAuthorityOf(key: PinnedKey, ring: readonly PinnedKey[]): SigningAuthority {
  const { fingerprint, kind, authority: origin } = key;
  const group = groupOf(key, ring);
  return { fingerprint, kind, group, ...(origin !== undefined && { origin }) };
}

/**
 * Tells whether two documents come from one authority: the same key signed both, or two keys of the same kind that the ring
 * ties to the same origin or links (a rotation). A link does not join keys that are tied to different origins.
 */
export function isSameAuthority(a: SigningAuthority, b: SigningAuthority): boolean {
  if (a.kind !== b.kind) return false;
  if (a.fingerprint === b.fingerprint) return true;
  if (a.origin !== undefined && b.origin !== undefined) return a.origin === b.origin;
  return a.group === b.group;
}

/** Follows `sameAuthorityAs` both ways, among keys of one kind. A key that was removed since still joins those beside it. */
function groupOf({ fingerprint, kind }: PinnedKey, ring: readonly PinnedKey[]): string {
  const links = ring.flatMap((key) =>
    key.kind === kind && key.sameAuthorityAs !== undefined
      ? [[key.fingerprint, key.sameAuthorityAs] as const]
      : [],
  );
  const group = new Set([fingerprint]);
  for (let size = 0; size < group.size;) {
    size = group.size;
    for (const [one, other] of links) {
      if (group.has(one) || group.has(other)) group.add(one).add(other);
    }
  }
  return [...group].sort()[0] ?? fingerprint;
}

/** 64 bits of a fingerprint: what is shorter could be met by chance. */
const minFingerprintDigits = 16;

/**
 * Tells whether a document's key id (`kid`) names this key: by the authority's id for it, or by the beginning of its
 * fingerprint, which many authorities use as the id.
 */
export function isNamedBy({ keyId, fingerprint }: PinnedKey, named: string): boolean {
  if (keyId === named) return true;
  return named.length >= minFingerprintDigits && fingerprint.startsWith(named.toLowerCase());
}
