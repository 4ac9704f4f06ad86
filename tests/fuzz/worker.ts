import { parentPort, workerData } from 'node:worker_threads';

import fc from 'fast-check';

import { targets } from '#tests/fuzz/targets';

/** Holds what the main thread hands to one target's thread. */
export interface FuzzJob {
  readonly target: string;
  readonly seed: number;
  readonly cases: number;
}

/** Tells how far the thread is, or how it ended. */
export type FuzzMessage =
  | { readonly kind: 'progress'; readonly cases: number }
  | { readonly kind: 'end'; readonly cases: number; readonly report?: string };

const { target: name, seed, cases } = workerData as FuzzJob;
const target = targets.find((one) => one.name === name);
if (target === undefined || parentPort === null) throw new Error(`There is no target "${name}".`);

const port = parentPort;
const tell = (message: FuzzMessage): void => {
  port.postMessage(message);
};
const property = target.property();
const run = property.run.bind(property);
let done = 0;
// Progress tells a slow target from one that hangs.
property.run = (value) => {
  done += 1;
  if (done % 500 === 0) tell({ kind: 'progress', cases: done });
  return run(value);
};
const details = fc.check(property, { seed, numRuns: cases });
tell({
  kind: 'end',
  cases: details.numRuns,
  ...(details.failed && { report: fc.defaultReportMessage(details) }),
});
