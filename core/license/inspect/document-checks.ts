import { check, factsOf, known } from '#core/license/inspect/check';
import type { ExaminedCertificate, ExaminedLicense } from '#core/license/inspect/examine';
import type { Check, ContentFaultKind, KeyRefusal } from '#core/license/inspect/inspection';
import type { Bundle } from '#core/license/inspect/bundles';
import type { KeyWarning, SignatureFault, SignedBy } from '#core/license/verify';

/** Names faults of a document's content: its signature is another matter. */
const contentFaults: ReadonlySet<string> = new Set<ContentFaultKind>([
  'certificate-fields',
  'other-type',
  'other-encoding',
  'not-an-object',
  'missing-fields',
  'unreadable-field',
  'deadlines-reversed',
  'ambiguous-json',
  'misplaced-license',
  'misplaced-certificate',
]);

const keyRefusals: ReadonlySet<string> = new Set<KeyRefusal>([
  'key-revoked',
  'outside-validity',
  'unreadable-issue-date',
  'other-product',
  'no-product',
  'other-authority',
]);

export function isRefusal(kind: string): kind is KeyRefusal {
  return keyRefusals.has(kind);
}

function isOfContent(kind: string): kind is ContentFaultKind {
  return contentFaults.has(kind);
}

export function checkLicenseSignature(license: ExaminedLicense | undefined): Check {
  const id = 'license-signature';
  if (license === undefined) return check(id, 'skip', 'absent');
  const signed = signerOf(license);
  if (signed !== undefined) return holding(id, signed);
  const blamed = license.signerFault ?? license.fault;
  const kind = blamed?.kind ?? 'not-an-envelope';
  return check(id, outcomeOf(kind), kind, facts(blamed));
}

export function checkCertificateSignature(certificate: ExaminedCertificate | undefined): Check {
  const id = 'certificate-signature';
  if (certificate === undefined) return check(id, 'skip', 'absent');
  const signed = signerOf(certificate);
  if (signed !== undefined) return holding(id, signed);
  const blamed = certificate.signerFault ?? certificate.fault;
  const kind = blamed?.kind ?? 'not-an-envelope';
  return check(id, outcomeOf(kind), kind, facts(blamed));
}

function holding(
  id: 'license-signature' | 'certificate-signature',
  { notes, label, form }: SignedBy,
): Check {
  const data = { label, ...form };
  return notes.includes('other-form')
    ? check(id, 'warn', 'unusual-form', data)
    : check(id, 'pass', 'holds', data);
}

/** Returns a signature check's outcome. Without the key nothing has failed: nothing could be verified. */
function outcomeOf(kind: string): 'fail' | 'skip' {
  return kind === 'no-keys' || kind === 'unknown-key' ? 'skip' : 'fail';
}

function facts(fault: { readonly kind: string } | undefined): ReturnType<typeof factsOf> {
  return fault === undefined ? {} : factsOf(fault);
}

export function checkLicensePayload(license: ExaminedLicense | undefined, moment: number): Check {
  const id = 'license-payload';
  if (license === undefined) return check(id, 'skip', 'absent');
  const { verified, fault, signer, says } = license;
  if (verified === undefined) {
    const kind = fault?.kind ?? 'not-an-envelope';
    if (signer !== undefined && isOfContent(kind)) return check(id, 'fail', kind, facts(fault));
    const wasOpened = says !== undefined || isOfContent(kind);
    return check(id, 'skip', wasOpened ? 'not-verified' : 'unread');
  }
  const ambiguous = verified.oddities.find((oddity) => oddity.endsWith('-name'));
  if (ambiguous !== undefined) return check(id, 'fail', ambiguous);
  if (verified.expiresAt !== undefined && verified.expiresAt <= moment) {
    return check(id, 'warn', 'expired', { expiresAt: verified.expiresAt });
  }
  const [inexact] = verified.oddities;
  if (inexact !== undefined) return check(id, 'warn', inexact);
  if (verified.unreadable.length > 0) {
    return check(id, 'warn', 'unreadable-date', { fields: verified.unreadable.join(', ') });
  }
  return verified.claims === undefined
    ? check(id, 'pass', 'opaque', { bytes: verified.bytes })
    : check(id, 'pass', 'readable', { claims: Object.keys(verified.claims).length });
}

export function checkCertificateFields({ certificate, hasUndatedRival }: Bundle): Check {
  const id = 'certificate-fields';
  if (certificate === undefined) return check(id, 'skip', 'absent');
  const { verified, fault, signer, says } = certificate;
  if (verified === undefined) {
    const kind = fault?.kind ?? 'not-an-envelope';
    if (signer !== undefined && isOfContent(kind)) return check(id, 'fail', kind, facts(fault));
    const wasOpened = says !== undefined || isOfContent(kind);
    return check(id, 'skip', wasOpened ? 'not-verified' : 'unread');
  }
  if (hasUndatedRival) return check(id, 'warn', 'undated-beside');
  return verified.unreadable.length > 0
    ? check(id, 'warn', 'unreadable-date', { fields: verified.unreadable.join(', ') })
    : check(id, 'pass', 'readable', { domain: verified.domain });
}

export function checkKeyStatus({ license, certificate }: Bundle): Check {
  const id = 'key-status';
  const found = [
    ...(license === undefined ? [] : [{ document: 'license', finding: license }]),
    ...(certificate === undefined ? [] : [{ document: 'certificate', finding: certificate }]),
  ];
  for (const { document, finding } of found) {
    const fault = refusalOf(finding);
    if (fault !== undefined) {
      return check(id, 'fail', fault.kind, { ...factsOf(fault), document });
    }
  }
  const signers = found.flatMap(({ document, finding }) => {
    const signed = signerOf(finding);
    return signed === undefined ? [] : [{ document, signed }];
  });
  for (const { document, signed } of signers) {
    const note = signed.notes.find((one) => notedWarnings.has(one));
    if (note !== undefined) return check(id, 'warn', note, { document, label: signed.label });
  }
  const [first] = signers;
  if (first === undefined) return check(id, 'skip', 'unknown');
  const test = signers.find(({ signed }) => signed.kind === 'test');
  return check(
    id,
    'pass',
    test === undefined ? 'live' : 'test',
    known({
      label: (test ?? first).signed.label,
    }),
  );
}

/** An unusual form is told with the signature. */
const notedWarnings: ReadonlySet<string> = new Set<KeyWarning>(['no-issue-date', 'other-key-id']);

function signerOf({
  verified,
  signer,
}: ExaminedLicense | ExaminedCertificate): SignedBy | undefined {
  return verified?.signed ?? signer;
}

function refusalOf({
  fault,
  signerFault,
}: ExaminedLicense | ExaminedCertificate):
  | (SignatureFault & { readonly kind: KeyRefusal })
  | undefined {
  return [fault, signerFault].find(
    (one): one is SignatureFault & { readonly kind: KeyRefusal } =>
      one !== undefined && isRefusal(one.kind),
  );
}
