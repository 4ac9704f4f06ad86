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

/** Creates as many verify workers as the machine has cores, up to four. */
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
  /** @throws VerifyWorkerLost, or an `Error` with what the worker threw */
  ask(question: Q): Promise<A>;
  /** Starts the workers that are not there yet. */
  warm(): void;
  /** Ends every worker; what is under way or waits is lost. A later question starts new ones. */
  close(): void;
}

interface Waiting<Q, A> {
  readonly question: Q;
  readonly done: (answer: A) => void;
  readonly failed: (error: Error) => void;
}

interface PooledWorker<Q, A> {
  readonly worker: Worker;
  underWay:
    | (Waiting<Q, A> & { readonly id: number; readonly timer: ReturnType<typeof setTimeout> })
    | undefined;
}

/**
 * Hands each question to a worker that has none, so that one that takes long or is lost costs no other. Workers start when they
 * are first needed, or all at once by `warm`.
 * @param timeoutMs after which a worker that has not answered its question is ended and replaced
 */
export function createVerifyPool<Q, A>(
  start: () => Worker,
  size: number,
  timeoutMs = 20_000,
): VerifyPool<Q, A> {
  const workers: PooledWorker<Q, A>[] = [];
  let waiting: Waiting<Q, A>[] = [];
  let asked = 0;

  function open(): PooledWorker<Q, A> {
    const worker = start();
    const pooled: PooledWorker<Q, A> = { worker, underWay: undefined };
    worker.addEventListener('message', ({ data }: MessageEvent<PoolReply<A>>) => {
      const { underWay } = pooled;
      if (underWay?.id !== data.id) return;
      clearTimeout(underWay.timer);
      pooled.underWay = undefined;
      if ('error' in data) underWay.failed(new Error(data.error));
      else underWay.done(data.answer);
      assign();
    });
    worker.addEventListener('error', (event) => {
      event.preventDefault();
      drop(pooled);
      assign();
    });
    workers.push(pooled);
    return pooled;
  }

  function drop({ worker, underWay }: PooledWorker<Q, A>): void {
    worker.terminate();
    const at = workers.findIndex((one) => one.worker === worker);
    if (at >= 0) workers.splice(at, 1);
    if (underWay === undefined) return;
    clearTimeout(underWay.timer);
    underWay.failed(new VerifyWorkerLost('A verify worker was lost.'));
  }

  function findFree(): PooledWorker<Q, A> | undefined {
    const free = workers.find(({ underWay }) => underWay === undefined);
    return free ?? (workers.length < size ? open() : undefined);
  }

  function send(pooled: PooledWorker<Q, A>, question: Waiting<Q, A>): void {
    const id = (asked += 1);
    const timer = setTimeout(() => {
      drop(pooled);
      assign();
    }, timeoutMs);
    pooled.underWay = { ...question, id, timer };
    pooled.worker.postMessage({ id, question: question.question } satisfies PoolRequest<Q>);
  }

  /** Hands out the questions that wait, as far as workers are free. */
  function assign(): void {
    while (waiting.length > 0) {
      const free = findFree();
      const [next, ...others] = waiting;
      if (free === undefined || next === undefined) return;
      waiting = others;
      send(free, next);
    }
  }

  return {
    size,
    ask: (question) =>
      new Promise<A>((done, failed) => {
        waiting.push({ question, done, failed });
        assign();
      }),
    warm() {
      while (workers.length < size) open();
    },
    close() {
      for (const pooled of workers.slice()) drop(pooled);
      for (const { failed } of waiting)
        failed(new VerifyWorkerLost('The verify workers were closed.'));
      waiting = [];
    },
  };
}
