import { describe, expect, test } from 'vitest';

import { readPlaywright, readVitest } from '#scripts/reports';

describe('a Vitest report', () => {
  const vitestReport = {
    numPassedTests: 4,
    numFailedTests: 1,
    numPendingTests: 2,
    numTodoTests: 3,
    testResults: [
      {
        name: 'a.test.ts',
        status: 'failed',
        assertionResults: [
          { fullName: 'adds', status: 'passed', failureMessages: [] },
          { fullName: 'subtracts', status: 'failed', failureMessages: ['expected 1'] },
          { fullName: 'divides', status: 'passed', failureMessages: ['timed out once'] },
        ],
      },
      { name: 'b.test.ts', status: 'failed', assertionResults: [] },
      { name: 'c.test.ts', status: 'passed', assertionResults: [] },
    ],
  };

  test('counts pending and todo tests as skipped', () => {
    expect(readVitest(vitestReport)).toMatchObject({ passed: 4, failed: 1, skipped: 5 });
  });

  test('names what failed, files that could not be loaded among it', () => {
    expect(readVitest(vitestReport).failures).toEqual(['b.test.ts', 'a.test.ts: subtracts']);
  });

  test('names what passed on its second try', () => {
    expect(readVitest(vitestReport).retried).toEqual(['a.test.ts: divides']);
  });
});

describe('a Playwright report', () => {
  const specWith = (title: string, status: string): object => ({
    title,
    file: 'popup.spec.ts',
    line: 12,
    tests: [{ status }],
  });
  const playwrightReport = {
    stats: { expected: 7, unexpected: 2, flaky: 1, skipped: 4 },
    suites: [
      {
        specs: [specWith('opens', 'expected'), specWith('checks', 'unexpected')],
        suites: [
          { specs: [specWith('pastes', 'flaky'), specWith('copies', 'unexpected')], suites: [] },
        ],
      },
    ],
  };

  test('counts a test that passed on its second try as passed', () => {
    expect(readPlaywright(playwrightReport)).toMatchObject({ passed: 8, failed: 2, skipped: 4 });
  });

  test('names what failed and what passed on its second try, in inner suites too', () => {
    expect(readPlaywright(playwrightReport)).toMatchObject({
      failures: ['popup.spec.ts:12: checks', 'popup.spec.ts:12: copies'],
      retried: ['popup.spec.ts:12: pastes'],
    });
  });
});

test.each([undefined, {}, { stats: {} }, { numPassedTests: '4' }])(
  'what is no report is not read: %j',
  (report) => {
    expect(() => readVitest(report)).toThrow();
    expect(() => readPlaywright(report)).toThrow();
  },
);
