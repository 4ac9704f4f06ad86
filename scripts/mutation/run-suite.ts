import type { Suite, Test } from '#scripts/mutation/suites';

export interface TestRun {
  /** How long a test may take, and a hook beside it, in milliseconds. */
  readonly limitMs: (test: Test) => number;
  /** Tells whether to run a test. */
  readonly selects: (test: Test) => boolean;
  /** Called before each test. */
  readonly onStart: (test: Test) => void;
  /** Called after each test; returns whether to go on. */
  readonly onEnd: (test: Test, failure: unknown, milliseconds: number) => boolean;
}

// Tests replace the timers.
const { setTimeout, clearTimeout } = globalThis;

/** Runs the selected tests of a suite with its hooks, inner hooks after outer ones. @returns false when it was ended early */
export async function runSuite(
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

/** Returns the tests of a suite and of those in it. */
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
