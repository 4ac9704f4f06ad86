import { describe, expect, test } from 'vitest';

import { exactVerdictOf, supportOfVerdict, wordOf } from '#core/verdict/verdict-word';
import { type CheckReport, summariseAnswer, type CheckAnswer } from '#core/check/index';
import { bestFirst, verdictOf } from '#core/verdict/verdict';
import { type PurchaseProblem, purchaseProblems } from '#core/marketplaces/resources';
import { purchaseReplyFacts } from '#core/replies/index';
import { succeed } from '#core/result';
import { item } from '#tests/stores/check/samples';
import { exportRecordOf } from '#core/jobs/index';
import { chipFaceOf } from '#core/chips/index';

const now = Date.UTC(2026, 10, 25);
const bought = {
  purchaseCode: 'A1B2C3D4-00000001-9F8E7D6C-5B4A3928',
  licenseType: 'Studio',
  currency: 'USD',
  item,
  date: now - 1000,
  supportUnknown: true as const,
  buyer: { name: 'Jo Marlin', email: 'buyer@harbour.example' },
};
const against = (problem: PurchaseProblem): CheckAnswer => ({
  kind: 'purchase',
  purchase: { ...bought, problem },
});
const genuine: CheckAnswer = { kind: 'purchase', purchase: bought };

function reportOf(answer: CheckAnswer, connectionId = 'one'): CheckReport {
  const { purchaseCode: code } = bought;
  return { connectionId, code, checkedAt: now, cached: false, outcome: succeed(answer) };
}

describe('a purchase of a marketplace that tells no support period', () => {
  test('is genuine, and no period is made up', () => {
    const verdict = verdictOf(bought, now);
    expect(verdict).toEqual({ kind: 'untold' });
    expect(exactVerdictOf(verdict)).toBe('untold');
    expect(supportOfVerdict(verdict)).toBe('no-support');
    expect(chipFaceOf([reportOf(genuine)], now)).toBe('untold');
    expect(purchaseReplyFacts(asked(genuine), now).situation).toBe('genuine');
  });
});

describe.each(purchaseProblems)('a purchase that is %s', (kind) => {
  const answer = against({ kind });
  const report = reportOf(answer);

  test('has that verdict, whatever its support, and never one of support', () => {
    const purchase = { supportedUntil: now + 1000, problem: { kind } };
    expect(verdictOf(purchase, now)).toEqual({ kind: 'problem', problem: kind });
    expect(wordOf(report, { itemId: 'another' }, now)).toBe(kind);
  });

  test('is named on a chip, in an export and in a reply, also where another item was expected', () => {
    const expected = { itemId: 'another', name: 'Harbour' };
    expect(chipFaceOf([report], now, expected)).toBe(kind);
    const row = {
      jobId: 'job',
      index: 0,
      connectionId: 'one',
      code: bought.purchaseCode,
      line: 1,
      times: 1,
      outcome: succeed(summariseAnswer(answer)),
    };
    const options = { masked: true, now, connectionName: 'One', sentence: null };
    expect(exportRecordOf({ state: 'done' }, row, options).verdict).toBe(kind);
    expect(purchaseReplyFacts({ ...asked(answer), expected }, now)).toMatchObject({
      situation: 'void',
      values: { problem: { ids: [`void-${kind}`] } },
    });
  });

  test('gives way to a genuine one of another connection', () => {
    const [first] = bestFirst([report, reportOf(genuine, 'two')], now);
    expect(first?.connectionId).toBe('two');
  });

  test('gives way to one that counts until a later moment', () => {
    const until = against({ kind: 'expired', from: now + 1 });
    const order = (moment: number) =>
      bestFirst([report, reportOf(until, 'two')], moment).map(({ connectionId }) => connectionId);
    expect(order(now)).toEqual(['two', 'one']);
    expect(order(now + 1)).toEqual(['one', 'two']);
  });
});

test('a subscription that is cancelled counts until its moment, and not from it on', () => {
  const purchase = { ...bought, problem: { kind: 'ended', from: now } as const };
  expect(verdictOf(purchase, now - 1)).toEqual({ kind: 'untold' });
  expect(verdictOf(purchase, now)).toEqual({ kind: 'problem', problem: 'ended', since: now });
});

test('what is stored or exported of a purchase names no buyer, and a reply only whom the page tells it', () => {
  for (const text of [
    JSON.stringify(summariseAnswer(genuine)),
    JSON.stringify(purchaseReplyFacts(asked(genuine), now)),
  ])
    expect(text).not.toMatch(/Marlin|harbour\.example/u);
  const told = { ...asked(genuine), customer: ' Jo Marlin ' };
  expect(purchaseReplyFacts(told, now).values.customer).toEqual({
    kind: 'text',
    text: 'Jo Marlin',
  });
});

function asked(answer: CheckAnswer) {
  return {
    connectionId: 'one',
    code: bought.purchaseCode,
    connection: 'One',
    checkedAt: now,
    answer: summariseAnswer(answer),
  };
}
