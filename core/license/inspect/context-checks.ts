import type { Bundle } from '#core/license/inspect/bundles';
import { check, known } from '#core/license/inspect/check';
import type { ExaminedCertificate, ExaminedLicense } from '#core/license/inspect/examine';
import type { Certificate } from '#core/license/document/certificate';
import { clockToleranceMs } from '#core/license/clock';
import { compareDomains, hasHiddenCharacters } from '#core/license/document/domain';
import type { StatedFields } from '#core/license/extract/stated-fields';
import type { Check, Expected } from '#core/license/inspect/inspection';
import { sameInstallation } from '#core/license/document/installation-id';
import type { License } from '#core/license/document/license';

/** Holds one bundle, and what it is held against. Only what is verified is compared. */
export interface Comparison {
  readonly bundle: Bundle;
  /** From the ticket; it goes before what the file states. */
  readonly expected: Expected;
  readonly stated: StatedFields;
}

/** Tells whether a document is there and is not verified: nothing may rest on it. */
export function isUnproven(document: ExaminedLicense | ExaminedCertificate | undefined): boolean {
  return document !== undefined && document.verified === undefined;
}

/** Returns the values to compare with, the ticket's first. */
function expectations(
  field: keyof Expected,
  { expected, stated }: Comparison,
): { readonly value: string; readonly source: 'ticket' | 'file' }[] {
  const all = [
    { value: expected[field]?.trim() ?? '', source: 'ticket' as const },
    { value: stated[field]?.trim() ?? '', source: 'file' as const },
  ];
  return all.filter(({ value }) => value !== '');
}

/** Passes a check; says apart whether the ticket agrees or the file alone with itself. */
function agreement(
  id: 'domain' | 'installation' | 'product',
  bound: string,
  wanted: ReturnType<typeof expectations>,
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
  if (wanted.length === 0) return check('product', 'skip', 'nothing-expected', known({ bound }));
  if (bound === undefined) {
    return check('product', 'warn', 'not-stated', { expected: wanted[0]?.value ?? '' });
  }
  for (const { value, source } of wanted) {
    const other = slugs.find((slug) => slug !== value);
    if (other !== undefined) {
      return check('product', 'fail', 'different', { bound: other, expected: value, source });
    }
  }
  return agreement('product', bound, wanted);
}

/** Checks that license and certificate agree in all that both name, and tells what ties them together. */
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
