import { type LastContact, nextTransition, standingAt } from '#core/license/standing';
import { type Clock, clockToleranceMs, trustedMoment } from '#core/time/index';
import { type Bundle, bundlesOf, emptyBundle } from '#core/license/inspect/bundles';
import {
  findDocuments,
  type Found,
  type FoundDocument,
  type FoundDocuments,
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
  checkSignature,
  checkKeyStatus,
  checkLicensePayload,
  factsOf,
  faultOf,
  isRefusal,
} from '#core/license/inspect/checks';
import type {
  AuthorityAnswer,
  AuthorityStatement,
  Check,
  DocumentView,
  Expected,
  FileStanding,
  Inspection,
  SignedFormSeen,
  CheckId,
  Facts,
  InspectionHeadline,
  HeadlineSentence,
} from '#core/license/inspect/inspection';
import type { SignedBy, VerifyContext } from '#core/license/verify';
import { omitUndefined } from '#core/result';
import type { SourceFault } from '#core/reading/index';
import type { Sources } from '#core/license/extract/find-artifacts';

type Tone = InspectionHeadline['tone'];

/** The input of a headline: all of it already judged. */
interface HeadlineInput {
  readonly bundle: Bundle;
  readonly standing: FileStanding;
  readonly checks: readonly Check[];
  /** The moment of the judgement, epoch milliseconds. */
  readonly moment: number;
  /** The authority's answer, if it was given by then. */
  readonly answer: AuthorityStatement | undefined;
  readonly fault: SourceFault | undefined;
}

/**
 * Makes the headline of one bundle: the most important statement, and those that must accompany it.
 *
 * A refusal by the authority when it was asked comes first, since nothing in a file outweighs it. Otherwise a mismatch
 * comes first, since a genuine license on the wrong domain is the wrong license; the standing follows unchanged. Every
 * fact comes from a verified document or from the authority itself.
 */
function headlineOf(judged: HeadlineInput): InspectionHeadline {
  const { license, certificate } = judged.bundle;
  const signers = [certificate?.verified, license?.verified].filter((one) => one !== undefined);
  const asOf = signers.find(({ issuedAt }) => issuedAt !== undefined)?.issuedAt;
  const { tone, sentences } = sentencesOf(judged);
  const test = signers.some(({ signed }) => signed.kind === 'test');
  return omitUndefined({
    tone,
    sentences,
    test,
    ...(!test && signers.some(({ signed }) => signed.kind === 'unstated') && { unstated: true }),
    ...(!test && [license, certificate].some(callsItselfTest) && { calledTest: true }),
    answer: judged.answer,
    asOf,
  });
}

/** Tells whether a genuine document says that it is for tests. */
function callsItselfTest(finding: FoundDocument | undefined): boolean {
  const claims = finding?.verified === undefined ? undefined : finding.says?.claims;
  return claims?.['test'] === true || claims?.['sample'] === true;
}

function sentencesOf(judged: HeadlineInput): Pick<InspectionHeadline, 'tone' | 'sentences'> {
  const { bundle, standing, checks, fault } = judged;
  const { license, certificate } = bundle;
  if (license === undefined && certificate === undefined) {
    const id = fault === undefined ? 'nothing-found' : (`source-${fault.kind}` as const);
    const data = fault?.kind === 'too-large' ? { limitBytes: fault.limitBytes } : {};
    return { tone: 'unknown', sentences: [{ id, data }] };
  }
  if ([license, certificate].some((one) => faultOf(one)?.kind === 'no-keys')) {
    return { tone: 'unknown', sentences: [{ id: 'not-verified', data: {} }] };
  }
  if (standing === 'unverified') {
    const sentences = [...doubtOf('license', license), ...doubtOf('certificate', certificate)];
    const isUnknown = sentences.every(({ id }) => /-(?:unknown-key|glued)$/.test(id));
    return { tone: isUnknown ? 'unknown' : 'bad', sentences };
  }
  const mismatches = mismatchesOf(checks);
  const remarks = remarksOf(judged);
  const isRefused = judged.answer?.outcome === 'refused';
  const own = standingSentence(judged, standing);
  const sentences = isRefused
    ? [own, ...mismatches, ...remarks]
    : [...mismatches, ...leadingFirst(standing, own, remarks)];
  const isClean = remarks.length === 0 && checks.every(({ outcome }) => outcome !== 'fail');
  const tone = tonesOfStandings[standing];
  const cautious = tone === 'good' && !isClean ? 'caution' : tone;
  return { tone: mismatches.length > 0 || isRefused ? 'bad' : cautious, sentences };
}

