import { describe, expect, test } from 'vitest';

import { summariseAnswer } from '#core/check/index';
import type { Purchase } from '#core/marketplaces/index';
import english from '#locales/en/answer.json' with { type: 'json' };
import { item } from '#tests/stores/check/samples';
import { columnFacts, type FactName, factsOf, readFacts } from '#core/verdict/shown-facts';

const moment = Date.UTC(2027, 2, 12);
const whole: Purchase = {
  purchaseCode: 'A-1',
  licenseType: 'Studio',
  price: 29,
  currency: 'USD',
  item,
  itemUnknown: true,
  supportedUntil: moment,
  downloaded: false,
  date: moment - 2,
  supportUnknown: true,
  buyer: { name: 'Jo Marlin', email: 'jo@harbour.example' },
  uses: { count: 3, limit: 5 },
  seats: 4,
  partlyRefunded: true,
  disputed: true,
  testMode: true,
  expiresAt: moment - 1,
  unreadable: ['tags'],
};
const answer = summariseAnswer({ kind: 'purchase', purchase: whole });
const stored = answer.kind === 'purchase' ? answer.purchase : expect.unreachable();

test('each fact has a label', () => {
  // The compiler asks for those of personal facts too.
  const labels: Readonly<Record<FactName, string>> = english.answer.fact;
  expect(Object.keys(labels)).toEqual(expect.arrayContaining(Object.keys(readFacts(undefined))));
});

test('who bought it is in the card alone', () => {
  const said = JSON.stringify([
    readFacts(stored),
    factsOf(whole, 'copy'),
    factsOf(whole, 'dialog'),
    columnFacts,
  ]);
  expect(said).not.toMatch(/buyer|Marlin|harbour/u);
  expect(factsOf(whole, 'card')).toContainEqual({
    name: 'buyer',
    value: { text: 'Jo Marlin, jo@harbour.example' },
  });
});

describe('in the card', () => {
  const names = (changes: Partial<Purchase>): string[] =>
    factsOf({ ...whole, ...changes }, 'card').map(({ name }) => name);

  test('a download is told where it has not happened', () => {
    expect(names({})).toContain('downloaded');
    expect(names({ downloaded: true })).not.toContain('downloaded');
  });

  test('what the verdict says is not said twice', () => {
    expect(names({})).toEqual(expect.arrayContaining(['disputed', 'testMode']));
    expect(names({ problem: { kind: 'disputed' } })).not.toContain('disputed');
    expect(names({ problem: { kind: 'test' } })).not.toContain('testMode');
    expect(names({})).not.toContain('supportedUntil');
  });
});

test('a purchase of which nothing is told has no facts', () => {
  expect(factsOf({ licenseType: '', currency: '', item }, 'copy')).toEqual([]);
});
