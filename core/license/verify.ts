import {
  type Certificate,
  type ParsedDocument,
  type License,
  readCommonFields,
} from '#core/license/document/document';
import { type PinnedKey, type SignedForm } from '#core/keys/index';
import { type Ed25519Engine, verifySignature } from '#core/keys/ed25519';
import type { Envelope } from '#core/license/document/envelope';
import { fail, type Result, succeed, omitUndefined } from '#core/result';

declare const verified: unique symbol;

/** Holds a license whose signature holds under a pinned key that may vouch for it. Made in this file alone. JSON-safe. */
export type VerifiedLicense = License & Vouched & { readonly [verified]: 'license' };

/**
 * Holds a certificate whose signature holds under a pinned key that may vouch for it. Made in this file alone. JSON-safe.
 * Under a key with `products`, a certificate that names none counts only beside a license of one of them: `refuseProduct`.
 */
export type VerifiedCertificate = Certificate & Vouched & { readonly [verified]: 'certificate' };

interface Vouched {
  readonly signed: SignedBy;
}

export interface SignedBy {
  /** The key's `id` in the ring. */
  readonly key: string;
  readonly label: string;
  readonly kind: PinnedKey['kind'];
  readonly authority: SigningAuthority;
  /** The only products that the key vouches for. Absent: all. */
  readonly products?: readonly string[];
  /** Names that mean one product, as the ring says. */
  readonly productNames?: PinnedKey['productNames'];
  readonly form: SignedForm;
  readonly notes: readonly KeyWarning[];
}

/** Gives a reason for a warning that leaves the document genuine. */
export type KeyWarning =
  /** The key is limited in time, and the document does not say when it was issued. */
  | 'no-issue-date'
  /** The document names another key id than the key's own. */
  | 'other-key-id'
  /** This key's documents of this kind were signed or encoded otherwise until now. */
  | 'other-form';

/** Tells why a key under which a signature does hold may not vouch for the document. */
export const keyRefusals = [
  'key-revoked',
  /** Issued outside the key's window. */
  'outside-validity',
  /** The key is limited in time, and the date of issue is there and cannot be read. */
  'unreadable-issue-date',
  'other-product',
  /** The key is limited to products, and none is named. */
  'no-product',
  'other-authority',
] as const;
export type KeyRefusal = (typeof keyRefusals)[number];

/** Tells why a document's signature does not count. `key`: the id in the ring of the key that the document names or that signed it. */
export type SignatureFault =
  /** Nothing is pinned, so nothing can be known. */
  | { readonly kind: 'no-keys' }
  /** The document names no key, and every pinned key was tried: changed, damaged, or signed by another key. */
  | { readonly kind: 'no-key-matches'; readonly tried: number }
  /** The document names a key that is not pinned, and it holds under none that is. Nothing is known about it. */
  | { readonly kind: 'unknown-key'; readonly keyId: string; readonly tried: number }
  /** It does not hold under the pinned key that the document names, nor under any other: changed, damaged or false. */
  | { readonly kind: 'named-key-fails'; readonly key: string; readonly label: string }
  | {
      readonly kind: KeyRefusal;
      readonly key: string;
      readonly label: string;
      /** Of a document outside the key's window. */
      readonly issuedAt?: number;
    };

export interface VerifyContext {
  readonly keys: readonly PinnedKey[];
  /** From `chooseEngine`; made once and kept. */
  readonly engine: Ed25519Engine;
  /** The origin of the authority that the document came from, where that is known. Keys of other authorities then do not count. */
  readonly authority?: string;
}

/**
 * Verifies a license under the pinned keys.
 *
 * Every key and every signing input is tried, the named key first, then the one that vouched last. A key that may not vouch
 * for it (revoked, outside its window, for another product or authority) is a fault, even though the signature holds.
 * @returns the license with its signer; a fault says why no key vouches for it
 * @example
 * const parsed = parseLicense(token);
 * const verified = parsed.ok ? await verifyLicense(parsed.value, { keys, engine: await chooseEngine() }) : parsed;
 */
export async function verifyLicense(
  { envelope, content: license }: ParsedDocument<License>,
  context: VerifyContext,
): Promise<Result<VerifiedLicense, SignatureFault>> {
  const signed = await findSigner(envelope, license, context);
  return signed.ok ? succeed({ ...license, signed: signed.value } as VerifiedLicense) : signed;
}

/** Verifies a certificate under the pinned keys, as `verifyLicense` does. */
export async function verifyCertificate(
  { envelope, content: certificate }: ParsedDocument<Certificate>,
  context: VerifyContext,
): Promise<Result<VerifiedCertificate, SignatureFault>> {
  const signed = await findSigner(envelope, certificate, context);
  return signed.ok
    ? succeed({ ...certificate, signed: signed.value } as VerifiedCertificate)
    : signed;
}

/** Finds who signed an envelope whose content cannot be read. This proves no content and makes no `Verified…` value. */
export async function findSignerOf(
  envelope: Envelope,
  kind: 'license' | 'certificate',
  context: VerifyContext,
): Promise<Result<SignedBy, SignatureFault>> {
  return findSigner(
    envelope,
    { ...readCommonFields(envelope.payload.object ?? {}), kind },
    context,
  );
}

/**
 * Tells why a signer does not vouch for a bundle of this product; `undefined` where it does. A key without a list vouches for
 * every product, a key with one for no bundle that names none.
 * @param product the license's, else the certificate's
 */
export function refuseProduct(
  { key, label, products }: SignedBy,
  product: string | undefined,
): SignatureFault | undefined {
  if (products === undefined) return undefined;
  if (product === undefined) return { kind: 'no-product', key, label };
  return products.includes(product) ? undefined : { kind: 'other-product', key, label };
}

