import { expect, test } from 'vitest';

import { summariseAnswer } from '#core/history/answer-summary';
import { purchase } from '#tests/stores/check/samples';

test('of a purchase neither the code nor the texts and pictures of its item are stored', () => {
  const bought = purchase({ purchaseCode: 'A-1', unreadable: ['tags'] });
  const { id, name, version } = bought.item;
  const summary = summariseAnswer({ kind: 'purchase', purchase: bought });
  expect(summary).toMatchObject({
    kind: 'purchase',
    purchase: { supportedUntil: bought.supportedUntil, date: bought.date },
  });
  expect(summary).toHaveProperty('purchase.item', { id, name, version });
  expect(summary).not.toHaveProperty('purchase.purchaseCode');
  expect(summary).not.toHaveProperty('purchase.unreadable');
});

test('a not-found is stored as it is', () => {
  const missing = { kind: 'not-found', msg: 'no', key: 'good', proven: true } as const;
  expect(summariseAnswer(missing)).toEqual(missing);
});
