import {
  type Clock,
  clockToleranceMs,
  trustedMoment,
  type LastContact,
  nextTransition,
  standingAt,
} from '#core/license/standing';
import {
  type Bundle,
  bundlesOf,
  emptyBundle,
  findDocuments,
  type FoundCertificate,
  type FoundDocuments,
  type FoundLicense,
} from '#core/license/inspect/documents';
import {
  checkDomain,
  checkInstallation,
  checkMatch,
  checkNotFromTheFuture,
  checkProduct,
  type Comparison,
  checkCertificateFields,
  checkClock,
  checkGrace,
  checkNextValidation,
  type KnownContact,
  checkCertificateSignature,
  checkKeyStatus,
  checkLicensePayload,
  checkLicenseSignature,
} from '#core/license/inspect/checks';
import { headlineOf } from '#core/license/inspect/headline';
import type {
  AuthorityAnswer,
  AuthorityStatement,
  CertificateView,
  Check,
  Expected,
  FileStanding,
  Inspection,
  LicenseView,
  SignedFormSeen,
} from '#core/license/inspect/inspection';
import { type VerifyContext } from '#core/license/verify';

/** Says what is asked about documents that have been found. */
export interface InspectOptions {
  /** The moment asked about, epoch milliseconds. */
  readonly now: number;
  /** The latest moment that the real clock has shown. Leave it out when asking about another moment than the present. */
  readonly latestSeen?: number;
  readonly expected?: Expected;
  /** The installation's last contact, where it is known from elsewhere than the file: it goes before the file's own. */
  readonly lastContact?: LastContact;
  /** The agent's word that the authority could not be reached. A refusal that the file records goes before it. */
  readonly unreached?: boolean;
  /** What authorities said when they were asked. A refusal goes before all that the file says of its last contact. */
  readonly answers?: readonly AuthorityAnswer[];
}

export type InspectContext = VerifyContext & InspectOptions;

/**
 * Inspects a text or the bytes of a file: finds the documents in it, verifies them under the pinned keys and judges them at
 * one moment. Never rejects, whatever the source holds, and gives the same result for any order of the same documents.
 * @param source at most 256 KiB each; several are read as one: a license and its certificate in files of their own
 * @example
 * const { standing, headline } = await inspectText(file, { keys, engine: await chooseEngine(), now: Date.now() });
 */
export async function inspectText(
  source: Parameters<typeof findDocuments>[0],
  context: InspectContext,
): Promise<Inspection> {
  return inspect(await findDocuments(source, context), context);
}

/** Judges what has been found at any moment. Verifies no signature again. */
export function inspect(found: FoundDocuments, options: InspectOptions): Inspection {
  const typed = options.expected?.installationId?.trim() ?? '';
  const installationId = typed === '' ? found.stated.installationId : typed;
  const [first = emptyBundle, ...rest] = bundlesOf(found, installationId);
  return {
    ...inspectBundle(first, found, options),
    others: rest.map((bundle) => inspectBundle(bundle, found, options)),
  };
}

function inspectBundle(bundle: Bundle, found: FoundDocuments, options: InspectOptions): Inspection {
  const { license, certificate } = bundle;
  const clock: Clock = options;
  const { moment } = trustedMoment(clock);
  const answer = answerAt(moment, bundle, options);
  const last = lastContactAt(moment, found, options, answer);
  const standing = standingOf(bundle, clock, last);
  const checks = checksOf(bundle, found, options, last);
  const fault = found.fault;
  const next =
    standing === 'unverified' ? undefined : nextTransition(standing, certificate?.verified);
  return {
    standing,
    headline: headlineOf({
      bundle,
      standing,
      checks,
      moment,
      answer,
      ...(fault !== undefined && { fault }),
    }),
    checks,
    ...(license !== undefined && { license: licenseView(license) }),
    ...(certificate !== undefined && { certificate: certificateView(certificate) }),
    otherCertificates: [
      ...bundle.others.map(certificateView),
      ...bundle.foreign.map((one) => ({
        ...certificateView(one),
        because: 'other-signer' as const,
      })),
    ],
    moment,
    ...(next !== undefined && { next }),
    repairs: found.repairs,
    ...(fault !== undefined && { sourceFault: fault }),
    stated: found.stated,
    forms: formsOf(bundle),
    others: [],
  };
}

