import { describe, expect, test } from 'vitest';

import { addUp, formatRemarks, formatTally } from '#scripts/steps';

describe('the closing line', () => {
  test('names passed and failed always', () => {
    expect(formatTally({ passed: 0, failed: 0, skipped: 0 })).toBe('0 passed, 0 failed');
  });

  test('names the skipped where there are any', () => {
    expect(formatTally({ passed: 3, failed: 1, skipped: 2 })).toBe('3 passed, 1 failed, 2 skipped');
  });

  test('adds up what each step saw', () => {
    const unit = { passed: 1, failed: 0, skipped: 0, failures: [], retried: ['a.test.ts: adds'] };
    const e2e = { passed: 20, failed: 1, skipped: 3, failures: ['popup'], retried: [] };
    expect(addUp([unit, e2e])).toEqual({
      passed: 21,
      failed: 1,
      skipped: 3,
      failures: ['popup'],
      retried: ['a.test.ts: adds'],
    });
    expect(addUp([])).toEqual({ passed: 0, failed: 0, skipped: 0, failures: [], retried: [] });
  });

  test('comes after a line for each test that failed or needed a second try', () => {
    expect(
      formatRemarks({ passed: 1, failed: 1, skipped: 0, failures: ['lint'], retried: ['popup'] }),
    ).toEqual(['FAILED   lint', 'retried  popup']);
  });
});
