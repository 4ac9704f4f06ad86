import type { Bundle } from '#core/license/inspect/bundles';
import type {
  FoundCertificate,
  FoundDocument,
  FoundLicense,
} from '#core/license/inspect/documents';
import type {
  Check,
  ContentFaultKind,
  Expected,
  CheckId,
  CheckOutcome,
  CheckReasons,
  Facts,
} from '#core/license/inspect/inspection';
import { type KeyRefusal, keyRefusals, type KeyWarning, type SignedBy } from '#core/license/verify';
import { type Certificate, sameInstallation, type License } from '#core/license/document/document';
import { type LastContact, standingAt } from '#core/license/standing';
import { type Clock, clockToleranceMs, trustedMoment } from '#core/time/index';
import { compareDomains } from '#core/license/document/domain';
import { hasHiddenCharacters } from '#core/http/host';
import { omitUndefined } from '#core/result';
import type { StatedFields } from '#core/license/extract/stated-fields';

/** Faults of a document's content, as opposed to its signature. */
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

export function isRefusal(kind: string): kind is KeyRefusal {
  return (keyRefusals as readonly string[]).includes(kind);
}

function isOfContent(kind: string): kind is ContentFaultKind {
  return contentFaults.has(kind);
}

type SignatureCheckId = 'license-signature' | 'certificate-signature';

export function checkSignature(id: SignatureCheckId, found: FoundDocument | undefined): Check {
  if (found === undefined) return check(id, 'skip', 'absent');
  const signed = signerOf(found);
  if (signed !== undefined) return holding(id, signed);
  const fault = faultOf(found);
  const kind = fault?.kind ?? 'not-an-envelope';
  // Without the key nothing failed; it just could not be verified.
  const outcome = kind === 'no-keys' || kind === 'unknown-key' ? 'skip' : 'fail';
  return check(id, outcome, kind, factsOf(fault));
}

function holding(id: SignatureCheckId, { notes, label, form }: SignedBy): Check {
  const data = { label, ...form };
  return notes.includes('other-form')
    ? check(id, 'warn', 'unusual-form', data)
    : check(id, 'pass', 'holds', data);
}

/**
 * The check of content without a valid signature: the content itself has a fault, or was opened, or could not be read.
 */
function unverified(
  id: 'license-payload' | 'certificate-fields',
  { fault, signer, says }: FoundDocument,
): Check {
  const kind = fault?.kind ?? 'not-an-envelope';
  if (signer !== undefined && isOfContent(kind)) return check(id, 'fail', kind, factsOf(fault));
  const wasOpened = says !== undefined || isOfContent(kind);
  return check(id, 'skip', wasOpened ? 'not-verified' : 'unread');
}

export function checkLicensePayload(license: FoundLicense | undefined, moment: number): Check {
  const id = 'license-payload';
  if (license === undefined) return check(id, 'skip', 'absent');
  const { verified } = license;
  if (verified === undefined) return unverified(id, license);
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
  const { verified } = certificate;
  if (verified === undefined) return unverified(id, certificate);
  if (hasUndatedRival) return check(id, 'warn', 'undated-beside');
  return verified.unreadable.length > 0
    ? check(id, 'warn', 'unreadable-date', { fields: verified.unreadable.join(', ') })
    : check(id, 'pass', 'readable', { domain: verified.domain });
}

export function checkKeyStatus({ license, certificate }: Bundle): Check {
  const id = 'key-status';
  const found = [license, certificate].filter((one) => one !== undefined);
  for (const one of found) {
    const { kind = '' } = faultOf(one) ?? {};
    const data = { ...factsOf(faultOf(one)), document: one.kind };
    if (isRefusal(kind)) return check(id, 'fail', kind, data);
  }
  for (const one of found) {
    const { notes = [], label = '' } = signerOf(one) ?? {};
    const note = notes.find((each) => notedWarnings.has(each));
    if (note !== undefined) return check(id, 'warn', note, { document: one.kind, label });
  }
  const signers = found.flatMap((one) => signerOf(one) ?? []);
  const [first] = signers;
  if (first === undefined) return check(id, 'skip', 'unknown');
  const test = signers.find(({ kind }) => kind === 'test');
  if (test !== undefined) return check(id, 'pass', 'test', { label: test.label });
  const unstated = signers.find(({ kind }) => kind === 'unstated');
  if (unstated !== undefined) return check(id, 'warn', 'unstated', { label: unstated.label });
  return check(id, 'pass', 'live', { label: first.label });
}

