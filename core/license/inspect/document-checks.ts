import { check, factsOf, known } from '#core/license/inspect/check';
import type { ExaminedCertificate, ExaminedLicense } from '#core/license/inspect/examine';
import type { Check, ContentFaultKind, KeyRefusal } from '#core/license/inspect/inspection';
import type { Bundle } from '#core/license/inspect/bundles';
import type { SignatureFault, SignedBy } from '#core/license/verify';

/** Faults of a document's content: its signature is another matter. */
const OF_CONTENT: ReadonlySet<string> = new Set<ContentFaultKind>([
  'certificate-fields',
  'other-type',
  'other-encoding',
  'not-an-object',
  'missing-fields',
  'unreadable-field',
  'deadlines-reversed',
  'ambiguous-json',
]);

const REFUSALS: ReadonlySet<string> = new Set<KeyRefusal>([
  'key-revoked',
  'outside-validity',
  'other-product',
  'other-authority',
]);

export function isRefusal(kind: string): kind is KeyRefusal {
  return REFUSALS.has(kind);
}

function isOfContent(kind: string): kind is ContentFaultKind {
  return OF_CONTENT.has(kind);
}

export function checkLicenseSignature(license: ExaminedLicense | undefined): Check {
  const id = 'license-signature';
  if (license === undefined) return check(id, 'skip', 'absent');
  const { verified, fault } = license;
  if (verified !== undefined) {
    const unusual = verified.signed.notes.includes('other-form');
    return check(id, unusual ? 'warn' : 'pass', unusual ? 'unusual-form' : 'holds', {
      label: verified.signed.label,
      ...verified.signed.form,
    });
  }
  const kind = fault?.kind ?? 'not-an-envelope';
  return check(id, isOfContent(kind) ? 'skip' : outcomeOf(kind), kind, facts(fault));
}

export function checkCertificateSignature(certificate: ExaminedCertificate | undefined): Check {
  const id = 'certificate-signature';
  if (certificate === undefined) return check(id, 'skip', 'absent');
  const { verified, fault, signer, signerFault } = certificate;
  const signed = verified?.signed ?? signer;
  if (signed !== undefined) {
    const unusual = signed.notes.includes('other-form');
    return check(id, unusual ? 'warn' : 'pass', unusual ? 'unusual-form' : 'holds', {
      label: signed.label,
      ...signed.form,
    });
  }
  const blamed = signerFault ?? fault;
  const kind = blamed?.kind ?? 'not-an-envelope';
  return check(id, outcomeOf(kind), kind, facts(blamed));
}

/** With no key at all nothing has failed: nothing could be asked. */
function outcomeOf(kind: string): 'fail' | 'skip' {
  return kind === 'no-keys' ? 'skip' : 'fail';
}

function facts(fault: { readonly kind: string } | undefined): ReturnType<typeof factsOf> {
  return fault === undefined ? {} : factsOf(fault);
}

export function checkLicensePayload(license: ExaminedLicense | undefined, moment: number): Check {
  const id = 'license-payload';
  if (license === undefined) return check(id, 'skip', 'absent');
  const { says, fault } = license;
  if (says === undefined) {
    const kind = fault?.kind ?? 'not-an-envelope';
    return isOfContent(kind) ? check(id, 'fail', kind, facts(fault)) : check(id, 'skip', 'unread');
  }
  const ambiguous = says.oddities.find((oddity) => oddity.endsWith('-name'));
  if (ambiguous !== undefined) return check(id, 'fail', ambiguous);
  const [inexact] = says.oddities;
  if (inexact !== undefined) return check(id, 'warn', inexact);
  if (says.unreadable.length > 0) {
    return check(id, 'warn', 'unreadable-date', { fields: says.unreadable.join(', ') });
  }
  if (says.expiresAt !== undefined && says.expiresAt <= moment) {
    return check(id, 'warn', 'expired', { expiresAt: says.expiresAt });
  }
  return says.claims === undefined
    ? check(id, 'pass', 'opaque', { bytes: says.bytes })
    : check(id, 'pass', 'readable', { claims: Object.keys(says.claims).length });
}

export function checkCertificateFields(certificate: ExaminedCertificate | undefined): Check {
  const id = 'certificate-fields';
  if (certificate === undefined) return check(id, 'skip', 'absent');
  const { says, fault } = certificate;
  if (says === undefined) {
    const kind = fault?.kind ?? 'not-an-envelope';
    return isOfContent(kind) ? check(id, 'fail', kind, facts(fault)) : check(id, 'skip', 'unread');
  }
  return says.unreadable.length > 0
    ? check(id, 'warn', 'unreadable-date', { fields: says.unreadable.join(', ') })
    : check(id, 'pass', 'readable', { domain: says.domain });
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
    const note = signed.notes.find((one) => one !== 'other-form');
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

function signerOf(finding: ExaminedLicense | ExaminedCertificate): SignedBy | undefined {
  return finding.verified?.signed ?? ('signer' in finding ? finding.signer : undefined);
}

function refusalOf(
  finding: ExaminedLicense | ExaminedCertificate,
): (SignatureFault & { readonly kind: KeyRefusal }) | undefined {
  const faults = [finding.fault, 'signerFault' in finding ? finding.signerFault : undefined];
  return faults.find(
    (fault): fault is SignatureFault & { readonly kind: KeyRefusal } =>
      fault !== undefined && isRefusal(fault.kind),
  );
}
