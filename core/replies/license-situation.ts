import type { Check, HeadlineSentence, Inspection } from '#core/license/index';
import type { LicenseSituation } from '#core/reply-templates/index';
import { type Result, fail, succeed } from '#core/result';

/** Why there is nothing to tell the customer: nothing is known, or the agent has to look first. */
export type ReplyObstacle =
  | 'no-keys'
  /** A genuine document is dated in the future: this device's clock or the document is wrong. */
  | 'dated-ahead'
  /** The domain or installation id in the ticket or the file cannot be read. */
  | 'not-comparable'
  /** Another moment than the present is asked about. */
  | 'other-moment';

type SentenceId = HeadlineSentence['id'];

/**
 * Finds what to tell a customer about an inspected license: the one thing that has to be settled first. The authority's
 * refusal goes before everything a file says, and a license of another product before its deadlines.
 */
export function licenseSituationOf(
  inspection: Inspection,
): Result<LicenseSituation, ReplyObstacle> {
  const { standing, headline } = inspection;
  const ids = new Set<SentenceId>(headline.sentences.map(({ id }) => id));
  if (ids.has('not-verified')) return fail('no-keys');
  if (standing === 'unverified') return succeed(doubtOf([...ids]));
  if (ids.has('denied-refused')) return succeed('refused');
  if (ids.has('issued-ahead')) return fail('dated-ahead');
  // Another name means another product until somebody links the two names.
  if (ids.has('mismatch-product') || ids.has('other-name')) return succeed('wrong-product');
  if (ids.has('mismatch-license')) return succeed('mismatched');
  if (ids.has('license-expired')) return succeed('expired');
  if (ids.has('mismatch-domain')) return compared(inspection, 'domain', 'wrong-domain');
  if (ids.has('mismatch-installation'))
    return compared(inspection, 'installation', 'other-installation');
  return succeed(ids.has('denied-refused-stated') ? 'refused' : standing);
}

export function failedCheck<Id extends Check['id']>(
  { checks }: Pick<Inspection, 'checks'>,
  id: Id,
): Extract<Check, { readonly id: Id }> | undefined {
  return checks.find(
    (check): check is Extract<Check, { readonly id: Id }> =>
      check.id === id && check.outcome === 'fail',
  );
}

/** A signature that fails weighs more than content that cannot be read, and that more than a key that is not known. */
function doubtOf(ids: readonly SentenceId[]): LicenseSituation {
  if (ids.some((id) => id.endsWith('-not-genuine'))) return 'altered';
  const isOfKey = (id: SentenceId): boolean =>
    /-(?:unknown-key|no-key-fits)$/.test(id) || id === 'key-not-trusted';
  return ids.some((id) => !isOfKey(id)) ? 'unreadable' : 'unpinned-key';
}

function compared(
  inspection: Inspection,
  id: 'domain' | 'installation',
  situation: LicenseSituation,
): Result<LicenseSituation, ReplyObstacle> {
  return failedCheck(inspection, id)?.reason === 'unreadable'
    ? fail('not-comparable')
    : succeed(situation);
}
