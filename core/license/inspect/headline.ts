import { known } from '#core/license/inspect/check';
import { isRefusal } from '#core/license/inspect/document-checks';
import type { ExaminedCertificate, ExaminedLicense } from '#core/license/inspect/examine';
import type {
  Check,
  CheckId,
  Facts,
  FileStanding,
  InspectionHeadline,
  HeadlineSentence,
} from '#core/license/inspect/inspection';
import type { SourceFault } from '#core/license/encoding/source-fault';
import type { Bundle } from '#core/license/inspect/bundles';

type Tone = InspectionHeadline['tone'];

/** What a headline is made from: everything in it has been judged already. */
export interface HeadlineInput {
  readonly subject: Bundle;
  readonly standing: FileStanding;
  readonly checks: readonly Check[];
  readonly fault?: SourceFault;
}

/**
 * The one thing to say first, and what must be said with it. A mismatch leads, for a genuine license on the wrong domain is
 * the wrong license; the standing follows it unchanged.
 */
export function headlineOf(judged: HeadlineInput): InspectionHeadline {
  const { license, certificate } = judged.subject;
  const signers = [certificate?.verified, license?.verified].filter((one) => one !== undefined);
  const asOf = signers.find(({ issuedAt }) => issuedAt !== undefined)?.issuedAt;
  const { tone, sentences } = sentencesOf(judged);
  return {
    tone,
    sentences,
    test: signers.some(({ signed }) => signed.kind === 'test'),
    ...(asOf !== undefined && { asOf }),
  };
}

function sentencesOf({ subject, standing, checks, fault }: HeadlineInput): {
  readonly tone: Tone;
  readonly sentences: readonly HeadlineSentence[];
} {
  const { license, certificate } = subject;
  if (license === undefined && certificate === undefined) {
    const id = fault === undefined ? 'nothing-found' : (`source-${fault.kind}` as const);
    const data = fault?.kind === 'too-large' ? { limitBytes: fault.limitBytes } : {};
    return { tone: 'unknown', sentences: [{ id, data }] };
  }
  const findings = [license, certificate].filter((one) => one !== undefined);
  if (findings.some((one) => one.fault?.kind === 'no-keys')) {
    return { tone: 'unknown', sentences: [{ id: 'not-verified', data: {} }] };
  }
  if (standing === 'unverified') return { tone: 'bad', sentences: doubtsOf(license, certificate) };
  const mismatches = mismatchesOf(checks);
  const sentences = [
    ...mismatches,
    standingSentence(standing, subject, checks),
    ...remarksOf(checks),
  ];
  const turnedBack = sentences.some(({ id }) => id === 'clock-turned-back');
  const own = TONES[standing];
  const cautious = own === 'good' && turnedBack ? 'caution' : own;
  return { tone: mismatches.length > 0 ? 'bad' : cautious, sentences };
}

const TONES: Readonly<Record<Exclude<FileStanding, 'unverified'>, Tone>> = {
  'not-activated': 'caution',
  activated: 'good',
  'validation-due': 'caution',
  grace: 'caution',
  denied: 'bad',
};

function doubtsOf(
  license: ExaminedLicense | undefined,
  certificate: ExaminedCertificate | undefined,
): HeadlineSentence[] {
  return [...doubtOf('license', license), ...doubtOf('certificate', certificate)];
}

function doubtOf(
  document: 'license' | 'certificate',
  finding: ExaminedLicense | ExaminedCertificate | undefined,
): HeadlineSentence[] {
  const fault = finding?.fault;
  if (fault === undefined) return [];
  if (isRefusal(fault.kind)) {
    const label = 'label' in fault ? fault.label : '';
    return [{ id: 'key-not-trusted', data: { document, reason: fault.kind, label } }];
  }
  const forged = fault.kind === 'no-key-matches' || fault.kind === 'form-not-allowed';
  const id = forged ? (`${document}-not-genuine` as const) : (`${document}-unreadable` as const);
  return [{ id, data: { reason: fault.kind } }];
}

const MISMATCHES: readonly (readonly [CheckId, HeadlineSentence['id']])[] = [
  ['domain', 'mismatch-domain'],
  ['installation', 'mismatch-installation'],
  ['product', 'mismatch-product'],
  ['certificate-matches-license', 'mismatch-license'],
  ['not-from-the-future', 'issued-ahead'],
];

function mismatchesOf(checks: readonly Check[]): HeadlineSentence[] {
  return MISMATCHES.flatMap(([checkId, id]) => {
    const failed = checks.find((one) => one.id === checkId && one.outcome === 'fail');
    return failed === undefined ? [] : [{ id, data: { ...failed.data, reason: failed.reason } }];
  });
}

function standingSentence(
  standing: Exclude<FileStanding, 'unverified'>,
  { license, certificate }: Bundle,
  checks: readonly Check[],
): HeadlineSentence {
  const refused = checks.some(({ id, reason }) => id === 'grace' && reason === 'refused');
  const says = certificate?.says;
  const data: Facts = known({
    domain: says?.domain ?? license?.says?.domain,
    product: license?.says?.productSlug ?? says?.productSlug,
    nextValidationAt: says?.nextValidationAt,
    graceUntil: says?.graceUntil,
  });
  return { id: standing === 'denied' && refused ? 'denied-refused' : standing, data };
}

function remarksOf(checks: readonly Check[]): HeadlineSentence[] {
  return checks.flatMap(({ id, reason, data }): HeadlineSentence[] => {
    if (id === 'license-payload' && reason === 'expired') return [{ id: 'license-expired', data }];
    if (id === 'clock' && reason === 'turned-back') return [{ id: 'clock-turned-back', data }];
    return [];
  });
}
