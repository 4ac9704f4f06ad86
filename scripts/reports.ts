import { number, object, parse } from 'valibot';

import type { Tally } from '#scripts/steps';

const vitestReport = object({
  numPassedTests: number(),
  numFailedTests: number(),
  numPendingTests: number(),
  numTodoTests: number(),
});

const playwrightReport = object({
  stats: object({
    expected: number(),
    unexpected: number(),
    flaky: number(),
    skipped: number(),
  }),
});

/** Counts Vitest's JSON report. Throws when it is none. */
export function countVitest(report: unknown): Tally {
  const read = parse(vitestReport, report);
  return {
    passed: read.numPassedTests,
    failed: read.numFailedTests,
    skipped: read.numPendingTests + read.numTodoTests,
  };
}

/** Counts Playwright's JSON report. A test that passed only on a second try has passed. Throws when it is none. */
export function countPlaywright(report: unknown): Tally {
  const { stats } = parse(playwrightReport, report);
  return { passed: stats.expected + stats.flaky, failed: stats.unexpected, skipped: stats.skipped };
}