/** Warnings reported in other checks. An unusual form is reported with the signature. */
const notedWarnings: ReadonlySet<string> = new Set<KeyWarning>(['no-issue-date', 'other-key-id']);

function signerOf({ verified, signer }: FoundDocument): SignedBy | undefined {
  return verified?.signed ?? signer;
}

/** Returns why a document does not count: a failed signature outweighs unreadable content. */
export function faultOf(found: FoundDocument | undefined): FoundDocument['fault'] {
  return found?.signerFault ?? found?.fault;
}

/** One bundle and what to compare it with. Only verified documents are compared. */
export interface Comparison {
  readonly bundle: Bundle;
  /** From the ticket; it takes precedence over what the file states. */
  readonly expected: Expected;
  readonly stated: StatedFields;
}

/** Tells whether a document is present but not verified, so that nothing may rely on it. */
function isUnproven(document: FoundDocument | undefined): boolean {
  return document !== undefined && document.verified === undefined;
}

/** The expected value of a field, and its source. */
interface Expectation {
  readonly value: string;
  readonly source: 'ticket' | 'file';
}

/** Returns the expected values, the ticket's first. */
function expectations(field: keyof Expected, { expected, stated }: Comparison): Expectation[] {
  const all = [
    { value: expected[field]?.trim() ?? '', source: 'ticket' as const },
    { value: stated[field]?.trim() ?? '', source: 'file' as const },
  ];
  return all.filter(({ value }) => value !== '');
}

/** Passes a check, and distinguishes agreement with the ticket from agreement within the file. */
function agreement(
  id: 'domain' | 'installation' | 'product',
  bound: string,
  wanted: readonly Expectation[],
): Check {
  const source = wanted[0]?.source ?? 'file';
  return check(id, 'pass', source === 'ticket' ? 'equal' : 'in-file', { bound, source });
}

export function checkDomain(comparison: Comparison): Check {
  const { license, certificate } = comparison.bundle;
  if (isUnproven(certificate ?? license)) return check('domain', 'skip', 'not-verified');
  const bound = certificate?.verified?.domain ?? license?.verified?.domain;
  if (bound === undefined) return check('domain', 'skip', 'absent');
  if (hasHiddenCharacters(bound)) return check('domain', 'fail', 'hidden-characters', { bound });
  const wanted = expectations('domain', comparison);
  if (wanted.length === 0) return check('domain', 'skip', 'nothing-expected', { bound });
  for (const { value, source } of wanted) {
    const difference = compareDomains(bound, value);
    if (difference !== 'equal') {
      return check('domain', 'fail', difference, { bound, expected: value, source });
    }
  }
  return agreement('domain', bound, wanted);
}

export function checkInstallation(comparison: Comparison): Check {
  const { certificate } = comparison.bundle;
  if (isUnproven(certificate)) return check('installation', 'skip', 'not-verified');
  const bound = certificate?.verified?.installationId;
  if (bound === undefined) return check('installation', 'skip', 'absent');
  const wanted = expectations('installationId', comparison);
  if (wanted.length === 0) return check('installation', 'skip', 'nothing-expected', { bound });
  for (const { value, source } of wanted) {
    const same = sameInstallation(bound, value);
    const data = { bound, expected: value, source };
    if (same === undefined) return check('installation', 'fail', 'unreadable', data);
    if (!same) return check('installation', 'fail', 'different', data);
  }
  return agreement('installation', bound, wanted);
}