/**
 * Puts bad news before the standing: an expired license, or a possibly different product, unless the installation is
 * denied anyway.
 */
function leadingFirst(
  standing: FileStanding,
  own: HeadlineSentence,
  remarks: readonly HeadlineSentence[],
): HeadlineSentence[] {
  const isLeading = ({ id }: HeadlineSentence): boolean =>
    standing !== 'denied' && (id === 'license-expired' || id === 'other-name');
  return [...remarks.filter(isLeading), own, ...remarks.filter((remark) => !isLeading(remark))];
}

const tonesOfStandings: Readonly<Record<Exclude<FileStanding, 'unverified'>, Tone>> = {
  'not-activated': 'caution',
  activated: 'good',
  'validation-due': 'caution',
  grace: 'caution',
  denied: 'bad',
};

function doubtOf(
  document: 'license' | 'certificate',
  finding: FoundDocument | undefined,
): HeadlineSentence[] {
  const fault = faultOf(finding);
  if (fault === undefined) return [];
  const { kind } = fault;
  if (kind === 'unknown-key') {
    return [{ id: `${document}-unknown-key`, data: { keyId: shortened(fault.keyId) } }];
  }
  const { label } = factsOf(fault);
  const data = omitUndefined({ label, reason: kind });
  if (isRefusal(kind)) return [{ id: 'key-not-trusted', data: { ...data, document } }];
  // If a document names no key, a signature by an unpinned key cannot be distinguished from a changed document.
  const ways = { 'no-key-matches': 'no-key-fits', 'named-key-fails': 'not-genuine' } as const;
  const way = kind in ways ? ways[kind as keyof typeof ways] : 'unreadable';
  const isDoubtful = finding?.glued !== undefined && way !== 'no-key-fits';
  return [{ id: `${document}-${isDoubtful ? 'glued' : way}`, data }];
}

/** Shortens a key id so that it can still be recognised; the check shows it whole. */
function shortened(keyId: string): string {
  if (/^[\da-f]{12,}$/i.test(keyId)) return `${keyId.slice(0, 4)}…`;
  return keyId.length > 24 ? `${keyId.slice(0, 24)}…` : keyId;
}

const mismatchSentences: readonly (readonly [CheckId, HeadlineSentence['id']])[] = [
  ['domain', 'mismatch-domain'],
  ['installation', 'mismatch-installation'],
  ['product', 'mismatch-product'],
  ['certificate-matches-license', 'mismatch-license'],
  ['not-from-the-future', 'issued-ahead'],
];

function mismatchesOf(checks: readonly Check[]): HeadlineSentence[] {
  return mismatchSentences.flatMap(([checkId, id]) => {
    const failed = checks.find((one) => one.id === checkId && one.outcome === 'fail');
    return failed === undefined ? [] : [{ id, data: { ...failed.data, reason: failed.reason } }];
  });
}

function standingSentence(
  { bundle: { license, certificate }, checks, answer }: HeadlineInput,
  standing: Exclude<FileStanding, 'unverified'>,
): HeadlineSentence {
  const grace = checks.find(({ id }) => id === 'grace')?.reason;
  const says = certificate?.verified;
  const data: Facts = omitUndefined({
    domain: says?.domain ?? license?.verified?.domain,
    product: license?.verified?.productSlug ?? says?.productSlug,
    nextValidationAt: says?.nextValidationAt,
    graceUntil: says?.graceUntil,
  });
  if (standing === 'grace' && grace === 'open-stated') return { id: 'grace-stated', data };
  // A license that was never activated can be refused too.
  if (answer?.outcome === 'refused') {
    const { msg } = answer;
    return { id: 'denied-refused', data: { ...data, ...(msg !== '' && { msg }) } };
  }
  if (standing === 'denied' && grace === 'refused') return { id: 'denied-refused', data };
  if (standing === 'denied' && grace === 'refused-stated') {
    return { id: 'denied-refused-stated', data };
  }
  return { id: standing, data };
}

