import type { AnswerSummary } from '#core/check/index';
import { purchaseProblems } from '#core/marketplaces/index';
import { succeed, omitUndefined } from '#core/result';
import { type PurchaseSituation, purchaseSituations } from '#core/reply-templates/index';
import {
  dayFact,
  momentFact,
  type ReplyFacts,
  textFact,
  wordsFact,
} from '#core/replies/reply-facts';
import { dayMs } from '#core/time/index';
import type { ExpectedItem } from '#core/items/index';
import { type VerdictWord, wordOf } from '#core/verdict/index';

/** A seller's answer about one code, to write to the customer about. */
export interface AnsweredCode {
  readonly connectionId: string;
  /** The code for display: masked, unless the agent wants it whole. */
  readonly code: string;
  readonly connection: string;
  /** Epoch milliseconds. */
  readonly checkedAt: number;
  readonly answer: AnswerSummary;
  /** The buyer, if the marketplace says so. Stored answers do not contain it. */
  readonly customer?: string | undefined;
  /** The item that the ticket is about, if known. */
  readonly expected?: ExpectedItem | undefined;
}

/**
 * Returns the facts that a reply about a purchase may use.
 * @param now epoch milliseconds
 */
export function purchaseReplyFacts(
  { connectionId, code, connection, checkedAt, answer, customer, expected }: AnsweredCode,
  now: number,
): ReplyFacts {
  const asked = {
    code: textFact(code),
    connection: textFact(connection),
    checked: dayFact(checkedAt),
  };
  if (answer.kind === 'not-found') {
    const values = omitUndefined({ ...asked, item: wordsFact(['this-item']) });
    return { situation: 'not-found', values };
  }
  const { item, licenseType, date, supportedUntil } = answer.purchase;
  const word = wordOf({ connectionId, outcome: succeed(answer) }, expected, now);
  const problem = purchaseProblems.find((each) => each === word);
  return {
    situation: situationOf(word),
    values: omitUndefined({
      ...asked,
      item: textFact(item.name) ?? wordsFact(['this-item']),
      item_id: textFact(String(item.id)),
      expected_item: word === 'other-item' ? textFact(expected?.name) : undefined,
      customer: textFact(customer?.trim()),
      version: textFact(item.version),
      license:
        licenseType === '' ? undefined : ({ kind: 'license-type', sent: licenseType } as const),
      bought: dayFact(date),
      problem: problem && wordsFact([`void-${problem}`]),
      supported_until: isNear(supportedUntil, now)
        ? momentFact(supportedUntil)
        : dayFact(supportedUntil),
      support_span:
        supportedUntil === undefined
          ? undefined
          : ({ kind: 'span', at: supportedUntil, now } as const),
    }),
  };
}

/** Tells whether a moment is so near that its date could differ in the reader's time zone and that would matter. */
function isNear(at: number | undefined, now: number): boolean {
  return at !== undefined && Math.abs(at - now) < 2 * dayMs;
}

function situationOf(word: VerdictWord): PurchaseSituation {
  const same = purchaseSituations.find((situation) => situation === word);
  return same ?? (word === 'untold' ? 'genuine' : 'void');
}
