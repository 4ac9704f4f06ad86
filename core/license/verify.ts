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

/**
 * A license whose signature is valid under a pinned key that may vouch for it. Created only in this file. JSON-safe.
 */
export type VerifiedLicense = License & Vouched & { readonly [verified]: 'license' };

/**
 * A certificate whose signature is valid under a pinned key that may vouch for it. Created only in this file.
 * JSON-safe. Under a key with `products`, a certificate that names none counts only beside a license of one of them:
 * `refuseProduct`.
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
  /** Names that mean the same product, from the ring. */
  readonly productNames?: PinnedKey['productNames'];
  readonly form: SignedForm;
  readonly notes: readonly KeyWarning[];
}

/** Reasons for a warning about a document that is still genuine. */
export type KeyWarning =
  /** The key is limited in time, and the document does not say when it was issued. */
  | 'no-issue-date'
  /** The document names a key id other than the key's. */
  | 'other-key-id'
  /** Until now, this key's documents of this kind were signed or encoded differently. */
  | 'other-form';

/** Why a key under which a signature is valid may still not vouch for the document. */
export const keyRefusals = [
  'key-revoked',
  /** Issued outside the key's window. */
  'outside-validity',
  /** The key is limited in time, and the date of issue is present but cannot be read. */
  'unreadable-issue-date',
  'other-product',
  /** The key is limited to products, and none is named. */
  'no-product',
  'other-authority',
] as const;
export type KeyRefusal = (typeof keyRefusals)[number];

/**
 * Why a document's signature does not count. `key`: the ring's id of the key that the document names or that signed it.
 */
export type SignatureFault =
  /** No key is pinned, so nothing can be verified. */
  | { readonly kind: 'no-keys' }
  /** The document names no key, and every pinned key was tried: changed, damaged, or signed by another key. */
  | { readonly kind: 'no-key-matches'; readonly tried: number }
  /** The document names a key that is not pinned, and no pinned key verifies it. Nothing is known about it. */
  | { readonly kind: 'unknown-key'; readonly keyId: string; readonly tried: number }
  /** Neither the pinned key that the document names nor any other verifies it: changed, damaged or forged. */
  | { readonly kind: 'named-key-fails'; readonly key: string; readonly label: string }
  | {
      readonly kind: KeyRefusal;
      readonly key: string;
      readonly label: string;
      /** Present if the document is outside the key's window. */
      readonly issuedAt?: number;
    };

export interface VerifyContext {
  readonly keys: readonly PinnedKey[];
  /** From `chooseEngine`; create it once and keep it. */
  readonly engine: Ed25519Engine;
  /** The origin of the authority that the document came from, if known. Keys of other authorities are then ignored. */
  readonly authority?: string;
}

/**
 * Verifies a license under the pinned keys.
 *
 * Every key and every signing input is tried, the named key first, then the one that vouched last. If the key may not
 * vouch for it (revoked, outside its window, for another product or authority), that is a fault even though the
 * signature is valid.
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

/**
 * Finds who signed an envelope whose content cannot be read. This does not verify content or create a `Verified…`
 * value.
 */
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
 * Returns why a signer does not vouch for a bundle of this product; `undefined` if it does. A key without a list of
 * products vouches for all of them; a key with a list does not vouch for a bundle without a product.
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
  // Readers disagree about the value of a duplicated name.
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

/**
 * Returns the fault of a signature that no pinned key verifies. Only the failure of the named key shows that the
 * document is false.
 */
function unmatched(keys: readonly PinnedKey[], keyId: string | undefined): SignatureFault {
  if (keyId === undefined) return { kind: 'no-key-matches', tried: keys.length };
  const named = keys.find((key) => isNamedBy(key, keyId));
  return named === undefined
    ? { kind: 'unknown-key', keyId, tried: keys.length }
    : { kind: 'named-key-fails', key: named.id, label: named.label };
}

/**
 * Judges whether a key may vouch for a document. Its window is compared with the document's own date, never with the
 * present.
 */
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
  // A certificate may omit its product, since its license names it.
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

/**
 * Puts the key that the document names first, then the one that vouched last, so that most files need one verification.
 */
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

/** The authority that a pinned key signs for, from the ring. JSON-safe. */
export interface SigningAuthority {
  readonly fingerprint: string;
  readonly kind: PinnedKey['kind'];
  /** The origin that the key is limited to. */
  readonly origin?: string;
  /** The smallest fingerprint among the linked keys, including its own. */
  readonly group: string;
}

export function signingAuthorityOf(key: PinnedKey, ring: readonly PinnedKey[]): SigningAuthority {
  const { fingerprint, kind, authority: origin } = key;
  const group = groupOf(key, ring);
  return omitUndefined({ fingerprint, kind, group, origin });
}

/**
 * Tells whether two documents come from the same authority: the same key signed both, or two keys of the same kind that
 * the ring limits to the same origin or links (a rotation). A link does not join keys limited to different origins.
 */
export function isSameAuthority(a: SigningAuthority, b: SigningAuthority): boolean {
  if (a.kind !== b.kind) return false;
  if (a.fingerprint === b.fingerprint) return true;
  if (a.origin !== undefined && b.origin !== undefined) return a.origin === b.origin;
  return a.group === b.group;
}

/**
 * Follows `sameAuthorityAs` in both directions, among keys of the same kind. A key that has been removed still connects
 * those that refer to it.
 */
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

/** 64 bits of a fingerprint; a shorter prefix could match by chance. */
const minFingerprintDigits = 16;

/**
 * Tells whether a document's key id (`kid`) names this key: by the authority's id for it, or by the beginning of its
 * fingerprint, which many authorities use as the id.
 */
export function isNamedBy({ keyId, fingerprint }: PinnedKey, named: string): boolean {
  if (keyId === named) return true;
  return named.length >= minFingerprintDigits && fingerprint.startsWith(named.toLowerCase());
}