/** Lists the remarks that qualify good news, one sentence each. */
function remarksOf({ bundle, checks, moment }: HeadlineInput): HeadlineSentence[] {
  const { license, certificate, hasUndatedRival, isUnassigned } = bundle;
  const remarks: HeadlineSentence[] = [];
  const verified = license?.verified;
  if (verified?.expiresAt !== undefined && verified.expiresAt <= moment) {
    remarks.push({ id: 'license-expired', data: { expiresAt: verified.expiresAt } });
  }
  if (verified?.unreadable.includes('expires_at') === true) {
    remarks.push({ id: 'license-end-unreadable', data: {} });
  }
  const product = checks.find(({ id }) => id === 'product');
  if (product?.reason === 'other-name') remarks.push({ id: 'other-name', data: product.data });
  const match = checks.find(({ id }) => id === 'certificate-matches-license');
  if (match?.reason === 'other-signer') remarks.push({ id: 'other-signer', data: match.data });
  if (isUnassigned) remarks.push({ id: 'unassigned', data: {} });
  const undated = [license, certificate].find((one) =>
    one?.verified?.signed.notes.includes('no-issue-date'),
  );
  if (undated !== undefined) {
    const label = undated.verified?.signed.label ?? '';
    remarks.push({ id: 'undated-under-limited-key', data: { label } });
  }
  if (hasUndatedRival) remarks.push({ id: 'undated-certificate', data: {} });
  const clock = checks.find(({ id, reason }) => id === 'clock' && reason === 'turned-back');
  if (clock !== undefined) remarks.push({ id: 'clock-turned-back', data: clock.data });
  return remarks;
}

/** What to judge about documents that have been found. */
export interface InspectOptions {
  /** The moment to judge at, epoch milliseconds. */
  readonly now: number;
  /** The latest moment that the real clock has shown. Leave it out to judge at another moment than the present. */
  readonly latestSeen?: number;
  readonly expected?: Expected;
  /**
   * The installation's last contact, if known from another source than the file; it takes precedence over the file's.
   */
  readonly lastContact?: LastContact;
  /** The agent says that the authority could not be reached. A refusal recorded in the file takes precedence. */
  readonly unreached?: boolean;
  /** Answers of authorities that were asked. A refusal outweighs the last contact that the file records. */
  readonly answers?: readonly AuthorityAnswer[];
}

export type InspectContext = VerifyContext & InspectOptions;

/**
 * Inspects a text or the bytes of a file: finds the documents in it, verifies them under the pinned keys and judges
 * them at one moment. Never rejects, whatever the source contains. The order of the documents does not affect the
 * result.
 * @param source at most 256 KiB each; several are read as one source: a license and its certificate in separate files.
 * A fault instead says why nothing was read
 * @example
 * const { standing, headline } = await inspectText(file, { keys, engine: await chooseEngine(), now: Date.now() });
 */
export async function inspectText(
  source: Sources | SourceFault,
  context: InspectContext,
): Promise<Inspection> {
  return inspect(await findDocuments(source, context), context);
}

/** Judges the documents found, at any moment, without verifying signatures again. */
function inspect(found: FoundDocuments, options: InspectOptions): Inspection {
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
  const { fault, repairs, stated } = found;
  const next =
    standing === 'unverified' ? undefined : nextTransition(standing, certificate?.verified);
  return omitUndefined({
    standing,
    headline: headlineOf({ bundle, standing, checks, moment, answer, fault }),
    checks,
    license: license && viewOf(license),
    certificate: certificate && viewOf(certificate),
    otherCertificates: [
      ...bundle.others.map(viewOf),
      ...bundle.foreign.map((one) => ({ ...viewOf(one), because: 'other-signer' as const })),
    ],
    moment,
    next,
    repairs,
    sourceFault: fault,
    stated,
    forms: formsOf(bundle),
    others: [],
  });
}

/**
 * Judges the standing from the file alone. If any document in it does not verify, the standing is `unverified`. A
 * mismatch with what was expected has no effect here.
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

/** Returns the newest answer about exactly these documents that was given by a moment. */
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

/** Returns the last contact as of a moment; one after that moment has not happened yet. */
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
    checkSignature('license-signature', license),
    checkLicensePayload(license, moment),
    checkSignature('certificate-signature', certificate),
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

function viewOf<Content, Verified extends { readonly signed: SignedBy }, Fault>({
  raw,
  where,
  verified,
  says,
  fault,
  signer,
}: Found<Content, Verified, Fault>): DocumentView<Content, Fault> {
  const signed = verified?.signed ?? signer;
  return omitUndefined({ raw, where, genuine: verified !== undefined, says, signed, fault });
}

function formsOf({ license, certificate }: Bundle): SignedFormSeen[] {
  return [license?.verified, certificate?.verified]
    .filter((one) => one !== undefined)
    .map(({ kind, signed }) => ({ key: signed.key, document: kind, form: signed.form }));
}
