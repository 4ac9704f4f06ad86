import type { ExaminedCertificate, Examined, ExaminedLicense } from '#core/license/inspect/examine';
import { parseInstallationId } from '#core/license/document/installation-id';
import { isNewer } from '#core/license/standing';

/** One license with the certificates of one installation: what one inspection is about. */
export interface Bundle {
  readonly license?: ExaminedLicense;
  /** The one that counts: the newest genuine one, else the first. */
  readonly certificate?: ExaminedCertificate;
  readonly others: readonly ExaminedCertificate[];
}

/**
 * The subjects of a source, the one asked about first. With several licenses each takes the certificates that name its
 * `license_id`, or, where they name none, those that follow it.
 * @param installationId the installation asked about, where one is known
 */
export function bundlesOf(
  { licenses, certificates }: Examined,
  installationId: string | undefined,
): Bundle[] {
  const wanted = parseInstallationId(installationId);
  if (licenses.length < 2) return splitInstallations(licenses[0], certificates, wanted);
  const taken = new Set<ExaminedCertificate>();
  const subjects = licenses.flatMap((license) => {
    const own = certificates.filter((one) => ownerOf(one, licenses) === license);
    for (const one of own) taken.add(one);
    return splitInstallations(license, own, wanted);
  });
  const orphans = certificates.filter((one) => !taken.has(one));
  const rest = orphans.length > 0 ? splitInstallations(undefined, orphans, wanted) : [];
  return wantedFirst([...subjects, ...rest], wanted);
}

function ownerOf(
  certificate: ExaminedCertificate,
  licenses: readonly ExaminedLicense[],
): ExaminedLicense | undefined {
  const id = certificate.says?.licenseId;
  if (id !== undefined && licenses.some(({ says }) => says?.licenseId !== undefined)) {
    return licenses.find(({ says }) => says?.licenseId === id);
  }
  return licenses.findLast(({ index }) => index < certificate.index) ?? licenses[0];
}

/** Certificates that cannot be read or believed stay with the first subject: nothing says whose they are. */
function splitInstallations(
  license: ExaminedLicense | undefined,
  certificates: readonly ExaminedCertificate[],
  wanted: string | undefined,
): Bundle[] {
  const genuine = certificates.filter(({ verified }) => verified !== undefined);
  const doubtful = certificates.filter(({ verified }) => verified === undefined);
  const byInstallation = Map.groupBy(genuine, ({ verified }) => verified?.installationId ?? '');
  const subjects = [...byInstallation.values()].map((group) => subjectOf(license, group));
  subjects.sort((a, b) => (isNewerFinding(a.certificate, b.certificate) ? -1 : 1));
  const [first, ...rest] = wantedFirst(subjects, wanted);
  if (first === undefined) return [subjectOf(license, doubtful)];
  return [{ ...first, others: [...first.others, ...doubtful] }, ...rest];
}

function subjectOf(
  license: ExaminedLicense | undefined,
  certificates: readonly ExaminedCertificate[],
): Bundle {
  const [first] = certificates;
  const newest = certificates.reduce(
    (best, one) => (isNewerFinding(one, best) ? one : best),
    first,
  );
  return {
    others: certificates.filter((one) => one !== newest),
    ...(license !== undefined && { license }),
    ...(newest !== undefined && { certificate: newest }),
  };
}

function isNewerFinding(
  a: ExaminedCertificate | undefined,
  b: ExaminedCertificate | undefined,
): boolean {
  if (a?.verified === undefined || b?.verified === undefined) return false;
  return isNewer(a.verified, b.verified);
}

function wantedFirst(subjects: readonly Bundle[], wanted: string | undefined): Bundle[] {
  const isWanted = ({ certificate }: Bundle): boolean =>
    wanted !== undefined && certificate?.verified?.installationId === wanted;
  return [...subjects.filter(isWanted), ...subjects.filter((subject) => !isWanted(subject))];
}
