import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { filesOf } from '#scripts/mutation/parts';
import type { Collector, Suite, Test } from '#scripts/mutation/vitest';

/** The global that Stryker's mutated code reads and writes. */
interface Instrumentation {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  hitCount?: number | undefined;
  hitLimit?: number | undefined;
  mutantCoverage?: unknown;
}

interface MutantRun {
  readonly activeMutant: { readonly id: string };
  readonly testFilter?: readonly string[];
  readonly hitLimit?: number;
}

/** The numbers and words that Stryker gives to how a test and a run ended. */
const passed = 0;
const failed = 1;
const complete = 'complete';

/** How long a test may take before any mutant runs. */
const firstLimitMs = 120_000;

/** In Stryker's copy of the project, where all its processes run. */
const usualTimes = 'usual-times.json';

/** The part that is mutated, set by `scripts/mutation.ts`. */
const part = process.env['MUTATED'] ?? 'core';

const shim = new URL('vitest.ts', import.meta.url).href;

/**
 * Runs the tests of a part in one Node process, for Stryker. Modules are loaded once and each mutant runs only the
 * tests that reach it, which takes milliseconds; Vitest starts a worker for each, which takes half a second.
 */
class InProcessRunner {
  readonly #instrumentation: Instrumentation = {};
  #files: { readonly name: string; readonly suite: Suite }[] = [];
  /** How long each test took without a mutant, in milliseconds; read at the first mutant. */
  #usualMs: Readonly<Record<string, number>> | undefined;

  capabilities(): { reloadEnvironment: boolean } {
    return { reloadEnvironment: false };
  }

