import { readFile, rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

import { type Ended, root, run } from '#scripts/machine/processes';

/** One script of package.json. It counts as one test unless it writes a report. */
export interface Step {
  /** The name in package.json's `scripts`. */
  readonly script: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Shows the script's output while it runs, for steps that take minutes. */
  readonly live?: boolean;
  /** Leaves the processors to the steps beside it. */
  readonly inBackground?: boolean;
  /** Scripts that must have succeeded before this one starts. */
  readonly after?: readonly string[];
  readonly report?: Report;
}

export interface Report {
  /** A JSON file under the root that the script writes. */
  readonly file: string;
  /** Counts its tests. */
  readonly read: (report: unknown) => StepResult;
  /** Returns the part of the script's output that concerns failures. */
  readonly shorten?: (output: string) => string;
}

export interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** The result of a step, with the names of the tests that failed and of those that passed on their second try. */
export interface StepResult extends Tally {
  readonly failures: readonly string[];
  readonly retried: readonly string[];
}

export function addUp(results: readonly StepResult[]): StepResult {
  return {
    passed: results.reduce((sum, { passed }) => sum + passed, 0),
    failed: results.reduce((sum, { failed }) => sum + failed, 0),
    skipped: results.reduce((sum, { skipped }) => sum + skipped, 0),
    failures: results.flatMap(({ failures }) => failures),
    retried: results.flatMap(({ retried }) => retried),
  };
}

/** Lists what failed and what needed a second try, a line each, for the end of a log that is too long to search. */
export function formatRemarks({ failures, retried }: StepResult): string[] {
  return [
    ...failures.map((name) => `FAILED   ${name}`),
    ...retried.map((name) => `retried  ${name}`),
  ];
}

/**
 * Formats the end of a step. When it failed, the names of its failed tests stand at the top, since some viewers of logs
 * show only the beginning, and what the step printed stands below them.
 */
export function formatStep(
  { script, report, live = false }: Step,
  result: StepResult,
  { output, milliseconds }: Pick<Ended, 'output' | 'milliseconds'>,
): string[] {
  const detail = report === undefined ? '' : `: ${formatTally(result)}`;
  const seconds = `(${(milliseconds / 1000).toFixed(1)} s)`;
  if (result.failed === 0) return [`ok       ${script}${detail} ${seconds}`];
  const shorten = report?.shorten ?? ((whole: string) => whole);
  return [
    `FAILED   ${script}${detail} ${seconds}`,
    ...result.failures.filter((name) => name !== script).map((name) => `         ${name}`),
    ...(live ? [] : [shorten(output).trimEnd()]),
  ];
}

/** Prints the remarks and, as the last line, the tally. Returns the exit code of the process: 0 when nothing failed. */
export function printResult(result: StepResult): number {
  for (const line of [...formatRemarks(result), formatTally(result)]) console.log(line);
  return result.failed === 0 ? 0 : 1;
}

/** Formats `12 passed, 0 failed`, with the skipped ones where there are any. */
export function formatTally({ passed, failed, skipped }: Tally): string {
  const text = `${String(passed)} passed, ${String(failed)} failed`;
  return skipped === 0 ? text : `${text}, ${String(skipped)} skipped`;
}

/**
 * Runs every step as soon as those it waits for have succeeded, as many in parallel as the machine has cores. Prints
 * one line for each, and a step's output when it failed, or while it runs if it is `live`. Skips a step whose
 * predecessor failed.
 */
export async function runSteps(steps: readonly Step[]): Promise<StepResult> {
  const waiting = [...steps];
  const ended = new Map<string, StepResult>();
  const running = new Map<string, Promise<void>>();
  const succeeded = (script: string): boolean => ended.get(script)?.failed === 0;

  while (waiting.length > 0 || running.size > 0) {
    const ready = waiting.findIndex(({ after = [] }) => after.every((script) => ended.has(script)));
    if (ready === -1 || running.size >= availableParallelism()) {
      await Promise.race(running.values());
      continue;
    }
    const [step] = waiting.splice(ready, 1);
    if (step === undefined) continue;
    const missing = step.after?.find((script) => !succeeded(script));
    if (missing !== undefined) {
      console.log(`skipped  ${step.script}, as ${missing} failed`);
      ended.set(step.script, { passed: 0, failed: 0, skipped: 1, failures: [], retried: [] });
      continue;
    }
    running.set(
      step.script,
      runStep(step).then((result) => {
        ended.set(step.script, result);
        running.delete(step.script);
      }),
    );
  }
  return addUp([...ended.values()]);
}

async function runStep(step: Step): Promise<StepResult> {
  const { script, args = [], env = {}, live = false, inBackground = false, report } = step;
  if (report !== undefined) await rm(join(root, report.file), { force: true });
  const extra = args.length === 0 ? [] : ['--', ...args];
  const ended = await run('npm', ['run', '--silent', script, ...extra], {
    env: { ...process.env, ...env },
    inBackground,
    ...(live && { onOutput: (chunk: Uint8Array) => process.stdout.write(chunk) }),
  });
  const result = await resultOf(script, ended.code, report);
  for (const line of formatStep(step, result, ended)) console.log(line);
  return result;
}

async function resultOf(script: string, code: number, report?: Report): Promise<StepResult> {
  const failed: StepResult = {
    passed: 0,
    failed: 1,
    skipped: 0,
    failures: [script],
    retried: [],
  };
  if (report === undefined)
    return code === 0 ? { ...failed, passed: 1, failed: 0, failures: [] } : failed;
  let result: StepResult;
  try {
    result = report.read(JSON.parse(await readFile(join(root, report.file), 'utf8')));
  } catch {
    return failed;
  }
  // A test file that cannot be loaded, or an error outside every test, fails the run without failing a test.
  if (code === 0 || result.failed > 0) return result;
  return {
    ...result,
    failed: 1,
    failures: result.failures.length > 0 ? result.failures : [script],
  };
}
