import { check, known } from '#core/license/inspect/check';
import type { Certificate } from '#core/license/document/certificate';
import { CLOCK_TOLERANCE_MS } from '#core/license/clock';
import { compareDomains, hasHiddenCharacters } from '#core/license/document/domain';
import type { StatedFields } from '#core/license/extract/stated-fields';
import type { Check, Expected } from '#core/license/inspect/inspection';
import { sameInstallation } from '#core/license/document/installation-id';
import type { License } from '#core/license/document/license';

/** What the documents of one subject say, believed or not, and what they are held against. */
export interface Comparison {
  readonly license?: License;
  readonly certificate?: Certificate;
  /** From the ticket; it goes before what the file states. */
  readonly expected: Expected;
  readonly stated: StatedFields;
}

/** The values to compare with, the ticket's first. */
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

export function checkDomain(comparison: Comparison): Check {
  const bound = comparison.certificate?.domain ?? comparison.license?.domain;
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
  return check('domain', 'pass', 'equal', { bound, source: wanted[0]?.source ?? 'file' });
}

export function checkInstallation(comparison: Comparison): Check {
  const bound = comparison.certificate?.installationId;
  if (bound === undefined) return check('installation', 'skip', 'absent');
  const wanted = expectations('installationId', comparison);
  if (wanted.length === 0) return check('installation', 'skip', 'nothing-expected', { bound });
  for (const { value, source } of wanted) {
    const same = sameInstallation(bound, value);
    const data = { bound, expected: value, source };
    if (same === undefined) return check('installation', 'fail', 'unreadable', data);
    if (!same) return check('installation', 'fail', 'different', data);
  }
  return check('installation', 'pass', 'equal', { bound, source: wanted[0]?.source ?? 'file' });
}

export function checkProduct(comparison: Comparison): Check {
  const { license, certificate } = comparison;
  if (license === undefined && certificate === undefined) return check('product', 'skip', 'absent');
  const slugs = [certificate?.productSlug, license?.productSlug].filter(
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
  return check('product', 'pass', 'equal', { bound, source: wanted[0]?.source ?? 'file' });
}

/** What both documents name must be the same. */
export function checkMatch({ license, certificate }: Comparison): Check {
  const id = 'certificate-matches-license';
  if (license === undefined || certificate === undefined) return check(id, 'skip', 'absent');
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
  return shared.length === 0
    ? check(id, 'warn', 'nothing-shared')
    : check(id, 'pass', 'agrees', { fields: shared.join(', ') });
}

export function checkNotFromTheFuture({ license, certificate }: Comparison, moment: number): Check {
  const id = 'not-from-the-future';
  const documents = [certificate, license].filter((document) => document !== undefined);
  if (documents.length === 0) return check(id, 'skip', 'absent');
  const dated = documents.filter(({ issuedAt }) => issuedAt !== undefined);
  const ahead = dated.find(({ issuedAt = 0 }) => issuedAt > moment + CLOCK_TOLERANCE_MS);
  if (ahead !== undefined) {
    return check(id, 'fail', 'ahead', { document: ahead.kind, issuedAt: ahead.issuedAt ?? 0 });
  }
  const [first] = dated;
  return first === undefined
    ? check(id, 'skip', 'undated')
    : check(id, 'pass', 'past', { document: first.kind, issuedAt: first.issuedAt ?? 0 });
}
