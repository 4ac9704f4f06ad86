import { readFile, rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

import { root, run } from '#scripts/processes';

/** One script of package.json with the tests it stands for: one, unless it writes a report that says otherwise. */
export interface Step {
  /** The name in package.json's `scripts`. */
  readonly script: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Shows the script's output while it runs, for steps that take minutes. */
  readonly live?: boolean;
  /** Scripts that must have ended well before this one begins. */
  readonly after?: readonly string[];
  /** A JSON report under the root that the script writes, and how its tests are counted. */
  readonly report?: { readonly file: string; readonly count: (report: unknown) => Tally };
}

export interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export function addUp(tallies: readonly Tally[]): Tally {
  return {
    passed: tallies.reduce((sum, tally) => sum + tally.passed, 0),
    failed: tallies.reduce((sum, tally) => sum + tally.failed, 0),
    skipped: tallies.reduce((sum, tally) => sum + tally.skipped, 0),
  };
}

/** `12 passed, 0 failed`, and the skipped ones where there are any. */
export function wordsOf({ passed, failed, skipped }: Tally): string {
  const always = `${String(passed)} passed, ${String(failed)} failed`;
  return skipped === 0 ? always : `${always}, ${String(skipped)} skipped`;
}

/**
 * Runs every step, as many side by side as the machine has cores, each as soon as what it waits for has ended well.
 * Prints one line for each, and a step's output when it failed, or while it runs if it is `live`. A step whose
 * predecessor failed is skipped.
 */
export async function runSteps(
  steps: readonly Step[],
  { atOnce = availableParallelism() }: { atOnce?: number } = {},
): Promise<Tally> {
  const waiting = [...steps];
  const ended = new Map<string, Tally>();
  const running = new Map<string, Promise<void>>();
  const wellEnded = (script: string): boolean => ended.get(script)?.failed === 0;

  while (waiting.length > 0 || running.size > 0) {
    const ready = waiting.findIndex(({ after = [] }) => after.every((script) => ended.has(script)));
    if (ready === -1 || running.size >= atOnce) {
      await Promise.race(running.values());
      continue;
    }
    const [step] = waiting.splice(ready, 1);
    if (step === undefined) continue;
    const missing = step.after?.find((script) => !wellEnded(script));
    if (missing !== undefined) {
      console.log(`skipped  ${step.script}, as ${missing} failed`);
      ended.set(step.script, { passed: 0, failed: 0, skipped: 1 });
      continue;
    }
    running.set(
      step.script,
      runStep(step).then((tally) => {
        ended.set(step.script, tally);
        running.delete(step.script);
      }),
    );
  }
  return addUp([...ended.values()]);
}

async function runStep({
  script,
  args = [],
  env = {},
  live = false,
  report,
}: Step): Promise<Tally> {
  if (report !== undefined) await rm(join(root, report.file), { force: true });
  const extra = args.length === 0 ? [] : ['--', ...args];
  const { code, output, milliseconds } = await run('npm', ['run', '--silent', script, ...extra], {
    env: { ...process.env, ...env },
    ...(live && { onOutput: (chunk: Uint8Array) => process.stdout.write(chunk) }),
  });
  const tally = await tallyOf(code, report);
  const seconds = `${(milliseconds / 1000).toFixed(1)} s`;
  const detail = report === undefined ? '' : `: ${wordsOf(tally)}`;
  console.log(`${tally.failed === 0 ? 'ok      ' : 'FAILED  '} ${script}${detail} (${seconds})`);
  if (tally.failed > 0 && !live) console.log(output.trimEnd());
  return tally;
}

async function tallyOf(code: number, report: Step['report']): Promise<Tally> {
  const alone: Tally = { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 };
  if (report === undefined) return alone;
  let tally: Tally;
  try {
    tally = report.count(JSON.parse(await readFile(join(root, report.file), 'utf8')));
  } catch {
    return { passed: 0, failed: 1, skipped: 0 };
  }
  // A file that cannot even be loaded fails the run without failing a test.
  return code !== 0 && tally.failed === 0 ? { ...tally, failed: 1 } : tally;
}
