import { expect, test } from 'vitest';

import type { AnswerSummary } from '#core/check/index';
import { purchaseReplyFacts } from '#core/replies/purchase-facts';
import { dayMs } from '#core/time/index';

const bought = Date.UTC(2025, 0, 5);
const now = Date.UTC(2026, 10, 2);
const until = now + 90 * dayMs;
const asked = {
  connectionId: 'market',
  code: '31cc…9e11',
  connection: 'Market',
  checkedAt: now - 5000,
};
const purchase = (changes: object = {}, itemChanges: object = {}): AnswerSummary =>
  ({
    kind: 'purchase',
    purchase: {
      item: { id: 7, name: 'Orbit', version: '2.4', ...itemChanges },
      licenseType: 'Regular License',
      date: bought,
      supportedUntil: until,
      ...changes,
    },
  }) as unknown as AnswerSummary;

const always = {
  code: { kind: 'text', text: '31cc…9e11' },
  connection: { kind: 'text', text: 'Market' },
  checked: { kind: 'day', at: now - 5000 },
};

test('a supported purchase names all its facts', () => {
  expect(purchaseReplyFacts({ ...asked, answer: purchase() }, now)).toStrictEqual({
    situation: 'supported',
    values: {
      ...always,
      item: { kind: 'text', text: 'Orbit' },
      item_id: { kind: 'text', text: '7' },
      version: { kind: 'text', text: '2.4' },
      license: { kind: 'license-type', sent: 'Regular License' },
      bought: { kind: 'day', at: bought },
      supported_until: { kind: 'day', at: until },
      support_span: { kind: 'span', at: until, now },
    },
  });
});

test('what the seller left out is left out, and an item without a name is “this item”', () => {
  const answer = purchase(
    { licenseType: '', supportedUntil: undefined },
    { name: '', version: '' },
  );
  expect(purchaseReplyFacts({ ...asked, answer }, now)).toStrictEqual({
    situation: 'no-support',
    values: {
      ...always,
      item: { kind: 'words', ids: ['this-item'] },
      item_id: { kind: 'text', text: '7' },
      bought: { kind: 'day', at: bought },
    },
  });
});

test('support that ends about now has its hour', () => {
  for (const apart of [-1, 1]) {
    const { values } = purchaseReplyFacts({ ...asked, answer: purchase() }, until + apart * dayMs);
    expect(values.supported_until).toEqual({ kind: 'moment', at: until });
  }
});

test('a lapsed purchase is one, at the moment of the reply', () => {
  const { situation } = purchaseReplyFacts({ ...asked, answer: purchase() }, until + 1);
  expect(situation).toBe('lapsed');
});

test('a not-found names what was asked, where and when', () => {
  const answer = { kind: 'not-found' } as AnswerSummary;
  expect(purchaseReplyFacts({ ...asked, answer }, now)).toStrictEqual({
    situation: 'not-found',
    values: { ...always, item: { kind: 'words', ids: ['this-item'] } },
  });
});

test('a purchase of another item than the ticket is about names both, whatever its support', () => {
  const expected = { connectionId: 'market', itemId: 8, name: 'Compass' };
  for (const answer of [purchase(), purchase({ supportedUntil: undefined })])
    expect(purchaseReplyFacts({ ...asked, answer, expected }, now)).toMatchObject({
      situation: 'other-item',
      values: {
        item: { kind: 'text', text: 'Orbit' },
        expected_item: { kind: 'text', text: 'Compass' },
      },
    });
  const same = { ...expected, itemId: 7 };
  const { situation, values } = purchaseReplyFacts(
    { ...asked, answer: purchase(), expected: same },
    now,
  );
  expect(situation).toBe('supported');
  expect(values).not.toHaveProperty('expected_item');
});

test('the buyer is told to nobody, even where the answer still names one', () => {
  const buyer = { name: 'Jo Marlin', email: 'buyer@harbour.example' };
  const facts = purchaseReplyFacts({ ...asked, answer: purchase({ buyer }) }, now);
  expect(JSON.stringify(facts)).not.toMatch(/Marlin|harbour/u);
});
