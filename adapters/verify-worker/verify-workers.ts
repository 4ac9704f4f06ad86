import { trustScript } from '#adapters/browser/trusted-scripts';
import workerAddress from './verify-worker.ts?worker&url';
import type {
  PoolReply,
  PoolRequest,
  VerifierReply,
  VerifierRequest,
  Verify,
} from '#core/verifier/verifier-request';

// Relative: the map of subpath imports cannot carry a query.

/** More workers than this gain nothing: files then wait for the disk. */
const maxWorkers = 4;

/** Creates as many verify workers as the machine has cores, up to four. A question rejects with `VerifyWorkerLost`. */
export function createVerifyWorkers(
  size = Math.min(navigator.hardwareConcurrency || 2, maxWorkers),
): Verify {
  const pool = createVerifyPool<VerifierRequest, unknown>(
    () => new Worker(trustScript(workerAddress), { type: 'module', name: 'verify' }),
    size,
  );
  // The workers start once the page is idle: a file that is opened later waits for nothing, and nothing is fetched while it is open.
  requestIdleCallback(() => {
    pool.warm();
  });
  return {
    size,
    ask: async <Q extends VerifierRequest>(question: Q) =>
      (await pool.ask(question)) as VerifierReply<Q>,
  };
}

/** Reports that a worker gave no answer: it was lost, or was ended because it took longer than the time limit. */
export class VerifyWorkerLost extends Error {
  override name = 'VerifyWorkerLost';
}

export interface VerifyPool<Q, A> {
  /** How many workers there are at most. */
  readonly size: number;
  /** @throws VerifyWorkerLost */
  ask(question: Q): Promise<A>;
  /** Starts the workers that are not there yet. */
  warm(): void;
  /** Ends every worker; what is under way is lost. A later question starts new ones. */
  close(): void;
}

interface PooledWorker<A> {
  readonly worker: Worker;
  readonly waiting: Map<number, Waiting<A>>;
}

interface Waiting<A> {
  readonly done: (answer: A) => void;
  readonly failed: (error: Error) => void;
  readonly timer: ReturnType<typeof setTimeout>;
}

/**
 * Spreads requests over workers, each to the one with the least to do. Workers start when they are first needed, or
 * all at once by `warm`.
 * @param timeoutMs after which a worker that has not answered is ended and replaced
 */
export function createVerifyPool<Q, A>(
  start: () => Worker,
  size: number,
  timeoutMs = 20_000,
): VerifyPool<Q, A> {
  const workers: PooledWorker<A>[] = [];
  let asked = 0;

  function open(): PooledWorker<A> {
    const worker = start();
    const pooled: PooledWorker<A> = { worker, waiting: new Map() };
    worker.addEventListener('message', ({ data }: MessageEvent<PoolReply<A>>) => {
      const waiting = pooled.waiting.get(data.id);
      if (waiting === undefined) return;
      pooled.waiting.delete(data.id);
      clearTimeout(waiting.timer);
      if ('error' in data) waiting.failed(new Error(data.error));
      else waiting.done(data.answer);
    });
    worker.addEventListener('error', (event) => {
      event.preventDefault();
      drop(pooled);
    });
    workers.push(pooled);
    return pooled;
  }

  function drop(pooled: PooledWorker<A>): void {
    pooled.worker.terminate();
    const at = workers.indexOf(pooled);
    if (at >= 0) workers.splice(at, 1);
    for (const { failed, timer } of pooled.waiting.values()) {
      clearTimeout(timer);
      failed(new VerifyWorkerLost('A verify worker was lost.'));
    }
    pooled.waiting.clear();
  }

  function leastBusy(): PooledWorker<A> {
    const free = workers.toSorted((a, b) => a.waiting.size - b.waiting.size)[0];
    return free !== undefined && (free.waiting.size === 0 || workers.length >= size)
      ? free
      : open();
  }

  return {
    size,
    ask(question) {
      const pooled = leastBusy();
      const id = (asked += 1);
      return new Promise<A>((done, failed) => {
        const timer = setTimeout(() => {
          drop(pooled);
        }, timeoutMs);
        pooled.waiting.set(id, { done, failed, timer });
        pooled.worker.postMessage({ id, question } satisfies PoolRequest<Q>);
      });
    },
    warm() {
      while (workers.length < size) open();
    },
    close() {
      for (const pooled of workers.slice()) drop(pooled);
    },
  };
}
