import { purchaseReplyFacts } from '#core/replies/purchase-facts';
import {
  momentFact,
  type ReplyFact,
  type ReplyFacts,
  type ReplyWord,
  textFact,
  wordsFact,
} from '#core/replies/reply-facts';
import {
  isOfPurchase,
  type LicenseSituation,
  type PurchaseSituation,
  type ReplySituation,
  type ReplyVariable,
} from '#core/reply-templates/index';
import { omitUndefined } from '#core/result';
import { dayMs } from '#core/time/index';

const sampleCustomer = 'Ada Example';
const withoutSupport: ReadonlySet<PurchaseSituation> = new Set(['no-support', 'genuine', 'void']);

/**
 * Returns the facts of a sample reply for a situation. For a license they equal those of really signed and inspected
 * documents, which the tests verify.
 * @param now epoch milliseconds
 * @param itemName the item of the sample purchase
 */
export function sampleFacts(situation: ReplySituation, now: number, itemName: string): ReplyFacts {
  return isOfPurchase(situation)
    ? samplePurchaseFacts(situation, now, itemName)
    : sampleLicenseFacts(situation, now);
}

function samplePurchaseFacts(
  situation: PurchaseSituation,
  now: number,
  itemName: string,
): ReplyFacts {
  const asked = {
    connectionId: 'sample',
    code: '8678…dece',
    connection: '',
    checkedAt: now,
    customer: sampleCustomer,
  };
  if (situation === 'ask-code')
    return { situation, values: omitUndefined({ customer: textFact(sampleCustomer) }) };
  if (situation === 'not-found') {
    const answer = { kind: 'not-found', msg: '', key: 'good', proven: true } as const;
    return purchaseReplyFacts({ ...asked, answer }, now);
  }
  const supportedUntil = situation === 'supported' ? now + 120 * dayMs : now - 70 * dayMs;
  const purchase = {
    item: { id: 101, name: itemName, version: '3.2.1' },
    licenseType: 'Regular',
    currency: 'EUR',
    date: now - 210 * dayMs,
    ...(!withoutSupport.has(situation) && { supportedUntil }),
    ...(situation === 'genuine' && { supportUnknown: true as const }),
    ...(situation === 'void' && { problem: { kind: 'refunded' as const } }),
  };
  const expected = situation === 'other-item' ? { itemId: 102, name: 'Harbour' } : undefined;
  return purchaseReplyFacts({ ...asked, expected, answer: { kind: 'purchase', purchase } }, now);
}

/** How many days ago the sample's certificate was issued. It is valid for seven days and has two weeks of grace. */
const issuedBefore: Partial<Record<LicenseSituation, number>> = {
  'validation-due': 9,
  grace: 9,
  denied: 30,
};
/** The problem and advice to use for situations in which nothing is proven. */
const unprovenWords: Partial<Record<LicenseSituation, readonly ReplyWord[]>> = {
  'unpinned-key': ['unknown-key-license', 'advice-license'],
  altered: ['altered-license', 'advice-license'],
  unreadable: ['file-nothing', 'advice-file'],
};

function sampleLicenseFacts(situation: LicenseSituation, now: number): ReplyFacts {
  const checked = momentFact(now);
  const unproven = unprovenWords[situation];
  if (unproven !== undefined) {
    const [problem, advice] = unproven.map((word) => wordsFact([word]));
    const product = wordsFact(['this-product']);
    return { situation, values: omitUndefined({ product, checked, problem, advice }) };
  }
  const license = {
    product: textFact('ledgerline'),
    license: { kind: 'license-type', sent: 'Regular' } as const,
    license_id: textFact('L-2041'),
    checked,
  };
  const inDays = (days: number): ReplyFact | undefined => momentFact(now + days * dayMs);
  if (situation === 'expired')
    return { situation, values: omitUndefined({ ...license, expires: inDays(-3) }) };
  const named = { ...license, customer: textFact(sampleCustomer), issued: inDays(-200) };
  if (situation === 'not-activated') return { situation, values: omitUndefined(named) };
  const issued = -(issuedBefore[situation] ?? 2);
  const certificate = {
    domain: textFact('shop.example.com'),
    installation: textFact('5b1f6d1e-8a4c-4e52-9d10-5f2f6f3c1a77'),
    issued: inDays(issued),
    check_in: inDays(issued + 7),
    grace_until: inDays(issued + 21),
  };
  const special: Partial<
    Record<LicenseSituation, Partial<Record<ReplyVariable, ReplyFact | undefined>>>
  > = {
    refused: { asked_at: checked },
    'wrong-domain': {
      expected_domain: textFact('www.shop.example.com'),
      problem: wordsFact(['domain-www']),
    },
    'wrong-product': { expected_product: textFact('harbour-theme') },
    'other-installation': {
      expected_installation: textFact('0b3f6d1e-8a4c-4e52-9d10-5f2f6f3c1a88'),
    },
  };
  const values = { ...named, ...certificate, ...special[situation] };
  return { situation, values: omitUndefined(values) };
}
