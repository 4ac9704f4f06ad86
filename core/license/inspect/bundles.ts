import { parseInstallationId } from '#core/license/document/document';
import type {
  FoundCertificate,
  FoundDocument,
  FoundDocuments,
  FoundLicense,
} from '#core/license/inspect/documents';
import { compareCertificates, type DatedCertificate } from '#core/license/standing';
import { isSameAuthority, refuseProduct, type VerifiedCertificate } from '#core/license/verify';
import { omitUndefined } from '#core/result';
import { compare } from '#core/sort';

/** One license with the certificates of one installation: the subject of one inspection. */
export interface Bundle {
  readonly license?: FoundLicense;
  /** The certificate that counts: the newest genuine one, else the first. */
  readonly certificate?: FoundCertificate;
  readonly others: readonly FoundCertificate[];
  /** Genuine certificates in the source that were signed by another authority than this license, newest first. */
  readonly foreign: readonly FoundCertificate[];
  /** The source has licenses, but the certificate's license cannot be determined. */
  readonly isUnassigned: boolean;
  /** A genuine undated certificate has other deadlines than the dated one that counts. */
  readonly hasUndatedRival: boolean;
}

export const emptyBundle: Bundle = {
  others: [],
  foreign: [],
  isUnassigned: false,
  hasUndatedRival: false,
};

/**
 * Groups the documents of a source into bundles, the requested one first. The order of the documents in the source has
 * no effect: the license of a certificate follows from its signer and its content (`ownerOf`).
 * @param installationId the requested installation, if known
 */
export function bundlesOf(
  { licenses, certificates }: FoundDocuments,
  installationId: string | undefined,
): Bundle[] {
  const wanted = parseInstallationId(installationId);
  const owned = new Map<FoundLicense, OwnedCertificates>(
    licenses.toSorted(byId).map((license) => [license, { own: [], foreign: [] }]),
  );
  const orphans: FoundCertificate[] = [];
  for (const certificate of certificates.toSorted(byText)) {
    const { license, isForeign } = ownerOf(certificate, [...owned.keys()]);
    const ofLicense = license === undefined ? undefined : owned.get(license);
    if (ofLicense === undefined) orphans.push(certificate);
    else ofLicense[isForeign ? 'foreign' : 'own'].push(certificate);
  }
  const bundles = [...owned].flatMap(([license, { own, foreign }]) =>
    bundlesOfLicense(license, own, wanted).map((bundle, at) =>
      at === 0 ? { ...bundle, foreign: foreign.sort(newestFirst) } : bundle,
    ),
  );
  const rest = orphans.length > 0 ? bundlesOfLicense(undefined, orphans, wanted) : [];
  const isUnassigned = licenses.length > 0;
  return wantedFirst([...bundles, ...rest.map((bundle) => ({ ...bundle, isUnassigned }))], wanted);
}

interface OwnedCertificates {
  readonly own: FoundCertificate[];
  readonly foreign: FoundCertificate[];
}

/** Certificates that cannot be read or are not genuine go to the first bundle, since their license is unknown. */
function bundlesOfLicense(
  license: FoundLicense | undefined,
  certificates: readonly FoundCertificate[],
  wanted: string | undefined,
): Bundle[] {
  const judged = certificates.map((one) => withProductJudged(one, license));
  const genuine = judged.filter(({ verified }) => verified !== undefined).sort(newestFirst);
  const doubtful = judged.filter(({ verified }) => verified === undefined);
  const byInstallation = Map.groupBy(genuine, ({ verified }) => verified?.installationId ?? '');
  const bundles = [...byInstallation.values()].map((group) => bundleOf(license, group));
  const [first, ...rest] = wantedFirst(bundles, wanted);
  if (first === undefined) return [bundleOf(license, doubtful)];
  return [{ ...first, others: [...first.others, ...doubtful] }, ...rest];
}

/** @param certificates the one that counts is first */
function bundleOf(
  license: FoundLicense | undefined,
  [certificate, ...others]: readonly FoundCertificate[],
): Bundle {
  return omitUndefined({
    ...emptyBundle,
    others,
    hasUndatedRival: others.some((other) => isUndatedRival(other.verified, certificate?.verified)),
    license,
    certificate,
  });
}

function isUndatedRival(
  other: VerifiedCertificate | undefined,
  newest: VerifiedCertificate | undefined,
): boolean {
  if (other === undefined || newest?.issuedAt === undefined || other.issuedAt !== undefined) {
    return false;
  }
  const { nextValidationAt, graceUntil } = newest;
  return other.nextValidationAt !== nextValidationAt || other.graceUntil !== graceUntil;
}

