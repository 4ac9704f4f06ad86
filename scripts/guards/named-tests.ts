import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

import type { TestCase, TestModule } from 'vitest/node';

import type { Guard } from '#scripts/guards/table';
import { run } from '#scripts/machine/processes';

type NamedTests = Guard['tests'];

export interface RanTest {
  readonly file: string;
  /** Empty for a file that could not be loaded. */
  readonly name: string;
  readonly state: 'passed' | 'failed' | 'skipped';
  /** Why it failed, a line each. */
  readonly failures: readonly string[];
}

/** Tells whether a test failed because what it expects did not hold, and not on its way there. */
export function failedAssertion({ failures }: RanTest): boolean {
  return failures.some((line) =>
    /^(?:AssertionError|Error: Property failed|Error: expect\()/.test(line),
  );
}

/** Runs named tests in a copy of the project. */
export interface TestRunner {
  readonly run: (named: NamedTests) => Promise<readonly RanTest[]>;
  /** Must be called when a file of the copy has changed. */
  readonly changed: (path: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Tells whether a test is one of those with these titles. What `each` puts into a name may be anything there. */
export function hasTitle(name: string, titles: readonly string[]): boolean {
  return patternOf(titles).test(name);
}

function patternOf(titles: readonly string[]): RegExp {
  const escaped = titles.map((title) =>
    title.replaceAll(/%[sdifjop]|\$\{[^}]*\}|\$\w+|[\\^$.*+?()[\]{}|]/g, (part) =>
      /^(?:%|\$[\w{])/.test(part) ? '.*' : `\\${part}`,
    ),
  );
  return new RegExp(escaped.join('|'), 'su');
}

/** Tells whether a test opens a build of the product in a browser. */
export const opensBuild = (file: string): boolean => file.startsWith('tests/e2e/');

/** The database that tests of PostgreSQL copy is made of it once, when Vitest is started. */
const databaseSchema = 'relay/store/schema.ts';

/** Starts Vitest once, which then reads anew what has changed. It runs the tests that open no build. */
export async function startVitest(copy: string): Promise<TestRunner> {
  const { createVitest } = await import('vitest/node');
  // Tests start programs from here.
  process.chdir(copy);
  async function start() {
    const vitest = await createVitest({ root: copy, watch: false, reporters: [{}] });
    await vitest.standalone();
    return { vitest, specifications: await vitest.globTestSpecifications() };
  }
  let started = await start();
  return {
    run: async (all) => {
      const named = all.filter(({ file }) => !opensBuild(file));
      const { vitest, specifications } = started;
      const titlesIn = (moduleId: string): string[] => titlesOf(relative(copy, moduleId), named);
      vitest.setGlobalTestNamePattern(patternOf(named.flatMap(({ titles }) => titles)));
      const chosen = specifications.filter(({ moduleId }) => titlesIn(moduleId).length > 0);
      const testModules: TestModule[] = [];
      // Projects with different numbers of workers cannot run at once.
      for (const ofProject of Map.groupBy(chosen, ({ project }) => project).values())
        testModules.push(...(await vitest.runTestSpecifications(ofProject)).testModules);
      return [...new Set(testModules)].flatMap((module): RanTest[] => {
        const titles = titlesIn(module.moduleId);
        if (titles.length === 0) return [];
        const file = relative(copy, module.moduleId);
        const tests = [...module.children.allTests()].map((test) => ranTest(file, test));
        return tests.length === 0
          ? [{ file, name: '', state: 'failed', failures: ['It cannot be loaded.'] }]
          : tests.filter(({ name }) => hasTitle(name, titles));
      });
    },
    changed: async (path) => {
      started.vitest.invalidateFile(path);
      if (relative(copy, path) !== databaseSchema) return;
      await started.vitest.close();
      started = await start();
    },
    close: () => started.vitest.close(),
  };
}

/**
 * Tells whether a test file has the tests of a named one, which may also be one of those that test files beside it
 * share.
 */
export function runsTestsOf(file: string, named: string): boolean {
  return (
    file === named || (!/\.(?:test|spec)\.ts$/.test(named) && dirname(file) === dirname(named))
  );
}

function titlesOf(file: string, named: NamedTests): string[] {
  return named.filter((one) => runsTestsOf(file, one.file)).flatMap(({ titles }) => titles);
}

function ranTest(file: string, test: TestCase): RanTest {
  const { state, errors = [] } = test.result();
  return {
    file,
    name: test.fullName.replaceAll(' > ', ' '),
    state: state === 'pending' ? 'skipped' : state,
    failures: errors.map(({ name, message }) => firstLine(`${name ?? 'Error'}: ${message}`)),
  };
}

function firstLine(message: string): string {
  return stripVTControlCharacters(message).split('\n')[0] ?? '';
}

interface PlaywrightError {
  readonly message?: string;
}

interface PlaywrightStep {
  readonly title: string;
  readonly error?: PlaywrightError;
  readonly steps?: readonly PlaywrightStep[];
}

interface PlaywrightSuite {
  readonly specs: readonly {
    readonly title: string;
    readonly file: string;
    readonly tests: readonly {
      readonly status: 'expected' | 'unexpected' | 'flaky' | 'skipped';
      readonly results: readonly {
        readonly errors: readonly PlaywrightError[];
        readonly steps?: readonly PlaywrightStep[];
      }[];
    }[];
  }[];
  readonly suites?: readonly PlaywrightSuite[];
}

/**
 * Builds the copy before each run, and runs by Playwright the files that open a build: a title may be that of a step,
 * which no pattern chooses.
 */
export function startPlaywright(copy: string): TestRunner {
  return {
    run: async (all) => {
      const named = all.filter(({ file }) => opensBuild(file));
      for (const args of [
        ['scripts/zip.ts'],
        ['node_modules/vite/bin/vite.js', 'build', '--config', 'pwa/vite.config.ts'],
      ]) {
        const { code, output } = await run('node', args, { cwd: copy });
        if (code !== 0) throw new Error(`The copy does not build:\n${output}`);
      }
      const files = [...new Set(named.map(({ file }) => file))];
      await run('playwright', ['test', ...files], { cwd: copy });
      const report = JSON.parse(
        readFileSync(join(copy, 'reports/e2e.json'), 'utf8'),
      ) as PlaywrightSuite;
      return ranIn(report).filter(({ file, name }) => hasTitle(name, titlesOf(file, named)));
    },
    changed: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}

function ranIn({ specs = [], suites = [] }: Partial<PlaywrightSuite>): RanTest[] {
  const own = specs.flatMap(({ title, file: inTests, tests }) => {
    const file = `tests/e2e/${inTests}`;
    return tests.flatMap(({ status, results }): RanTest[] => [
      {
        file,
        name: title,
        state: status === 'expected' ? 'passed' : status === 'skipped' ? 'skipped' : 'failed',
        failures: linesOf(results.flatMap(({ errors }) => errors)),
      },
      ...results.flatMap(({ steps = [] }) => steps.flatMap((step) => ranSteps(file, step))),
    ]);
  });
  return [...own, ...suites.flatMap(ranIn)];
}

function ranSteps(file: string, { title, error, steps = [] }: PlaywrightStep): RanTest[] {
  const failures = linesOf(error === undefined ? [] : [error]);
  const state = error === undefined ? 'passed' : 'failed';
  return [{ file, name: title, state, failures }, ...steps.flatMap((one) => ranSteps(file, one))];
}

function linesOf(errors: readonly PlaywrightError[]): string[] {
  return errors.map(({ message = '' }) => firstLine(message));
}
