import {
  type Envelope,
  type EnvelopeFault,
  openCompact,
  openSignedObject,
} from '#core/license/document/envelope';
import type { JsonObject, JsonOddity, JsonValue } from '#core/encoding/index';
import { fail, type Result, succeed, omitUndefined } from '#core/result';
import { type MomentFault, readMoment } from '#core/time/index';

/** Limits a license token, in characters. */
export const licenseLimitBytes = 16 * 1024;
const certificateLimitBytes = 64 * 1024;

/** The content of a license or a certificate, and the envelope that it was read from. Not verified. */
export interface ParsedDocument<Content> {
  readonly envelope: Envelope;
  readonly content: Content;
}

export interface TooLarge {
  readonly kind: 'too-large';
  readonly limitBytes: number;
}

export type LicenseParseFault = LicenseFault | EnvelopeFault | TooLarge;
export type CertificateParseFault = CertificateFault | EnvelopeFault | TooLarge;

/** One signed document as written in a text: compact, or a JSON object with the oddities of the JSON around it. */
export type Written =
  | string
  | { readonly object: JsonObject; readonly oddities: readonly JsonOddity[] };

/**
 * A document by its kind. `envelope` is present if the document could be opened; its signature can then be checked even
 * if its content cannot be read.
 */
export type DocumentOfKind =
  | {
      readonly kind: 'license';
      readonly document: Result<ParsedDocument<License>, LicenseParseFault>;
      readonly envelope?: Envelope;
    }
  | {
      readonly kind: 'certificate';
      readonly document: Result<ParsedDocument<Certificate>, CertificateParseFault>;
      readonly envelope?: Envelope;
    };

/**
 * Parses a license token, `<payload>.<signature>` without anything around it (spec section 2), and verifies nothing.
 *
 * A payload with a field of certificates is refused, and so is one that is itself a signing input.
 * @param token at most 16 KiB; a longer one is the fault `too-large`
 * @example
 * const parsed = parseLicense(token);
 * if (parsed.ok) console.log(parsed.value.content.productSlug);
 */
export function parseLicense(token: string): Result<ParsedDocument<License>, LicenseParseFault> {
  if (token.length > licenseLimitBytes) return tooLarge(licenseLimitBytes);
  const opened = openCompact(token);
  return opened.ok ? licenseOf(opened.value) : opened;
}

/**
 * Parses an activation certificate in any of the four encodings (see `Encoding`), and verifies nothing.
 * @param written at most 64 KiB; a longer one is the fault `too-large`
 */
export function parseCertificate(
  written: Written,
): Result<ParsedDocument<Certificate>, CertificateParseFault> {
  const opened = open(written);
  return opened.ok ? certificateOf(opened.value) : opened;
}

/**
 * Parses a document of unknown kind and classifies it by its fields, or checks that it is what its place is for.
 *
 * If it cannot be opened, it counts as what its place is for, or else by its shape: two segments are a license,
 * anything else is a certificate.
 * @param meant what the place where it was found is for; a document of the other kind is then a fault
 */
export function parseDocument(written: Written, meant?: 'license' | 'certificate'): DocumentOfKind {
  const opened = open(written);
  if (!opened.ok) {
    const isToken = typeof written === 'string' && written.split('.').length === 2;
    const kind = meant ?? (isToken ? 'license' : 'certificate');
    return { kind, document: opened };
  }
  const envelope = opened.value;
  const carried = isLicense(envelope) ? 'license' : 'certificate';
  if ((meant ?? carried) === 'certificate') {
    const misplaced = carried === 'license' && envelope.payload.object !== undefined;
    const document = misplaced ? fail({ kind: 'misplaced-license' }) : certificateOf(envelope);
    return { kind: 'certificate', document, envelope };
  }
  if (typeof written === 'string' && written.length > licenseLimitBytes) {
    return { kind: 'license', document: tooLarge(licenseLimitBytes) };
  }
  const document = isCertificate(envelope)
    ? fail({ kind: 'misplaced-certificate' })
    : licenseOf(envelope);
  return { kind: 'license', document, envelope };
}

/**
 * Tells whether a document is a license. It is if it says so, even if it has a certificate's fields; then it is refused
 * later.
 */
function isLicense({ encoding, payload }: Envelope): boolean {
  if (encoding !== 'token') return false;
  const claims = payload.object;
  if (claims === undefined) return true;
  const { typ: type } = claims;
  if (type === documentTypes.license) return true;
  if (type === documentTypes.certificate) return false;
  return !certificateOnly.some((name) => name in claims);
}

function isCertificate({ payload: { object: claims } }: Envelope): boolean {
  if (claims === undefined) return false;
  const { typ: type } = claims;
  if (type !== undefined) return type === documentTypes.certificate;
  return certificateOnly.some((name) => name in claims);
}

