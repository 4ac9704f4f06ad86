import type { RepairId } from '#core/reading/index';
import type { Inspection } from '#core/license/index';
import {
  momentFact,
  type ReplyFacts,
  type ReplyWord,
  textFact,
  wordsFact,
} from '#core/replies/reply-facts';
import {
  failedCheck,
  licenseSituationOf,
  type ReplyObstacle,
} from '#core/replies/license-situation';
import { adviceWords, problemWords } from '#core/replies/license-words';
import type { LicenseSituation } from '#core/reply-templates/index';
import { type Result, fail, succeed, omitUndefined } from '#core/result';

/**
 * Returns the facts that a reply about an inspected license may use: only those of genuine documents, their checks, and
 * the ticket's values if those differ. If the authority refused when asked, that takes precedence over everything in
 * the file.
 */
export function licenseReplyFacts(inspection: Inspection): Result<ReplyFacts, ReplyObstacle> {
  const situation = licenseSituationOf(inspection);
  if (!situation.ok) return fail(situation.fault);
  const { headline, moment } = inspection;
  const refusal = headline.answer?.outcome === 'refused' ? headline.answer : undefined;
  const license = inspection.license?.genuine === true ? inspection.license.says : undefined;
  const certificate =
    inspection.certificate?.genuine === true ? inspection.certificate.says : undefined;
  // Two genuine certificates contradict each other, and it is not proven which one counts.
  const isUndated = headline.sentences.some(({ id }) => id === 'undated-certificate');
  const product = inspection.checks.find(
    ({ id, reason }) => id === 'product' && (reason === 'different' || reason === 'other-name'),
  )?.data;
  const domain = failedCheck(inspection, 'domain');
  const hasHiddenDomain = domain?.reason === 'hidden-characters';
  const installation = failedCheck(inspection, 'installation')?.data;
  const values = {
    product:
      textFact(wordIn(product, 'bound') ?? license?.productSlug ?? certificate?.productSlug) ??
      wordsFact(['this-product']),
    expected_product: textFact(wordIn(product, 'expected')),
    domain: hasHiddenDomain ? undefined : textFact(certificate?.domain ?? license?.domain),
    expected_domain: textFact(wordIn(domain?.data, 'expected')),
    customer: textFact(customerOf(license)),
    license: licenseTypeFact(license?.licenseType ?? certificate?.licenseType),
    license_id: textFact(license?.licenseId ?? certificate?.licenseId),
    installation: textFact(certificate?.installationId),
    expected_installation: textFact(wordIn(installation, 'expected')),
    check_in: isUndated ? undefined : momentFact(certificate?.nextValidationAt),
    grace_until: isUndated ? undefined : momentFact(certificate?.graceUntil),
    expires: momentFact(license?.expiresAt),
    // The facts shown come from the certificate; the license beside it may be years older.
    issued: momentFact((certificate ?? license)?.issuedAt),
    checked: momentFact(moment),
    asked_at: momentFact(refusal?.at ?? refusedAt(inspection)),
    answer: textFact(refusal?.msg),
    problem: wordsFact(problemWords(situation.value, inspection)),
    advice: wordsFact(adviceWords(inspection)),
    note: wordsFact(notesOn(situation.value, inspection)),
  };
  return succeed({ situation: situation.value, values: omitUndefined(values) });
}

/** Claims in which sellers name the customer; the interface does not define one. */
const customerClaims = ['customer', 'customer_name', 'buyer', 'buyer_name', 'licensee'];

function customerOf(license: NonNullable<Inspection['license']>['says']): string | undefined {
  const named = customerClaims.map((name) => license?.claims?.[name]);
  return named.find(
    (name) => typeof name === 'string' && !name.includes('@') && /\p{L}/u.test(name),
  ) as string | undefined;
}

function licenseTypeFact(
  sent: string | undefined,
): { readonly kind: 'license-type'; readonly sent: string } | undefined {
  return sent === undefined ? undefined : { kind: 'license-type', sent };
}

/** Returns when the authority refused, if known from another source than the file's unsigned part. */
function refusedAt(inspection: Inspection): number | undefined {
  const grace = failedCheck(inspection, 'grace');
  const at = grace?.data['refusedAt'];
  return grace?.reason === 'refused' && typeof at === 'number' ? at : undefined;
}

function wordIn(
  data: Readonly<Record<string, string | number>> | undefined,
  name: string,
): string | undefined {
  const value = data?.[name];
  return typeof value === 'string' ? value : undefined;
}

/** Repairs that mean that a file was damaged on its way. The others are usual in mail and forms. */
const damages: ReadonlySet<RepairId> = new Set<RepairId>([
  'line-breaks',
  'spaces',
  'invisible-characters',
  'mail-quotes',
  'quoted-printable',
  'dashes',
]);

function notesOn(situation: LicenseSituation, { headline, repairs }: Inspection): ReplyWord[] {
  // If the customer is asked for the file again, the same reply already explains how to send it.
  const isSentAgain = ['altered', 'unreadable', 'unpinned-key'].includes(situation);
  // Between BEGIN and END lines, line breaks are intended.
  const isArmoured = repairs.some(({ id }) => id === 'armour');
  const isDamaged =
    !isSentAgain &&
    repairs.some(({ id }) => damages.has(id) && !(isArmoured && id === 'line-breaks'));
  return [
    ...(headline.test ? ['note-test' as const] : []),
    ...(isDamaged ? ['note-damaged' as const] : []),
  ];
}