/** The claims that decide which key may vouch for a document. */
type Claimed = Pick<License, 'keyId' | 'issuedAt' | 'productSlug' | 'unreadable'> & {
  readonly kind: 'license' | 'certificate';
};

async function findSigner(
  envelope: Envelope,
  document: Claimed,
  context: VerifyContext,
): Promise<Result<SignedBy, SignatureFault>> {
  const { keys, engine } = context;
  if (keys.length === 0) return fail({ kind: 'no-keys' });
  let refusal: SignatureFault | undefined;
  const keyId = document.keyId ?? envelope.keyId;
  // Of a name that stands there twice, readers disagree about the value.
  const isAmbiguous = envelope.payload.oddities.some((oddity) => oddity.endsWith('-name'));
  const unclear = { productSlug: undefined, unreadable: ['issued_at'] } as const;
  const claimed = omitUndefined({ ...document, keyId, ...(isAmbiguous && unclear) });
  const { kind } = document;
  const recent = engine.recent?.get(kind);
  for (const key of inOrder(keys, keyId, recent?.key)) {
    const publicKey = engine.fitKey(key.raw);
    if (publicKey === undefined) continue;
    const likely = key.remembered?.[kind]?.input ?? recent?.input;
    const inputs = likelyFirst(envelope.inputs, ({ input }) => input === likely);
    for (const { input, message } of inputs) {
      const signature = envelope.signature;
      if (await verifySignature({ publicKey, message, signature }, engine)) {
        engine.recent?.set(kind, { key: key.id, input });
        const form = { encoding: envelope.encoding, input };
        const judged = judgeSigner(key, form, claimed, context);
        if (judged.ok) return judged;
        refusal ??= judged.fault;
      }
    }
  }
  return fail(refusal ?? unmatched(keys, keyId));
}

/** Names the fault of a signature that holds under no pinned key. Only the named key's own failure shows a false document. */
function unmatched(keys: readonly PinnedKey[], keyId: string | undefined): SignatureFault {
  if (keyId === undefined) return { kind: 'no-key-matches', tried: keys.length };
  const named = keys.find((key) => isNamedBy(key, keyId));
  return named === undefined
    ? { kind: 'unknown-key', keyId, tried: keys.length }
    : { kind: 'named-key-fails', key: named.id, label: named.label };
}

/** Judges whether a key may vouch for a document. Its window is held against the document's own date, never against now. */
function judgeSigner(
  key: PinnedKey,
  form: SignedForm,
  document: Claimed,
  { keys, authority }: VerifyContext,
): Result<SignedBy, SignatureFault> {
  const named = { key: key.id, label: key.label };
  const { issuedAt, productSlug } = document;
  if (keys.some((other) => other.revoked && other.raw === key.raw)) {
    return fail({ kind: 'key-revoked', ...named });
  }
  if (isLimitedInTime(key) && document.unreadable.includes('issued_at')) {
    return fail({ kind: 'unreadable-issue-date', ...named });
  }
  if (issuedAt !== undefined && !isWithin(issuedAt, key)) {
    return fail({ kind: 'outside-validity', issuedAt, ...named });
  }
  if (![undefined, authority ?? key.authority].includes(key.authority)) {
    return fail({ kind: 'other-authority', ...named });
  }
  const { kind, products, productNames } = key;
  const signed: SignedBy = omitUndefined({
    ...named,
    kind,
    authority: signingAuthorityOf(key, keys),
    form,
    notes: notesOn(key, form, document),
    products,
    productNames,
  });
  // A certificate need not name its product: the license beside it does.
  if (document.kind === 'certificate' && productSlug === undefined) return succeed(signed);
  const refused = refuseProduct(signed, productSlug);
  return refused === undefined ? succeed(signed) : fail(refused);
}

function notesOn(key: PinnedKey, form: SignedForm, document: Claimed): KeyWarning[] {
  const remembered = key.remembered?.[document.kind];
  const notes: readonly (readonly [KeyWarning, boolean])[] = [
    ['no-issue-date', isLimitedInTime(key) && document.issuedAt === undefined],
    [
      'other-key-id',
      key.keyId !== undefined && document.keyId !== undefined && !isNamedBy(key, document.keyId),
    ],
    [
      'other-form',
      remembered !== undefined &&
        (remembered.input !== form.input || remembered.encoding !== form.encoding),
    ],
  ];
  return notes.filter(([, holds]) => holds).map(([note]) => note);
}

function isLimitedInTime({ validFrom, validTo }: PinnedKey): boolean {
  return validFrom !== undefined || validTo !== undefined;
}

function isWithin(issuedAt: number, { validFrom, validTo }: PinnedKey): boolean {
  return issuedAt >= (validFrom ?? -Infinity) && issuedAt <= (validTo ?? Infinity);
}

/** Puts the key that the document names first, then the one that vouched last: most files are then settled by one verification. */
function inOrder(
  keys: readonly PinnedKey[],
  keyId: string | undefined,
  recent: string | undefined,
): readonly PinnedKey[] {
  const likely = likelyFirst(keys, ({ id }) => id === recent);
  return keyId === undefined ? likely : likelyFirst(likely, (key) => isNamedBy(key, keyId));
}

function likelyFirst<T>(all: readonly T[], isLikely: (one: T) => boolean): T[] {
  return [...all.filter(isLikely), ...all.filter((one) => !isLikely(one))];
}

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
  return omitUndefined({ fingerprint, kind, group, origin });
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
