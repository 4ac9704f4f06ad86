import type { ExaminedCertificate, Examined, ExaminedLicense } from '#core/license/inspect/examine';
import { ownerOf } from '#core/license/inspect/owners';
import { parseInstallationId } from '#core/license/document/installation-id';
import { compareCertificates, type DatedCertificate } from '#core/license/standing';
import { refuseProduct, type VerifiedCertificate } from '#core/license/verify';

/** Holds one license with the certificates of one installation: what one inspection is about. */
export interface Bundle {
  readonly license?: ExaminedLicense;
  /** The one that counts: the newest genuine one, else the first. */
  readonly certificate?: ExaminedCertificate;
  readonly others: readonly ExaminedCertificate[];
  /** Genuine certificates in the source that another authority signed than this license, the newest first. */
  readonly foreign: readonly ExaminedCertificate[];
  /** There are licenses in the source, and which of them the certificate is for cannot be told. */
  readonly isUnassigned: boolean;
  /** A genuine certificate without a date has other deadlines than the dated one that counts. */
  readonly hasUndatedRival: boolean;
}

export const emptyBundle: Bundle = {
  others: [],
  foreign: [],
  isUnassigned: false,
  hasUndatedRival: false,
};

/**
 * Sorts the documents of a source into bundles, the one asked about first. The order of the documents in the source does not
 * count: whose a certificate is follows from its signer and from what it says (`ownerOf`).
 * @param installationId the installation asked about, where one is known
 */
export function bundlesOf(
  { licenses, certificates }: Examined,
  installationId: string | undefined,
): Bundle[] {
  const wanted = parseInstallationId(installationId);
  const owned = new Map<ExaminedLicense, Belongings>(
    licenses.toSorted(byId).map((license) => [license, { own: [], foreign: [] }]),
  );
  const orphans: ExaminedCertificate[] = [];
  for (const certificate of certificates.toSorted(byText)) {
    const { license, isForeign } = ownerOf(certificate, [...owned.keys()]);
    const belongings = license === undefined ? undefined : owned.get(license);
    if (belongings === undefined) orphans.push(certificate);
    else belongings[isForeign ? 'foreign' : 'own'].push(certificate);
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

interface Belongings {
  readonly own: ExaminedCertificate[];
  readonly foreign: ExaminedCertificate[];
}

/** Certificates that cannot be read or believed stay with the first bundle: nothing says whose they are. */
function bundlesOfLicense(
  license: ExaminedLicense | undefined,
  certificates: readonly ExaminedCertificate[],
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

/** @param certificates the one that counts first */
function bundleOf(
  license: ExaminedLicense | undefined,
  [certificate, ...others]: readonly ExaminedCertificate[],
): Bundle {
  return {
    ...emptyBundle,
    others,
    hasUndatedRival: others.some((other) => isUndatedRival(other.verified, certificate?.verified)),
    ...(license !== undefined && { license }),
    ...(certificate !== undefined && { certificate }),
  };
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

/** Takes the genuineness from a certificate whose key does not vouch for the bundle's product: the license's, else its own. */
function withProductJudged(
  certificate: ExaminedCertificate,
  license: ExaminedLicense | undefined,
): ExaminedCertificate {
  const { verified, ...rest } = certificate;
  if (verified === undefined) return certificate;
  const product = license?.verified?.productSlug ?? verified.productSlug;
  const fault = refuseProduct(verified.signed, product);
  return fault === undefined ? certificate : { ...rest, fault };
}

function newestFirst(a: ExaminedCertificate, b: ExaminedCertificate): number {
  const [first, second] = [datedOf(a), datedOf(b)];
  return first === undefined || second === undefined ? 0 : compareCertificates(second, first);
}

function datedOf({ verified, raw }: ExaminedCertificate): DatedCertificate | undefined {
  return verified === undefined ? undefined : { ...verified, raw };
}

function byId(a: ExaminedLicense, b: ExaminedLicense): number {
  return compareTexts(a.says?.licenseId ?? '', b.says?.licenseId ?? '') || byText(a, b);
}

/** Orders documents: those that stand in a JSON object first, then by their text. */
function byText(
  a: ExaminedLicense | ExaminedCertificate,
  b: ExaminedLicense | ExaminedCertificate,
): number {
  const [first, second] = [a.holder === undefined, b.holder === undefined];
  return first === second ? compareTexts(a.raw, b.raw) : first ? 1 : -1;
}

function compareTexts(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

function wantedFirst(bundles: readonly Bundle[], wanted: string | undefined): Bundle[] {
  const isWanted = ({ certificate }: Bundle): boolean =>
    wanted !== undefined && certificate?.verified?.installationId === wanted;
  return [...bundles.filter(isWanted), ...bundles.filter((bundle) => !isWanted(bundle))];
}
