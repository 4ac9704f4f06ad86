import { describe, expect, test } from 'vitest';

import { readPlaywright, readVitest, shortenVitest } from '#scripts/checks/reports';

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

describe('what Vitest printed', () => {
  const passing = [' RUN  v5.1.0 /project', ' ✓ |node| tests/a.test.ts (3 tests) 4ms'];
  const failing = [
    '⎯⎯⎯⎯ Failed Tests 1 ⎯⎯⎯⎯',
    ' FAIL  |node| tests/b.test.ts > adds',
    '1 is not 2',
  ];

  test('is cut to what concerns failures', () => {
    expect(shortenVitest([...passing, ...failing].join('\n'))).toBe(failing.join('\n'));
  });

  test.each([
    ['files that could not be loaded', '⎯⎯ Failed Suites 1 ⎯⎯'],
    ['errors outside every test', '⎯⎯⎯⎯⎯⎯ Unhandled Errors ⎯⎯⎯⎯⎯⎯'],
    ['colours', '\u001B[31m⎯⎯⎯⎯\u001B[39m\u001B[1m\u001B[41m Failed Tests 2 \u001B[49m'],
  ])('is cut before %s', (_, heading) => {
    expect(shortenVitest([...passing, heading, 'why'].join('\n'))).toBe(`${heading}\nwhy`);
  });

  test('is whole when it names no failure', () => {
    expect(shortenVitest('the configuration cannot be read')).toBe(
      'the configuration cannot be read',
    );
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
