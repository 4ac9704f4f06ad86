import type { Check, HeadlineSentence, Inspection } from '#core/license/index';
import type { LicenseSituation } from '#core/reply-templates/index';
import { type Result, fail, succeed } from '#core/result';

/** Why no reply can be written: nothing is known, or the agent has to look first. */
export type ReplyObstacle =
  | 'no-keys'
  /** A genuine document is dated in the future: this device's clock or the document is wrong. */
  | 'dated-ahead'
  /** The domain or installation id in the ticket or the file cannot be read. */
  | 'not-comparable'
  /** The inspection is about another moment than the present. */
  | 'other-moment';

type SentenceId = HeadlineSentence['id'];

/**
 * Finds the situation to write to a customer about: the one problem that has to be solved first. The authority's
 * refusal takes precedence over everything in a file, and a wrong product over deadlines.
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
  // A different name means a different product until somebody links the two names.
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

/** A failed signature outweighs unreadable content, which outweighs an unknown key. */
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
