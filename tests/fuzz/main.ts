import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';

import { parseCount, refuseUnknown, runCommand } from '#scripts/command-line/refusal';
import { targets } from '#tests/fuzz/targets';
import type { FuzzJob, FuzzMessage } from '#tests/fuzz/worker';

/** A thread that tells nothing for so long, in milliseconds, hangs: 500 cases take well under a second of computing. */
const hangMs = 120_000;

/** Runs one target in a thread of its own. Resolves to the finding as text; undefined when nothing was found. */
function fuzz(job: FuzzJob): Promise<{ cases: number; finding?: string }> {
  return new Promise((resolve) => {
    let done = 0;
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData: job });
    const end = (finding?: string): void => {
      clearTimeout(watchdog);
      void worker.terminate();
      resolve({ cases: done, ...(finding !== undefined && { finding }) });
    };
    let watchdog: NodeJS.Timeout;
    const watch = (): void => {
      clearTimeout(watchdog);
      watchdog = setTimeout(() => {
        end(`hangs after case ${String(done)} of seed ${String(job.seed)}`);
      }, hangMs);
    };
    watch();
    worker.on('message', (message: FuzzMessage) => {
      done = message.cases;
      if (message.kind === 'end') end(message.report);
      else watch();
    });
    worker.on('error', (error) => {
      end(String(error));
    });
  });
}

await runCommand(async () => {
  const { values } = parseArgs({
    options: {
      cases: { type: 'string', default: '1000000' },
      seed: { type: 'string' },
      target: { type: 'string', multiple: true },
    },
  });
  const cases = parseCount('cases', values.cases);
  const seed =
    values.seed === undefined ? Date.now() % 0x7fffffff : parseCount('seed', values.seed, 0);
  const names = targets.map(({ name }) => name);
  const chosen = values.target ?? names;
  refuseUnknown(chosen, names);

  let found = 0;
  console.log(`${String(cases)} cases a target, seed ${String(seed)}`);
  for (const target of chosen) {
    const started = Date.now();
    const result = await fuzz({ target, seed, cases });
    const seconds = ((Date.now() - started) / 1000).toFixed(1);
    const state = result.finding === undefined ? 'ok  ' : 'FAIL';
    console.log(`${state} ${target}: ${String(result.cases)} cases in ${seconds} s`);
    if (result.finding !== undefined) console.log(result.finding);
    if (result.finding !== undefined) found += 1;
  }
  console.log(`${String(chosen.length - found)} passed, ${String(found)} failed`);
  return found === 0 ? 0 : 1;
});