export function checkProduct(comparison: Comparison): Check {
  const { license, certificate } = comparison.bundle;
  if (license === undefined && certificate === undefined) return check('product', 'skip', 'absent');
  if (isUnproven(license) || isUnproven(certificate)) {
    return check('product', 'skip', 'not-verified');
  }
  const slugs = [certificate?.verified?.productSlug, license?.verified?.productSlug].filter(
    (slug) => slug !== undefined,
  );
  const wanted = expectations('productSlug', comparison);
  const [bound] = slugs;
  if (wanted.length === 0)
    return check('product', 'skip', 'nothing-expected', omitUndefined({ bound }));
  if (bound === undefined) {
    return check('product', 'warn', 'not-stated', { expected: wanted[0]?.value ?? '' });
  }
  const named = [certificate, license].flatMap((one) => one?.verified?.signed.productNames ?? []);
  for (const { value, source } of wanted) {
    const other = slugs.find((slug) => !isSameProduct(slug, value, named));
    if (other !== undefined) {
      const data = { bound: other, expected: value, source };
      // A file uses the same name as its documents. A ticket may use another one, unless the names are known.
      const isKnown = source === 'file' || named.some((names) => isAmong(value, names));
      return isKnown
        ? check('product', 'fail', 'different', data)
        : check('product', 'warn', 'other-name', data);
    }
  }
  return agreement('product', bound, wanted);
}

/**
 * Tells whether two names mean the same product: they are equal or in the same list of names, ignoring case.
 * @param named lists of names that mean the same product
 */
function isSameProduct(one: string, other: string, named: readonly (readonly string[])[]): boolean {
  return one === other || named.some((names) => isAmong(one, names) && isAmong(other, names));
}

function isAmong(name: string, names: readonly string[]): boolean {
  return names.some((one) => one.trim().toLowerCase() === name.trim().toLowerCase());
}

/** Checks that license and certificate agree in all fields that both have, and returns which field connects them. */
export function checkMatch({ bundle }: Comparison): Check {
  const id = 'certificate-matches-license';
  const { license, certificate } = bundle;
  if (certificate === undefined) return matchWithForeign(bundle);
  if (license === undefined) {
    return bundle.isUnassigned ? check(id, 'warn', 'unassigned') : check(id, 'skip', 'absent');
  }
  if (license.verified === undefined || certificate.verified === undefined) {
    return check(id, 'skip', 'not-verified');
  }
  return matchOf(license.verified, certificate.verified);
}

function matchWithForeign({ license, foreign: [beside] }: Bundle): Check {
  const id = 'certificate-matches-license';
  if (license === undefined || beside === undefined) return check(id, 'skip', 'absent');
  return check(id, 'warn', 'other-signer', {
    label: beside.verified?.signed.label ?? '',
    licenseLabel: license.verified?.signed.label ?? '',
  });
}

function matchOf(license: License, certificate: Certificate): Check {
  const id = 'certificate-matches-license';
  const shared = (['licenseId', 'productSlug', 'domain', 'licenseType'] as const).filter(
    (field) => license[field] !== undefined && certificate[field] !== undefined,
  );
  const differing = shared.filter((field) => {
    const [a, b] = [license[field] ?? '', certificate[field] ?? ''];
    return field === 'domain' ? compareDomains(b, a) !== 'equal' : a !== b;
  });
  const [first] = differing;
  if (first !== undefined) {
    return check(id, 'fail', 'differs', {
      fields: differing.join(', '),
      license: license[first] ?? '',
      certificate: certificate[first] ?? '',
    });
  }
  if (shared.includes('licenseId') || shared.includes('productSlug')) {
    return check(id, 'pass', 'agrees', { fields: shared.join(', ') });
  }
  const namesItsDomainAlone =
    certificate.licenseId === undefined && certificate.productSlug === undefined;
  return namesItsDomainAlone || shared.includes('domain')
    ? check(id, 'warn', 'domain-alone', { bound: certificate.domain })
    : check(id, 'warn', 'nothing-shared');
}

