import { trustScript } from '#adapters/browser/trusted-scripts';
import workerAddress from './verify-worker.ts?worker&url';
import type {
  PoolReply,
  PoolRequest,
  VerifierReply,
  VerifierRequest,
  Verify,
} from '#core/verifier/index';

// A relative import, because subpath imports cannot have a query.

/** More workers would gain nothing, since files would then wait for the disk. */
const maxWorkers = 4;

/** Creates as many verify workers as the machine has cores, up to four. */
export function createVerifyWorkers(
  size = Math.min(navigator.hardwareConcurrency || 2, maxWorkers),
): Verify {
  const pool = createVerifyPool<VerifierRequest, unknown>(
    () => new Worker(trustScript(workerAddress), { type: 'module', name: 'verify' }),
    size,
  );
  // The workers start when the page is idle, so that a file opened later does not wait for them and nothing is fetched
  // while it is open.
  requestIdleCallback(() => {
    pool.warm();
  });
  return {
    size,
    ask: async <Q extends VerifierRequest>(request: Q) =>
      (await pool.ask(request)) as VerifierReply<Q>,
  };
}

/** A worker gave no answer: it was lost, or was terminated because it exceeded the time limit. */
export class VerifyWorkerLost extends Error {
  override name = 'VerifyWorkerLost';
}

export interface VerifyPool<Q, A> {
  /** The maximum number of workers. */
  readonly size: number;
  /** @throws VerifyWorkerLost, or an `Error` with the worker's message */
  ask(request: Q): Promise<A>;
  warm(): void;
  /** Terminates every worker; running and waiting requests are lost. A later request starts new workers. */
  close(): void;
}

interface Waiting<Q, A> {
  readonly request: Q;
  readonly done: (answer: A) => void;
  readonly failed: (error: Error) => void;
  /** Its worker was lost while it had several requests, so this one gets a worker alone. */
  readonly isAlone: boolean;
}

interface PooledWorker<Q, A> {
  readonly worker: Worker;
  /** Its running requests, by id. */
  readonly underWay: Map<number, Waiting<Q, A>>;
  timer?: ReturnType<typeof setTimeout>;
}

/** How many requests a worker has at most. It starts the second at once, however busy the page is. */
const most = 2;

/**
 * Creates a pool that gives each request to a worker with few requests, so that a slow or lost request does not affect
 * others. Workers start when first needed, or all at once with `warm`.
 * @param timeoutMs after which a worker that has answered none of its requests is terminated and replaced
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
    const pooled: PooledWorker<Q, A> = { worker, underWay: new Map() };
    worker.addEventListener('message', ({ data }: MessageEvent<PoolReply<A>>) => {
      const answered = pooled.underWay.get(data.id);
      if (answered === undefined) return;
      pooled.underWay.delete(data.id);
      watch(pooled);
      if ('error' in data) answered.failed(new Error(data.error));
      else answered.done(data.answer);
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

  /** Restarts a worker's time limit for its next answer. */
  function watch(pooled: PooledWorker<Q, A>): void {
    clearTimeout(pooled.timer);
    if (pooled.underWay.size === 0) return;
    pooled.timer = setTimeout(() => {
      drop(pooled);
      assign();
    }, timeoutMs);
  }

  /**
   * Terminates a worker. If it had several requests, it is unknown which one was the cause, so each is sent again to a
   * worker alone.
   */
  function drop({ worker, underWay, timer }: PooledWorker<Q, A>): void {
    worker.terminate();
    clearTimeout(timer);
    const at = workers.findIndex((one) => one.worker === worker);
    if (at >= 0) workers.splice(at, 1);
    const lost = [...underWay.values()];
    underWay.clear();
    if (lost.length > 1)
      waiting = [...lost.map((request) => ({ ...request, isAlone: true })), ...waiting];
    else lost[0]?.failed(new VerifyWorkerLost('A verify worker was lost.'));
  }

  function findFree({ isAlone }: Waiting<Q, A>): PooledWorker<Q, A> | undefined {
    const idle = workers.find(({ underWay }) => underWay.size === 0);
    if (idle !== undefined || workers.length < size) return idle ?? open();
    if (isAlone) return undefined;
    return workers.find(
      ({ underWay }) => underWay.size < most && ![...underWay.values()].some((one) => one.isAlone),
    );
  }

  /** Gives waiting requests to free workers. */
  function assign(): void {
    for (;;) {
      const [next, ...others] = waiting;
      const free = next && findFree(next);
      if (next === undefined || free === undefined) return;
      waiting = others;
      const id = (asked += 1);
      free.underWay.set(id, next);
      if (free.underWay.size === 1) watch(free);
      free.worker.postMessage({ id, request: next.request } satisfies PoolRequest<Q>);
    }
  }

  return {
    size,
    ask: (request) =>
      new Promise<A>((done, failed) => {
        waiting.push({ request, done, failed, isAlone: false });
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