/**
 * Marks a certificate as not genuine if its key does not vouch for the bundle's product, which is the license's or else
 * the certificate's.
 */
function withProductJudged(
  certificate: FoundCertificate,
  license: FoundLicense | undefined,
): FoundCertificate {
  const { verified, ...rest } = certificate;
  if (verified === undefined) return certificate;
  const product = license?.verified?.productSlug ?? verified.productSlug;
  const fault = refuseProduct(verified.signed, product);
  return fault === undefined ? certificate : { ...rest, fault };
}

function newestFirst(a: FoundCertificate, b: FoundCertificate): number {
  const [first, second] = [datedOf(a), datedOf(b)];
  return first === undefined || second === undefined ? 0 : compareCertificates(second, first);
}

function datedOf({ verified, raw }: FoundCertificate): DatedCertificate | undefined {
  return verified === undefined ? undefined : { ...verified, raw };
}

function byId(a: FoundLicense, b: FoundLicense): number {
  return compare(a.says?.licenseId ?? '', b.says?.licenseId ?? '') || byText(a, b);
}

/** Orders documents: those from a JSON object first, then by their text. */
function byText(a: FoundDocument, b: FoundDocument): number {
  const isBare = ({ holder }: FoundDocument): number => (holder === undefined ? 1 : 0);
  return compare(isBare(a), isBare(b)) || compare(a.raw, b.raw);
}

function wantedFirst(bundles: readonly Bundle[], wanted: string | undefined): Bundle[] {
  const isWanted = ({ certificate }: Bundle): boolean =>
    wanted !== undefined && certificate?.verified?.installationId === wanted;
  return [...bundles.filter(isWanted), ...bundles.filter((bundle) => !isWanted(bundle))];
}

/**
 * The license that a certificate is grouped with. `isForeign`: another authority signed it, so the certificate is not
 * for it.
 */
interface Owner {
  readonly license?: FoundLicense;
  readonly isForeign: boolean;
}

/**
 * Finds the license of a certificate by the signer and the content of the documents, never by their order.
 *
 * Only a license of the certificate's own authority can be its license. Among several it is the one whose `license_id`
 * it names, else the one in the same saved state, else the only one of its product or domain, else none.
 */
function ownerOf(certificate: FoundCertificate, licenses: readonly FoundLicense[]): Owner {
  const signer = certificate.verified?.signed.authority;
  const genuine = licenses.filter(({ verified }) => verified !== undefined);
  if (signer === undefined || genuine.length === 0) {
    return ownOf(choose(certificate, licenses, licenses.length === 1));
  }
  const ofSigner = genuine.filter(
    ({ verified }) => verified !== undefined && isSameAuthority(verified.signed.authority, signer),
  );
  if (ofSigner.length > 0) return ownOf(choose(certificate, ofSigner, licenses.length === 1));
  const beside = choose(certificate, genuine, false) ?? genuine[0];
  return omitUndefined({ isForeign: true, license: beside });
}

function ownOf(license: FoundLicense | undefined): Owner {
  return omitUndefined({ isForeign: false, license });
}

/**
 * @param isOnly whether the source has only one license: it is then chosen whatever the certificate names, and a check
 * compares the two
 */
function choose(
  certificate: FoundCertificate,
  candidates: readonly FoundLicense[],
  isOnly: boolean,
): FoundLicense | undefined {
  if (isOnly) return candidates[0];
  const id = certificate.says?.licenseId;
  if (id !== undefined && candidates.some(({ says }) => says?.licenseId !== undefined)) {
    return latestOf(candidates.filter(({ says }) => says?.licenseId === id));
  }
  const { holder } = certificate;
  return (
    onlyOne(candidates.filter((one) => holder !== undefined && one.holder === holder)) ??
    onlyOne(candidates) ??
    onlyOne(candidates.filter((one) => shares(one, certificate, 'productSlug'))) ??
    onlyOne(candidates.filter((one) => shares(one, certificate, 'domain')))
  );
}

/** Returns the latest license, since the same one may have been issued again. */
function latestOf(licenses: readonly FoundLicense[]): FoundLicense | undefined {
  const dateOf = ({ says }: FoundLicense): number => says?.issuedAt ?? -Infinity;
  return licenses.toSorted((a, b) => compare(dateOf(b), dateOf(a)) || compare(a.raw, b.raw))[0];
}

function onlyOne(licenses: readonly FoundLicense[]): FoundLicense | undefined {
  return licenses.length === 1 ? licenses[0] : undefined;
}

function shares(
  { says: license }: FoundLicense,
  { says: certificate }: FoundCertificate,
  field: 'productSlug' | 'domain',
): boolean {
  return license?.[field] !== undefined && license[field] === certificate?.[field];
}