function licenseOf(envelope: Envelope): Result<ParsedDocument<License>, LicenseFault> {
  const license = readLicense(envelope);
  return license.ok ? succeed({ envelope, content: license.value }) : license;
}

function certificateOf(envelope: Envelope): Result<ParsedDocument<Certificate>, CertificateFault> {
  const certificate = readCertificate(envelope);
  return certificate.ok ? succeed({ envelope, content: certificate.value }) : certificate;
}

function open(written: Written): Result<Envelope, EnvelopeFault | TooLarge> {
  if (typeof written === 'string') {
    return written.length > certificateLimitBytes
      ? tooLarge(certificateLimitBytes)
      : openCompact(written);
  }
  const opened = openSignedObject(written.object, written.oddities);
  const isTooLarge = opened.ok && opened.value.payload.bytes.length > certificateLimitBytes;
  return isTooLarge ? tooLarge(certificateLimitBytes) : opened;
}

function tooLarge(limitBytes: number): Result<never, TooLarge> {
  return fail({ kind: 'too-large', limitBytes });
}

/** The fields of license and certificate that contain a moment. */
export type MomentName = 'issued_at' | 'expires_at';

/** The values of the documents' optional `typ`. */
const documentTypes = {
  license: 'license',
  certificate: 'activation-certificate',
} as const;

/** Fields that only a certificate has: nothing with one of these can be passed off as a license. */
export const certificateOnly = ['next_validation_at', 'grace_until', 'installation_id'] as const;

/**
 * The content of a license. The spec leaves the payload open, so every field may be missing, and a payload that is not
 * JSON is a license too. JSON-safe; moments are epoch milliseconds.
 */
export interface License {
  readonly kind: 'license';
  /** The payload, if it is a JSON object. */
  readonly claims?: JsonObject;
  /** The payload's text, if it is text but not a JSON object. */
  readonly text?: string;
  /** The payload's size. */
  readonly bytes: number;
  readonly licenseId?: string;
  readonly productSlug?: string;
  readonly domain?: string;
  readonly licenseType?: string;
  readonly keyId?: string;
  readonly issuedAt?: number;
  readonly expiresAt?: number;
  /** Ambiguities of its JSON. They fail the check of the payload and have no other effect. */
  readonly oddities: readonly JsonOddity[];
  /** Dates that are present but cannot be read. */
  readonly unreadable: readonly MomentName[];
}

export type LicenseFault =
  /** It has fields that only a certificate has, so it is not a license. */
  | { readonly kind: 'certificate-fields'; readonly names: readonly string[] }
  /** Its `typ` says that it is something else. */
  | { readonly kind: 'other-type'; readonly type: string }
  /** Licenses have only the encoding `<payload>.<signature>`. */
  | { readonly kind: 'other-encoding' }
  /** A certificate in the place of a license. */
  | { readonly kind: 'misplaced-certificate' };

function readLicense({ encoding, payload }: Envelope): Result<License, LicenseFault> {
  if (encoding !== 'token') return fail({ kind: 'other-encoding' });
  const claims = payload.object;
  if (claims === undefined) {
    const { bytes, oddities, text } = payload;
    return succeed(
      omitUndefined({ kind: 'license', bytes: bytes.length, oddities, unreadable: [], text }),
    );
  }
  const names = certificateOnly.filter((name) => name in claims);
  if (names.length > 0) return fail({ kind: 'certificate-fields', names });
  const { typ: type } = claims;
  if (type !== undefined && type !== documentTypes.license) {
    return fail({ kind: 'other-type', type: textOfClaim(type) });
  }
  return succeed({
    kind: 'license',
    claims,
    bytes: payload.bytes.length,
    oddities: payload.oddities,
    ...readCommonFields(claims),
  });
}

interface CommonFields {
  readonly licenseId?: string;
  readonly productSlug?: string;
  readonly domain?: string;
  readonly licenseType?: string;
  readonly keyId?: string;
  readonly issuedAt?: number;
  readonly expiresAt?: number;
  readonly unreadable: readonly MomentName[];
}

/** Reads the fields that licenses and certificates share, leaving out those that are absent or unreadable. */
export function readCommonFields(claims: JsonObject): CommonFields {
  const texts = {
    licenseId: textOf(claims['license_id']),
    productSlug: textOf(claims['product_slug']),
    domain: textOf(claims['domain']),
    licenseType: textOf(claims['license_type']),
    keyId: textOf(claims['kid']),
  };
  const unreadable: MomentName[] = [];
  const momentOf = (field: MomentName): number | undefined => {
    const value = claims[field];
    if (value === undefined || value === null) return undefined;
    const read = readMoment(value);
    if (!read.ok) unreadable.push(field);
    return read.ok ? read.value : undefined;
  };
  const moments = { issuedAt: momentOf('issued_at'), expiresAt: momentOf('expires_at') };
  return { ...omitUndefined({ ...texts, ...moments }), unreadable };
}

