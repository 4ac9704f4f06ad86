import { trustScript } from '#adapters/browser/trusted-scripts';
import { createVerifyPool } from '#adapters/verify-worker/worker-pool';
// Relative: the map of subpath imports cannot carry a query.
import workerAddress from './verify-worker.ts?worker&url';
import type { VerifierReply, VerifierRequest } from '#core/verifier/verifier-request';

/** More workers than this gain nothing: files then wait for the disk. */
const maxWorkers = 4;

/** Asks verify workers, of which there are as many as the machine has cores, up to four. */
export interface VerifyWorkers {
  readonly size: number;
  /** @throws VerifyWorkerLost when a worker was lost or took too long */
  ask<Q extends VerifierRequest>(question: Q): Promise<VerifierReply<Q>>;
  close(): void;
}

export function createVerifyWorkers(
  size = Math.min(navigator.hardwareConcurrency || 2, maxWorkers),
): VerifyWorkers {
  const pool = createVerifyPool<VerifierRequest, unknown>(
    () => new Worker(trustScript(workerAddress), { type: 'module', name: 'verify' }),
    size,
  );
  // Once the page is at rest: what is opened later waits for nothing, and nothing is fetched while a file is open.
  requestIdleCallback(() => {
    pool.warm();
  });
  return {
    size,
    ask: async <Q extends VerifierRequest>(question: Q) =>
      (await pool.ask(question)) as VerifierReply<Q>,
    close() {
      pool.close();
    },
  };
}