export function checkNotFromTheFuture({ bundle }: Comparison, moment: number): Check {
  const id = 'not-from-the-future';
  const found = [bundle.certificate, bundle.license].filter((one) => one !== undefined);
  if (found.length === 0) return check(id, 'skip', 'absent');
  const documents = found.map(({ verified }) => verified).filter((one) => one !== undefined);
  if (documents.length === 0) return check(id, 'skip', 'not-verified');
  const dated = documents.filter(({ issuedAt }) => issuedAt !== undefined);
  const ahead = dated.find(({ issuedAt = 0 }) => issuedAt > moment + clockToleranceMs);
  if (ahead !== undefined) {
    return check(id, 'fail', 'ahead', { document: ahead.kind, issuedAt: ahead.issuedAt ?? 0 });
  }
  const [first] = dated;
  return first === undefined
    ? check(id, 'skip', 'undated')
    : check(id, 'pass', 'past', { document: first.kind, issuedAt: first.issuedAt ?? 0 });
}

/** A last contact, and whether its only source is the file's unsigned part. */
export interface KnownContact extends LastContact {
  readonly isStated: boolean;
}

export function checkNextValidation(
  clock: Clock,
  certificate: FoundCertificate | undefined,
): Check {
  if (isUnproven(certificate)) return check('next-validation', 'skip', 'not-verified');
  if (certificate?.verified === undefined) return check('next-validation', 'skip', 'absent');
  const { nextValidationAt } = certificate.verified;
  return trustedMoment(clock).moment < nextValidationAt
    ? check('next-validation', 'pass', 'ahead', { nextValidationAt })
    : check('next-validation', 'warn', 'due', { nextValidationAt });
}

export function checkGrace(
  clock: Clock,
  certificate: FoundCertificate | undefined,
  last: KnownContact | undefined,
): Check {
  if (isUnproven(certificate)) return check('grace', 'skip', 'not-verified');
  if (certificate?.verified === undefined) return check('grace', 'skip', 'absent');
  const { graceUntil } = certificate.verified;
  const { moment, turnedBack } = trustedMoment(clock);
  const isStated = last?.isStated === true;
  if (last?.outcome === 'refused') {
    const data = { graceUntil, refusedAt: last.at };
    return check('grace', 'fail', isStated ? 'refused-stated' : 'refused', data);
  }
  switch (standingAt(clock, certificate.verified, last)) {
    case 'grace': {
      const data = { graceUntil, since: last?.at ?? moment };
      return check('grace', 'warn', isStated ? 'open-stated' : 'open', data);
    }
    case 'validation-due':
      return check('grace', 'warn', turnedBack ? 'clock' : 'not-shown', { graceUntil });
    case 'denied':
      return check('grace', 'fail', 'over', { graceUntil });
    case 'activated':
    case 'not-activated':
      return check('grace', 'pass', 'not-needed', { graceUntil });
  }
}

export function checkClock(clock: Clock): Check {
  const { now, latestSeen } = clock;
  if (latestSeen === undefined) return check('clock', 'skip', 'unknown', { now });
  return trustedMoment(clock).turnedBack
    ? check('clock', 'warn', 'turned-back', { now, latestSeen })
    : check('clock', 'pass', 'steady', { now, latestSeen });
}

function check<Id extends CheckId>(
  id: Id,
  outcome: CheckOutcome,
  reason: CheckReasons[Id],
  data: Facts = {},
): Check {
  return { id, outcome, reason, data } as Check;
}

/** Flattens a fault's members, except its kind: lists are joined, inner records spread. */
export function factsOf(fault: { readonly kind: string } | undefined): Facts {
  const facts: Record<string, string | number> = {};
  for (const [name, value] of Object.entries(fault ?? {}) as [string, unknown][]) {
    if (name === 'kind') continue;
    if (typeof value === 'string' || typeof value === 'number') facts[name] = value;
    else if (Array.isArray(value)) facts[name] = value.join(', ');
    else if (typeof value === 'object' && value !== null) Object.assign(facts, value);
  }
  return facts;
}