  /** Loads the tests of the part; the working folder is Stryker's copy of the project. */
  async init(): Promise<void> {
    Object.assign(globalThis, { __stryker__: this.#instrumentation });
    replaceModules();
    const { collector } = (await import(shim)) as { readonly collector: Collector };
    const names = globSync(filesOf(part).tests, { exclude: ['tests/**/*.browser.test.ts'] });
    for (const name of names.toSorted()) {
      const load = (): Promise<unknown> => import(pathToFileURL(resolve(name)).href);
      this.#files.push({ name, suite: await collector.fileOf(name, load) });
    }
    // A mutant may leave a promise without a listener; the test that awaits its effect is the judge.
    process.on('unhandledRejection', () => undefined);
    process.on('uncaughtException', () => undefined);
  }

  async dryRun(): Promise<object> {
    const tests: object[] = [];
    const usualMs: Record<string, number> = {};
    for (const { suite } of this.#files) {
      await runSuite(suite, {
        limitMs: () => firstLimitMs,
        selects: () => true,
        onStart: ({ id }) => {
          this.#instrumentation.currentTestId = id;
        },
        onEnd: ({ id }, failure, timeSpentMs) => {
          this.#instrumentation.currentTestId = undefined;
          usualMs[id] = timeSpentMs;
          const status = failure === undefined ? passed : failed;
          tests.push({ id, name: id, timeSpentMs, status, failureMessage: String(failure) });
          return true;
        },
      });
    }
    // One process runs this, and each of them runs mutants.
    writeFileSync(usualTimes, JSON.stringify(usualMs));
    return { status: complete, tests, mutantCoverage: this.#instrumentation.mutantCoverage };
  }

  async mutantRun({ activeMutant, testFilter, hitLimit }: MutantRun): Promise<object> {
    Object.assign(this.#instrumentation, { activeMutant: activeMutant.id, hitCount: 0, hitLimit });
    const usualMs = (this.#usualMs ??= this.#readUsualTimes());
    const selected = new Set(testFilter);
    let nrOfTests = 0;
    let killer: { readonly test: Test; readonly failure: unknown } | undefined;
    for (const { suite } of this.#files) {
      const goesOn = await runSuite(suite, {
        // A mutant that loops for ever is stopped early.
        limitMs: ({ id }) => 5000 + 30 * (usualMs[id] ?? 0),
        selects: ({ id }) => testFilter === undefined || selected.has(id),
        onStart: () => {
          nrOfTests += 1;
        },
        onEnd: (test, failure) => {
          if (failure !== undefined) killer = { test, failure };
          return failure === undefined;
        },
      });
      if (!goesOn) break;
    }
    const hits = this.#instrumentation.hitCount ?? 0;
    this.#instrumentation.activeMutant = undefined;
    if (hitLimit !== undefined && hits > hitLimit) {
      return { status: 'timeout', reason: `Reached ${String(hits)} times` };
    }
    if (killer === undefined) return { status: 'survived', nrOfTests };
    const failureMessage = String(killer.failure);
    return { status: 'killed', killedBy: [killer.test.id], failureMessage, nrOfTests };
  }

  /** Reads how long each test takes, and puts the files of quick tests first: most mutants fall to them. */
  #readUsualTimes(): Readonly<Record<string, number>> {
    const usualMs = JSON.parse(readFileSync(usualTimes, 'utf8')) as Record<string, number>;
    const timeOf = (name: string): number =>
      Object.entries(usualMs)
        .filter(([id]) => id.startsWith(`${name} > `))
        .reduce((sum, [, milliseconds]) => sum + milliseconds, 0);
    const isFar = (name: string): number => (name.startsWith(`tests/${part}/`) ? 0 : 1);
    this.#files = this.#files.toSorted(
      (one, other) => isFar(one.name) - isFar(other.name) || timeOf(one.name) - timeOf(other.name),
    );
    return usualMs;
  }
}

/** Gives tests our `describe` and `it` for those of Vitest, and a fast-check of few runs. */
function replaceModules(): void {
  const fewRuns = pathToFileURL(resolve('tests/support/few-runs.ts')).href;
  const replaced: Readonly<Record<string, string>> = { vitest: shim, 'fast-check': fewRuns };
  registerHooks({
    resolve: (specifier, context, next) => {
      const url = replaced[specifier];
      if (url !== undefined && context.parentURL !== url) return { url, shortCircuit: true };
      if (!specifier.endsWith('.json')) return next(specifier, context);
      return { ...next(specifier, context), importAttributes: { type: 'json' } };
    },
  });
}

export const strykerPlugins = [
  { kind: 'TestRunner', name: 'in-process', injectableClass: InProcessRunner },
];

interface TestRun {
  /** How long a test may take, and a hook beside it, in milliseconds. */
  readonly limitMs: (test: Test) => number;
  readonly selects: (test: Test) => boolean;
  readonly onStart: (test: Test) => void;
  /** Called after each test; returns whether to go on. */
  readonly onEnd: (test: Test, failure: unknown, milliseconds: number) => boolean;
}

// Tests replace the timers.
const { setTimeout, clearTimeout } = globalThis;

/**
 * Runs the selected tests of a suite with its hooks, inner hooks after outer ones.
 * @returns false when it was ended early
 */
async function runSuite(
  suite: Suite,
  run: TestRun,
  outer: readonly Suite[] = [],
): Promise<boolean> {
  const tests = testsIn(suite).filter((test) => !test.isSkipped && run.selects(test));
  const [first] = tests;
  if (first === undefined) return true;
  const chain = [...outer, suite];
  const limitMs = run.limitMs(first);
  const prepared = await failureOf(limitMs, async () => {
    for (const hook of suite.beforeAll) await hook();
  });
  let goesOn = true;
  if (prepared !== undefined) goesOn = run.onEnd(first, prepared, 0);
  else {
    for (const member of suite.members) {
      if ('members' in member) goesOn = await runSuite(member, run, chain);
      else if (tests.includes(member)) goesOn = await runTest(member, run, chain);
      if (!goesOn) break;
    }
  }
  await failureOf(limitMs, async () => {
    for (const hook of suite.afterAll.toReversed()) await hook();
  });
  return goesOn;
}

function testsIn(suite: Suite): Test[] {
  return suite.members.flatMap((member) => ('members' in member ? testsIn(member) : [member]));
}

async function runTest(test: Test, run: TestRun, chain: readonly Suite[]): Promise<boolean> {
  run.onStart(test);
  const began = performance.now();
  const limitMs = run.limitMs(test);
  const failure = await failureOf(limitMs, async () => {
    for (const suite of chain) for (const hook of suite.beforeEach) await hook();
    await test.run();
  });
  const tidied = await failureOf(limitMs, async () => {
    for (const suite of chain.toReversed()) {
      for (const hook of suite.afterEach.toReversed()) await hook();
    }
  });
  return run.onEnd(test, failure ?? tidied, performance.now() - began);
}

async function failureOf(limitMs: number, work: () => Promise<void>): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<Error>((resolve) => {
    timer = setTimeout(() => {
      resolve(new Error(`Timed out after ${String(limitMs)} ms`));
    }, limitMs);
  });
  const ended = work().then(
    () => undefined,
    (error: unknown) => error ?? new Error('Rejected without a reason'),
  );
  const failure = await Promise.race([ended, limit]);
  clearTimeout(timer);
  return failure;
}