/**
 * Reads a claim as text. Numbers count as identifiers too, but not beyond 2^53, where different numbers are read as the
 * same.
 */
function textOf(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'number') return Math.abs(value) < 2 ** 53 ? String(value) : undefined;
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Formats a claim's value on one line, for a report. */
function textOfClaim(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/**
 * The content of an activation certificate (spec section 2). Its four fields are present and readable, and its
 * deadlines are in order. JSON-safe; moments are epoch milliseconds.
 */
export interface Certificate {
  readonly kind: 'certificate';
  readonly claims: JsonObject;
  /** Spelled as in the certificate. */
  readonly domain: string;
  /** A UUID in lower case. */
  readonly installationId: string;
  readonly nextValidationAt: number;
  /** Never before `nextValidationAt`. */
  readonly graceUntil: number;
  readonly productSlug?: string;
  readonly licenseId?: string;
  readonly licenseType?: string;
  readonly keyId?: string;
  readonly issuedAt?: number;
  readonly expiresAt?: number;
  /** Dates other than those four fields that are present but cannot be read. */
  readonly unreadable: readonly MomentName[];
}

/** Why a certificate's content does not count. `field`: the name used in the document. */
export type CertificateFault =
  | { readonly kind: 'not-an-object' }
  | { readonly kind: 'other-type'; readonly type: string }
  | { readonly kind: 'missing-fields'; readonly fields: readonly string[] }
  | {
      readonly kind: 'unreadable-field';
      readonly field: string;
      readonly because: MomentFault | 'not-a-domain' | 'not-a-uuid';
    }
  /** `next_validation_at` after `grace_until`. */
  | { readonly kind: 'deadlines-reversed' }
  | { readonly kind: 'ambiguous-json'; readonly oddities: readonly JsonOddity[] }
  /** A license in the place of a certificate. */
  | { readonly kind: 'misplaced-license' };

const requiredFields = ['domain', 'installation_id', 'next_validation_at', 'grace_until'] as const;

function readCertificate({ payload }: Envelope): Result<Certificate, CertificateFault> {
  const claims = payload.object;
  if (claims === undefined) return fail({ kind: 'not-an-object' });
  const oddities = payload.oddities.filter((oddity) => oddity.endsWith('-name'));
  if (oddities.length > 0) return fail({ kind: 'ambiguous-json', oddities });
  const { typ: type } = claims;
  if (type !== undefined && type !== documentTypes.certificate) {
    return fail({ kind: 'other-type', type: textOfClaim(type) });
  }
  const missing = requiredFields.filter((name) => (claims[name] ?? '') === '');
  if (missing.length > 0) return fail({ kind: 'missing-fields', fields: missing });
  return readFields(claims);
}

function readFields(claims: JsonObject): Result<Certificate, CertificateFault> {
  const unreadable = (
    field: (typeof requiredFields)[number],
    because: MomentFault | 'not-a-domain' | 'not-a-uuid',
  ): Result<never, CertificateFault> => fail({ kind: 'unreadable-field', field, because });

  const domain = claims['domain'];
  if (typeof domain !== 'string') return unreadable('domain', 'not-a-domain');
  const installationId = parseInstallationId(claims['installation_id']);
  if (installationId === undefined) return unreadable('installation_id', 'not-a-uuid');
  const nextValidationAt = readMoment(claims['next_validation_at']);
  if (!nextValidationAt.ok) return unreadable('next_validation_at', nextValidationAt.fault);
  const graceUntil = readMoment(claims['grace_until']);
  if (!graceUntil.ok) return unreadable('grace_until', graceUntil.fault);
  if (nextValidationAt.value > graceUntil.value) return fail({ kind: 'deadlines-reversed' });
  return succeed({
    ...readCommonFields(claims),
    kind: 'certificate',
    claims,
    domain,
    installationId,
    nextValidationAt: nextValidationAt.value,
    graceUntil: graceUntil.value,
  });
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * Reads an installation id as a lower-case UUID of any version: spec section 2. Capitals, braces, a `urn:uuid:` before it and
 * missing hyphens are forgiven. `undefined` for anything else.
 */
export function parseInstallationId(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  if (uuidPattern.test(value)) return value;
  const bare = value
    .trim()
    .toLowerCase()
    .replace(/^urn:uuid:/, '')
    .replace(/^\{(.*)\}$/, '$1');
  const hyphened = /^[0-9a-f]{32}$/.test(bare)
    ? bare.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
    : bare;
  return uuidPattern.test(hyphened) ? hyphened : undefined;
}

/** Tells whether two texts name the same installation; `undefined` if either is not a UUID. */
export function sameInstallation(a: string, b: string): boolean | undefined {
  const [first, second] = [parseInstallationId(a), parseInstallationId(b)];
  return first === undefined || second === undefined ? undefined : first === second;
}