/**
 * Judges what a file alone can say. A document that is there and does not verify makes all of it doubtful; a mismatch with
 * what was expected changes nothing here.
 */
function standingOf(
  { license, certificate }: Bundle,
  clock: Clock,
  last: LastContact | undefined,
): FileStanding {
  const found = [license, certificate].filter((one) => one !== undefined);
  if (found.length === 0 || found.some(({ verified }) => verified === undefined)) {
    return 'unverified';
  }
  return standingAt(clock, certificate?.verified, last);
}

/** Returns the newest answer about exactly these documents that had been given at a moment. */
function answerAt(
  moment: number,
  { license, certificate }: Bundle,
  { answers = [] }: InspectOptions,
): AuthorityStatement | undefined {
  const found = answers.findLast(
    (answer) =>
      answer.license === license?.raw &&
      answer.certificate === certificate?.raw &&
      answer.at <= moment + clockToleranceMs,
  );
  if (found === undefined) return undefined;
  const { at, outcome, authority, msg } = found;
  return { at, outcome, authority, msg };
}

/** Returns the last contact as of a moment: one that lies ahead of it has not happened yet. */
function lastContactAt(
  moment: number,
  { stated }: FoundDocuments,
  { lastContact, unreached }: InspectOptions,
  answer: AuthorityStatement | undefined,
): KnownContact | undefined {
  if (answer?.outcome === 'refused') {
    return { at: answer.at, outcome: 'refused', isStated: false };
  }
  const recorded = lastContact ?? stated.lastContact;
  const isPast = recorded !== undefined && recorded.at <= moment + clockToleranceMs;
  if (unreached === true && !(isPast && recorded.outcome === 'refused')) {
    return { at: moment, outcome: 'unreachable', isStated: false };
  }
  return isPast ? { ...recorded, isStated: lastContact === undefined } : undefined;
}

function checksOf(
  bundle: Bundle,
  { stated }: FoundDocuments,
  options: InspectOptions,
  last: KnownContact | undefined,
): Check[] {
  const { license, certificate } = bundle;
  const { moment } = trustedMoment(options);
  const comparison: Comparison = { bundle, expected: options.expected ?? {}, stated };
  return [
    checkLicenseSignature(license),
    checkLicensePayload(license, moment),
    checkCertificateSignature(certificate),
    checkCertificateFields(bundle),
    checkDomain(comparison),
    checkInstallation(comparison),
    checkProduct(comparison),
    checkMatch(comparison),
    checkNotFromTheFuture(comparison, moment),
    checkNextValidation(options, certificate),
    checkGrace(options, certificate, last),
    checkClock(options),
    checkKeyStatus(bundle),
  ];
}

function licenseView({ raw, where, verified, says, fault, signer }: FoundLicense): LicenseView {
  const signed = verified?.signed ?? signer;
  return {
    raw,
    where,
    genuine: verified !== undefined,
    ...(says !== undefined && { says }),
    ...(signed !== undefined && { signed }),
    ...(fault !== undefined && { fault }),
  };
}

function certificateView(finding: FoundCertificate): CertificateView {
  const { raw, where, verified, says, fault, encoding, signer } = finding;
  const signed = verified?.signed ?? signer;
  return {
    raw,
    where,
    genuine: verified !== undefined,
    ...(says !== undefined && { says }),
    ...(encoding !== undefined && { encoding }),
    ...(signed !== undefined && { signed }),
    ...(fault !== undefined && { fault }),
  };
}

function formsOf({ license, certificate }: Bundle): SignedFormSeen[] {
  return [license?.verified, certificate?.verified]
    .filter((one) => one !== undefined)
    .map(({ kind, signed }) => ({ key: signed.key, document: kind, form: signed.form }));
}
