import {
  type Certificate,
  type CertificateFault,
  readCertificate,
} from '#core/license/document/certificate';
import {
  type Envelope,
  type EnvelopeFault,
  openCompact,
  openSignedObject,
} from '#core/license/document/envelope';
import {
  certificateOnly,
  documentTypes,
  type License,
  type LicenseFault,
  readLicense,
} from '#core/license/document/license';
import type { JsonObject, JsonOddity } from '#core/license/encoding/strict-json';
import { fail, type Result, succeed } from '#core/result';

/** Limits a license token, in characters. */
export const licenseLimitBytes = 16 * 1024;
const certificateLimitBytes = 64 * 1024;

/** Holds a license, read and not verified. */
export interface ParsedLicense {
  readonly envelope: Envelope;
  readonly license: License;
}

/** Holds a certificate, read and not verified. */
export interface ParsedCertificate {
  readonly envelope: Envelope;
  readonly certificate: Certificate;
}

export interface TooLarge {
  readonly kind: 'too-large';
  readonly limitBytes: number;
}

export type LicenseParseFault = LicenseFault | EnvelopeFault | TooLarge;
export type CertificateParseFault = CertificateFault | EnvelopeFault | TooLarge;

/** Holds one signed document as it stands in a text: compact, or a JSON object with the oddities of the JSON around it. */
export type Written =
  | string
  | { readonly object: JsonObject; readonly oddities: readonly JsonOddity[] };

/**
 * Holds a document sorted by what it carries, or held against what the place that it was found in is for. `envelope`: where
 * it was opened, so that its signature can be judged though its content cannot be read.
 */
export type ParsedDocument =
  | {
      readonly kind: 'license';
      readonly document: Result<ParsedLicense, LicenseParseFault>;
      readonly envelope?: Envelope;
    }
  | {
      readonly kind: 'certificate';
      readonly document: Result<ParsedCertificate, CertificateParseFault>;
      readonly envelope?: Envelope;
    };

/**
 * Parses a license token, `<payload>.<signature>` without anything around it (spec section 2), and verifies nothing.
 *
 * A payload that carries a field of certificates is refused, and so is one that is itself a signing input.
 * @param token at most 16 KiB; a longer one is the fault `too-large`
 * @example
 * const parsed = parseLicense(token);
 * if (parsed.ok) console.log(parsed.value.license.productSlug);
 */
export function parseLicense(token: string): Result<ParsedLicense, LicenseParseFault> {
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
): Result<ParsedCertificate, CertificateParseFault> {
  const opened = open(written);
  return opened.ok ? certificateOf(opened.value) : opened;
}

/**
 * Parses a document of unknown kind.
 *
 * One that cannot be opened counts as what its place is for, else as what its shape suggests: two segments as a license, the
 * rest as a certificate.
 * @param meant what the place that it was found in is for; a document of the other kind is then a fault, never a document of
 * that other kind
 */
export function parseDocument(written: Written, meant?: 'license' | 'certificate'): ParsedDocument {
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
    const document = misplaced
      ? fail({ kind: 'misplaced-license' as const })
      : certificateOf(envelope);
    return { kind: 'certificate', document, envelope };
  }
  if (typeof written === 'string' && written.length > licenseLimitBytes) {
    return { kind: 'license', document: tooLarge(licenseLimitBytes) };
  }
  const document = isCertificate(envelope)
    ? fail({ kind: 'misplaced-certificate' as const })
    : licenseOf(envelope);
  return { kind: 'license', document, envelope };
}

/**
 * Tells whether a document is a license. One that calls itself so is, even where it carries a certificate's fields, and is
 * then refused.
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

function licenseOf(envelope: Envelope): Result<ParsedLicense, LicenseFault> {
  const license = readLicense(envelope);
  return license.ok ? succeed({ envelope, license: license.value }) : license;
}

function certificateOf(envelope: Envelope): Result<ParsedCertificate, CertificateFault> {
  const certificate = readCertificate(envelope);
  return certificate.ok ? succeed({ envelope, certificate: certificate.value }) : certificate;
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
