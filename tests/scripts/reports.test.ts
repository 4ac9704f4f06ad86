import { describe, expect, test } from 'vitest';

import { countPlaywright, countVitest } from '#scripts/reports';

describe('counting reports', () => {
  test('a Vitest report counts pending and todo tests as skipped', () => {
    expect(
      countVitest({ numPassedTests: 4, numFailedTests: 1, numPendingTests: 2, numTodoTests: 3 }),
    ).toEqual({ passed: 4, failed: 1, skipped: 5 });
  });

  test('a Playwright report counts a test that passed on its second try as passed', () => {
    expect(
      countPlaywright({ stats: { expected: 7, unexpected: 2, flaky: 1, skipped: 4 } }),
    ).toEqual({ passed: 8, failed: 2, skipped: 4 });
  });

  test.each([undefined, {}, { stats: {} }, { numPassedTests: '4' }])(
    'what is no report is not counted: %j',
    (report) => {
      expect(() => countVitest(report)).toThrow();
      expect(() => countPlaywright(report)).toThrow();
    },
  );
});
