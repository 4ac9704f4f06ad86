/** A numbered request to a verify worker. The pool does not look into it. */
export interface PoolRequest<Q> {
  readonly id: number;
  readonly question: Q;
}

export type PoolReply<A> =
  | { readonly id: number; readonly answer: A }
  /** The worker threw: a programmer's mistake. */
  | { readonly id: number; readonly broke: string };

/** A worker gave no answer: it was lost, or it was ended because it took longer than any honest input needs. */
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

interface Lane<A> {
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
 * @param timeoutMs milliseconds after which a worker that has not answered is ended and replaced
 */
export function createVerifyPool<Q, A>(
  start: () => Worker,
  size: number,
  timeoutMs = 20_000,
): VerifyPool<Q, A> {
  const lanes: Lane<A>[] = [];
  let asked = 0;

  function open(): Lane<A> {
    const worker = start();
    const lane: Lane<A> = { worker, waiting: new Map() };
    worker.addEventListener('message', ({ data }: MessageEvent<PoolReply<A>>) => {
      const waiting = lane.waiting.get(data.id);
      if (waiting === undefined) return;
      lane.waiting.delete(data.id);
      clearTimeout(waiting.timer);
      if ('broke' in data) waiting.failed(new Error(data.broke));
      else waiting.done(data.answer);
    });
    worker.addEventListener('error', (event) => {
      event.preventDefault();
      drop(lane);
    });
    lanes.push(lane);
    return lane;
  }

  function drop(lane: Lane<A>): void {
    lane.worker.terminate();
    const at = lanes.indexOf(lane);
    if (at >= 0) lanes.splice(at, 1);
    for (const { failed, timer } of lane.waiting.values()) {
      clearTimeout(timer);
      failed(new VerifyWorkerLost('A verify worker was lost.'));
    }
    lane.waiting.clear();
  }

  function leastBusy(): Lane<A> {
    const free = lanes.toSorted((a, b) => a.waiting.size - b.waiting.size)[0];
    return free !== undefined && (free.waiting.size === 0 || lanes.length >= size) ? free : open();
  }

  return {
    size,
    ask(question) {
      const lane = leastBusy();
      const id = (asked += 1);
      return new Promise<A>((done, failed) => {
        const timer = setTimeout(() => {
          drop(lane);
        }, timeoutMs);
        lane.waiting.set(id, { done, failed, timer });
        lane.worker.postMessage({ id, question } satisfies PoolRequest<Q>);
      });
    },
    warm() {
      while (lanes.length < size) open();
    },
    close() {
      for (const lane of [...lanes]) drop(lane);
    },
  };
}
