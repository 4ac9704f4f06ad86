import { describe, expect, it } from 'vitest';

import type { AnswerSummary, PurchaseSummary } from '#core/check/index';
import { changesBetween } from '#core/history/entry';
import {
  defaultHistorySettings,
  maxHistoryDays,
  readHistorySettings,
} from '#core/preferences/index';

const then = Date.UTC(2026, 4, 3);
const now = Date.UTC(2026, 10, 20);
const base: PurchaseSummary = {
  item: { id: 1, name: 'A', version: '1' },
  licenseType: 'Regular',
  price: 9,
  currency: 'EUR',
  downloaded: false,
  date: 0,
};
const bought = (changes: Partial<PurchaseSummary> = {}): AnswerSummary => ({
  kind: 'purchase',
  purchase: { ...base, ...changes },
});
const missing: AnswerSummary = { kind: 'not-found', msg: '', key: 'good', proven: true };
const between = then + 1000;

describe('since the last check', () => {
  it.each([
    [
      'nothing has changed',
      bought({ supportedUntil: now + 1 }),
      bought({ supportedUntil: now + 1 }),
      [],
    ],
    [
      'support has lapsed',
      bought({ supportedUntil: between }),
      bought({ supportedUntil: between }),
      ['support-lapsed'],
    ],
    [
      'support that had lapsed before is no news',
      bought({ supportedUntil: then }),
      bought({ supportedUntil: then }),
      [],
    ],
    [
      'support was extended',
      bought({ supportedUntil: then }),
      bought({ supportedUntil: now + 1 }),
      ['support-extended'],
    ],
    ['support was bought', bought(), bought({ supportedUntil: now + 1 }), ['support-extended']],
    [
      'support was shortened',
      bought({ supportedUntil: now + 1 }),
      bought({ supportedUntil: now }),
      ['support-shortened'],
    ],
    ['support was removed', bought({ supportedUntil: now + 1 }), bought(), ['support-removed']],
    ['a code has appeared', missing, bought(), ['appeared']],
    ['a purchase has vanished', bought(), missing, ['vanished']],
    ['a missing code is missing still', missing, missing, []],
    [
      'license and download have changed',
      bought(),
      bought({ licenseType: 'Extended', downloaded: true }),
      ['license-changed', 'downloaded'],
    ],
    [
      'the item is another',
      bought(),
      bought({ item: { id: 2, name: 'B', version: '1' } }),
      ['item-changed'],
    ],
  ] as const)('%s', (_, before, after, changes) => {
    const found = changesBetween(
      { checkedAt: then, answer: before },
      { checkedAt: now, answer: after },
      true,
    );
    expect(found).toEqual(changes);
  });
});

describe('another spelling of the code', () => {
  it('is not said to have vanished or appeared', () => {
    const before = { checkedAt: then, answer: bought() };
    const after = { checkedAt: now, answer: missing };
    expect(changesBetween(before, after, false)).toEqual([]);
    expect(changesBetween(after, before, false)).toEqual([]);
  });

  it('still tells what has changed of the purchase', () => {
    const before = { checkedAt: then, answer: bought() };
    const after = { checkedAt: now, answer: bought({ downloaded: true }) };
    expect(changesBetween(before, after, false)).toEqual(['downloaded']);
  });
});

describe('history settings', () => {
  it('are the defaults while none are stored', () => {
    expect(readHistorySettings(undefined)).toEqual(defaultHistorySettings);
  });

  it.each([null, 7, {}, { days: -1, codes: 'all', tickets: 1 }])(
    'that cannot be read (%j) store no whole code, and delete no entry',
    (stored) => {
      expect(readHistorySettings(stored)).toEqual({
        days: maxHistoryDays,
        codes: 'masked',
        tickets: false,
        wholeDays: 0,
        goesWithConnection: false,
      });
    },
  );

  it('stay as they were where one of them cannot be read', () => {
    const chosen = {
      days: 7,
      codes: 'whole',
      wholeDays: 2,
      tickets: true,
      goesWithConnection: true,
    };
    expect(readHistorySettings({ ...chosen, codes: 'all' })).toEqual({
      ...chosen,
      codes: 'masked',
    });
  });
});
