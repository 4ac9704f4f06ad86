import {
  type CertificateParseFault,
  type LicenseParseFault,
  parseCertificate,
  parseLicense,
  type Written,
  sameInstallation,
} from '#core/license/document/document';
import { compareDomains } from '#core/license/document/domain';
import {
  isSameAuthority,
  refuseProduct,
  type SignatureFault,
  type VerifiedCertificate,
  type VerifiedLicense,
  verifyCertificate,
  type VerifyContext,
  verifyLicense,
} from '#core/license/verify';
import { compareCertificates, type DatedCertificate } from '#core/license/standing';
import type { JsonObject } from '#core/encoding/index';
import { fail, type Result, succeed } from '#core/result';

/** Why a license or a certificate does not count here. `installation` includes one that was copied from elsewhere. */
export type DocumentFault =
  | { readonly kind: 'license-unreadable'; readonly fault: LicenseParseFault }
  | { readonly kind: 'license-not-genuine'; readonly fault: SignatureFault }
  | { readonly kind: 'certificate-unreadable'; readonly fault: CertificateParseFault }
  | { readonly kind: 'certificate-not-genuine'; readonly fault: SignatureFault }
  | {
      readonly kind: 'mismatch';
      readonly document: 'license' | 'certificate';
      readonly of: BindingField;
    };

/** What must match. `signer`: license and certificate were signed by different authorities. */
export type BindingField = 'domain' | 'installation' | 'product' | 'license' | 'signer';

/** Whom the documents must be for. */
export interface LicenseHolder {
  readonly domain: string;
  readonly productSlug: string;
}

/** Judges documents for one holder, and caches its last verdicts by their exact bytes. */
export interface DocumentVerifier {
  license(token: string): Promise<Result<VerifiedLicense, DocumentFault>>;
  /**
   * Judges a certificate: bound to this domain and this installation, for this license, and signed by the license's own
   * authority (spec section 2). If the license does not verify, that is the fault. The two signatures are checked
   * concurrently.
   */
  certificate(
    written: Written,
    token: string,
    installationId: string,
  ): Promise<Result<VerifiedCertificate, DocumentFault>>;
}

export function createDocumentVerifier(
  holder: LicenseHolder,
  context: () => Promise<VerifyContext>,
): DocumentVerifier {
  const license = lastOne((token: string) => judgeLicense(token, holder, context));
  const certificates = lastOne(
    async (
      _exact: string | JsonObject,
      token: string,
      installationId: string,
      written: Written,
    ): Promise<Result<VerifiedCertificate, DocumentFault>> => {
      const judged = await Promise.all([license(token), judgeCertificate(written, context)]);
      const [forLicense, certificate] = judged;
      if (!forLicense.ok) return forLicense;
      if (!certificate.ok) return certificate;
      const product = forLicense.value.productSlug ?? certificate.value.productSlug;
      const refused = refuseProduct(certificate.value.signed, product);
      if (refused !== undefined) return fail({ kind: 'certificate-not-genuine', fault: refused });
      const of = mismatchOf(certificate.value, forLicense.value, installationId, holder);
      return of === undefined
        ? certificate
        : fail({ kind: 'mismatch', document: 'certificate', of });
    },
    3,
  );
  return {
    license,
    certificate(written, token, installationId) {
      const exact = typeof written === 'string' ? written : written.object;
      return certificates(exact, token, installationId, written);
    },
  };
}

async function judgeLicense(
  token: string,
  { domain, productSlug }: LicenseHolder,
  context: () => Promise<VerifyContext>,
): Promise<Result<VerifiedLicense, DocumentFault>> {
  const held = await context();
  const parsed = parseLicense(token);
  if (!parsed.ok) return fail({ kind: 'license-unreadable', fault: parsed.fault });
  const verified = await verifyLicense(parsed.value, held);
  if (!verified.ok) return fail({ kind: 'license-not-genuine', fault: verified.fault });
  const license = verified.value;
  const mismatch = (of: 'domain' | 'product'): Result<never, DocumentFault> =>
    fail({ kind: 'mismatch', document: 'license', of });
  if ((license.productSlug ?? productSlug) !== productSlug) return mismatch('product');
  if (license.domain !== undefined && compareDomains(license.domain, domain) !== 'equal') {
    return mismatch('domain');
  }
  return succeed(license);
}

async function judgeCertificate(
  written: Written,
  context: () => Promise<VerifyContext>,
): Promise<Result<VerifiedCertificate, DocumentFault>> {
  const held = await context();
  const parsed = parseCertificate(written);
  if (!parsed.ok) return fail({ kind: 'certificate-unreadable', fault: parsed.fault });
  const verified = await verifyCertificate(parsed.value, held);
  return verified.ok ? verified : fail({ kind: 'certificate-not-genuine', fault: verified.fault });
}

function mismatchOf(
  certificate: VerifiedCertificate,
  license: VerifiedLicense,
  installationId: string,
  { domain, productSlug }: LicenseHolder,
): BindingField | undefined {
  if (!isSameAuthority(certificate.signed.authority, license.signed.authority)) return 'signer';
  if (compareDomains(certificate.domain, domain) !== 'equal') return 'domain';
  if (sameInstallation(certificate.installationId, installationId) !== true) return 'installation';
  if ((certificate.productSlug ?? productSlug) !== productSlug) return 'product';
  const ids = [certificate.licenseId, license.licenseId];
  return !ids.includes(undefined) && ids[0] !== ids[1] ? 'license' : undefined;
}

interface WrittenCertificate {
  readonly certificate: VerifiedCertificate;
  /** The text or object that was verified. */
  readonly written: string | JsonObject;
}

/**
 * Tells whether one certificate is newer. It never replaces a newer one or one with the same bytes, so the newest does
 * not depend on the order.
 */
export function isNewerCertificate(
  fresh: WrittenCertificate,
  present: WrittenCertificate,
): boolean {
  return compareCertificates(datedOf(fresh), datedOf(present)) > 0;
}

function datedOf({ certificate, written }: WrittenCertificate): DatedCertificate {
  const raw = typeof written === 'string' ? written : JSON.stringify(written);
  return { ...certificate, raw };
}

/** Caches the last result by the first `by` arguments: the same bytes under the same keys have the same result. */
function lastOne<Parts extends readonly unknown[], Value>(
  answer: (...parts: Parts) => Promise<Value>,
  by = 1,
): (...parts: Parts) => Promise<Value> {
  let known: { parts: Parts; answer: Promise<Value> } | undefined;
  return (...parts) => {
    if (known === undefined || parts.some((part, at) => at < by && part !== known?.parts[at])) {
      known = { parts, answer: answer(...parts) };
    }
    return known.answer;
  };
}
