import type { AuthorityProfile } from '#core/license/document/authority-profile';
import type { Certificate } from '#core/license/document/certificate';
import type { ParsedCertificate, ParsedLicense } from '#core/license/document/document';
import type { Ed25519Engine } from '#core/license/signature/ed25519';
import { verifySignature } from '#core/license/signature/ed25519';
import type { Envelope } from '#core/license/document/envelope';
import type { License } from '#core/license/document/license';
import type { Encoding, PinnedKey, SignedForm, SigningInput } from '#core/license/keys/pinned-key';
import type { Result } from '#core/result';
import { fail, succeed } from '#core/result';

declare const verified: unique symbol;

/** A license whose signature holds under a pinned key that may vouch for it. Made in this file alone. JSON-safe. */
export type VerifiedLicense = License & Vouched & { readonly [verified]: 'license' };

/** A certificate whose signature holds under a pinned key that may vouch for it. Made in this file alone. JSON-safe. */
export type VerifiedCertificate = Certificate & Vouched & { readonly [verified]: 'certificate' };

interface Vouched {
  readonly signed: SignedBy;
}

/** Under which key, and how, a document was found to be signed. */
export interface SignedBy {
  /** The key's `id` in the ring. */
  readonly key: string;
  readonly label: string;
  readonly kind: 'live' | 'test';
  readonly form: SignedForm;
  readonly notes: readonly KeyWarning[];
}

/** What is worth a warning and does not take the key's word away. */
export type KeyWarning =
  /** The key is limited in time, and the document does not say when it was issued. */
  | 'no-issue-date'
  /** The key is limited to products, and the document names none. */
  | 'no-product'
  /** The document names another key id than the key's own. */
  | 'other-key-id'
  /** This key's documents of this kind were signed or encoded otherwise until now. */
  | 'other-form';

/** `key`: the id in the ring of the key under which the signature does hold. */
export type SignatureFault =
  /** Nothing is pinned, so nothing can be known. */
  | { readonly kind: 'no-keys' }
  /** Tampered with, damaged, or signed by a key that is not pinned: these look the same. `tried`: how many keys. */
  | { readonly kind: 'no-key-matches'; readonly tried: number }
  | { readonly kind: 'key-revoked'; readonly key: string; readonly label: string }
  /** Issued outside the key's window. */
  | {
      readonly kind: 'outside-validity';
      readonly key: string;
      readonly label: string;
      readonly issuedAt: number;
    }
  | { readonly kind: 'other-product'; readonly key: string; readonly label: string }
  | { readonly kind: 'other-authority'; readonly key: string; readonly label: string }
  /** The authority's profile allows another signing input or encoding only. */
  | {
      readonly kind: 'form-not-allowed';
      readonly key: string;
      readonly label: string;
      readonly form: SignedForm;
    };

export interface VerifyContext {
  readonly keys: readonly PinnedKey[];
  /** From `chooseEngine`; made once and kept. */
  readonly engine: Ed25519Engine;
  readonly profile?: AuthorityProfile;
  /** The origin of the authority that the document came from, where that is known. Keys of other authorities then do not count. */
  readonly authority?: string;
}

export async function verifyLicense(
  { envelope, license }: ParsedLicense,
  context: VerifyContext,
): Promise<Result<VerifiedLicense, SignatureFault>> {
  const signed = await findSigner(envelope, license, context);
  return signed.ok ? succeed({ ...license, signed: signed.value } as VerifiedLicense) : signed;
}

export async function verifyCertificate(
  { envelope, certificate }: ParsedCertificate,
  context: VerifyContext,
): Promise<Result<VerifiedCertificate, SignatureFault>> {
  const signed = await findSigner(envelope, certificate, context);
  return signed.ok
    ? succeed({ ...certificate, signed: signed.value } as VerifiedCertificate)
    : signed;
}

/**
 * Who signed an envelope whose content cannot be read: worth knowing, and no proof of any content. What follows from it is
 * never a `Verified…` value.
 */
export async function findSignerOf(
  envelope: Envelope,
  kind: 'license' | 'certificate',
  context: VerifyContext,
): Promise<Result<SignedBy, SignatureFault>> {
  return findSigner(envelope, { kind }, context);
}

