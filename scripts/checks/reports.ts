import { stripVTControlCharacters } from 'node:util';

import { array, type GenericSchema, lazy, number, object, optional, parse, string } from 'valibot';

import { root } from '#scripts/machine/processes';
import type { StepResult } from '#scripts/checks/steps';

/** How many minutes the last `npm test` took, under the root. */
export const durationFile = 'reports/test.json';

const vitestReport = object({
  numPassedTests: number(),
  numFailedTests: number(),
  numPendingTests: number(),
  numTodoTests: number(),
  testResults: array(
    object({
      name: string(),
      status: string(),
      assertionResults: array(
        object({ fullName: string(), status: string(), failureMessages: array(string()) }),
      ),
    }),
  ),
});

interface PlaywrightSuite {
  readonly specs: readonly {
    readonly title: string;
    readonly file: string;
    readonly line: number;
    readonly tests: readonly { readonly status: string }[];
  }[];
  readonly suites?: readonly PlaywrightSuite[] | undefined;
}

const playwrightSuite: GenericSchema<PlaywrightSuite> = object({
  specs: array(
    object({
      title: string(),
      file: string(),
      line: number(),
      tests: array(object({ status: string() })),
    }),
  ),
  suites: optional(array(lazy(() => playwrightSuite))),
});

const playwrightReport = object({
  stats: object({
    expected: number(),
    unexpected: number(),
    flaky: number(),
    skipped: number(),
  }),
  suites: array(playwrightSuite),
});

/**
 * Reads Vitest's JSON report. A test that passed on a retry has passed; a file that cannot be loaded is named as a
 * failure.
 * @throws when it is no such report
 */
export function readVitest(report: unknown): StepResult {
  const read = parse(vitestReport, report);
  const tests = read.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map((test) => ({ ...test, label: `${inProject(name)}: ${test.fullName}` })),
  );
  const unloaded = read.testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  );
  return {
    passed: read.numPassedTests,
    failed: read.numFailedTests,
    skipped: read.numPendingTests + read.numTodoTests,
    failures: [
      ...unloaded.map(({ name }) => inProject(name)),
      ...tests.filter(({ status }) => status === 'failed').map(({ label }) => label),
    ],
    retried: tests
      .filter(({ status, failureMessages }) => status === 'passed' && failureMessages.length > 0)
      .map(({ label }) => label),
  };
}

/**
 * Returns what Vitest printed from the first failure on, without the files that passed; all of it when it names no
 * failure.
 */
export function shortenVitest(output: string): string {
  const lines = output.split('\n');
  const first = lines.findIndex((line) =>
    /^\s*⎯+ (Failed|Unhandled) /.test(stripVTControlCharacters(line)),
  );
  return lines.slice(Math.max(first, 0)).join('\n');
}

const inProject = (path: string): string => path.replace(root, '').replace(/^[\\/]/, '');

/**
 * Reads Playwright's JSON report. A test that passed on a retry has passed.
 * @throws when it is no such report
 */
export function readPlaywright(report: unknown): StepResult {
  const { stats, suites } = parse(playwrightReport, report);
  const specs = suites.flatMap(specsOf);
  const labels = (status: string): string[] =>
    specs
      .filter(({ tests }) => tests.some((test) => test.status === status))
      .map(({ file, line, title }) => `${file}:${String(line)}: ${title}`);
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected,
    skipped: stats.skipped,
    failures: labels('unexpected'),
    retried: labels('flaky'),
  };
}

function specsOf({ specs, suites = [] }: PlaywrightSuite): PlaywrightSuite['specs'] {
  return [...specs, ...suites.flatMap(specsOf)];
}