/** What of a document decides which key may vouch for it. */
type Claimed = Pick<License, 'keyId' | 'issuedAt' | 'productSlug'> & {
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
  for (const key of inOrder(keys, document.keyId)) {
    const publicKey = engine.fitKey(key.raw);
    if (publicKey === undefined) continue;
    const remembered = key.remembered?.[document.kind]?.input;
    for (const { input, message } of likelyFirst(envelope.inputs, remembered)) {
      const signature = envelope.signature;
      if (await verifySignature({ publicKey, message, signature }, engine)) {
        const form = { encoding: envelope.encoding, input };
        const judged = judgeSigner(key, form, document, context);
        if (judged.ok) return judged;
        refusal ??= judged.fault;
      }
    }
  }
  return fail(refusal ?? { kind: 'no-key-matches', tried: keys.length });
}

/** Whether the key may vouch for this document. Its window is held against the document's own date, never against now. */
function judgeSigner(
  key: PinnedKey,
  form: SignedForm,
  document: Claimed,
  { keys, profile, authority }: VerifyContext,
): Result<SignedBy, SignatureFault> {
  const named = { key: key.id, label: key.label };
  const { issuedAt, productSlug } = document;
  if (keys.some((other) => other.revoked && other.raw === key.raw)) {
    return fail({ kind: 'key-revoked', ...named });
  }
  if (issuedAt !== undefined && !isWithin(issuedAt, key)) {
    return fail({ kind: 'outside-validity', issuedAt, ...named });
  }
  if (productSlug !== undefined && key.products?.includes(productSlug) === false) {
    return fail({ kind: 'other-product', ...named });
  }
  if (![undefined, authority ?? key.authority].includes(key.authority)) {
    return fail({ kind: 'other-authority', ...named });
  }
  if (!isAllowed(form, document, profile)) {
    return fail({ kind: 'form-not-allowed', form, ...named });
  }
  return succeed({ ...named, kind: key.kind, form, notes: notesOn(key, form, document) });
}

function notesOn(key: PinnedKey, form: SignedForm, document: Claimed): KeyWarning[] {
  const limited = key.validFrom !== undefined || key.validTo !== undefined;
  const remembered = key.remembered?.[document.kind];
  const notes: readonly (readonly [KeyWarning, boolean])[] = [
    ['no-issue-date', limited && document.issuedAt === undefined],
    ['no-product', key.products !== undefined && document.productSlug === undefined],
    [
      'other-key-id',
      key.keyId !== undefined && document.keyId !== undefined && key.keyId !== document.keyId,
    ],
    [
      'other-form',
      remembered !== undefined &&
        (remembered.input !== form.input || remembered.encoding !== form.encoding),
    ],
  ];
  return notes.filter(([, holds]) => holds).map(([note]) => note);
}

function isWithin(issuedAt: number, { validFrom, validTo }: PinnedKey): boolean {
  return issuedAt >= (validFrom ?? -Infinity) && issuedAt <= (validTo ?? Infinity);
}

/** An encoding is pinned for certificates alone: licenses have but one. A pinned payload or segment leaves the other encodings' own inputs alone. */
function isAllowed(
  form: SignedForm,
  document: Claimed,
  profile: AuthorityProfile | undefined,
): boolean {
  const encoding: Encoding | undefined =
    document.kind === 'certificate' ? profile?.encoding : undefined;
  if (encoding !== undefined && encoding !== form.encoding) return false;
  const input: SigningInput | undefined = profile?.input;
  const chosen = form.input === 'payload' || form.input === 'segment';
  return input === undefined || !chosen || input === form.input;
}

/** The key that the document names comes first: most files are then settled by one verification. */
function inOrder(keys: readonly PinnedKey[], keyId: string | undefined): readonly PinnedKey[] {
  if (keyId === undefined || keys.length < 2) return keys;
  const named = keys.filter((key) => key.keyId === keyId);
  return [...named, ...keys.filter((key) => key.keyId !== keyId)];
}

function likelyFirst(
  inputs: Envelope['inputs'],
  input: SigningInput | undefined,
): Envelope['inputs'] {
  if (input === undefined || inputs.length < 2) return inputs;
  return [
    ...inputs.filter((candidate) => candidate.input === input),
    ...inputs.filter((candidate) => candidate.input !== input),
  ];
}
