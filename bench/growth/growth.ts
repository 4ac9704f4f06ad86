import type { CDPSession, Page } from '@playwright/test';

import type { BenchSetup } from '#bench/setup';
import { delay } from '#core/time/index';
import { devtoolsOf, type Extension, findWorker } from '#scripts/running/extension';

/** Measures one thing at several amounts of work, to show how its cost grows. */
export interface Growth {
  readonly name: string;
  /** The unit's name in the plural, such as "rows". */
  readonly unit: string;
  /** In ascending order. */
  readonly sizes: readonly number[];
  measure(setup: BenchSetup, size: number): Promise<Cost>;
}

export interface Cost {
  readonly milliseconds: number;
  /** The most memory above what the page needed before; absent where it was not measured. */
  readonly peakBytes?: number;
  /** Memory that is still needed at the end, such as the rows of a table. */
  readonly heldBytes?: number;
}

export interface GrowthFinding {
  readonly name: string;
  readonly unit: string;
  readonly points: readonly (Cost & { readonly size: number })[];
}

/**
 * Fits `time = c · size^exponent` by least squares over the logarithms: 1 is linear, 2 quadratic.
 * A fixed cost makes it smaller than it is in the long run.
 */
export function exponentOf(points: readonly { size: number; milliseconds: number }[]): number {
  const logs = points.map(({ size, milliseconds }) => ({
    x: Math.log(size),
    // A time too short to measure counts as one microsecond.
    y: Math.log(Math.max(milliseconds, 0.001)),
  }));
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(logs.map((log) => log.x)), mean(logs.map((log) => log.y))];
  const covariance = mean(logs.map((log) => (log.x - x) * (log.y - y)));
  const variance = mean(logs.map((log) => (log.x - x) ** 2));
  return covariance / variance;
}

export function growthRows(findings: readonly GrowthFinding[]): string[][] {
  const list = (values: readonly string[]): string => values.join(' · ');
  const megabytes = (bytes: number | undefined): string =>
    bytes === undefined ? '–' : (bytes / 1e6).toFixed(1);
  return [
    ['What', 'Work', 'Milliseconds', 'Exponent', 'Peak, MB', 'Held, MB'],
    ...findings.map(({ name, unit, points }) => [
      name,
      `${list(points.map(({ size }) => size.toLocaleString('en')))} ${unit}`,
      list(points.map(({ milliseconds }) => milliseconds.toFixed(milliseconds < 10 ? 1 : 0))),
      exponentOf(points).toFixed(2),
      list(points.map(({ peakBytes }) => megabytes(peakBytes))),
      list(points.map(({ heldBytes }) => megabytes(heldBytes))),
    ]),
  ];
}

/** How often the memory is read, in milliseconds; a reading waits for the task that is running. */
const sampleMs = 100;

/**
 * Runs something and measures the memory of a page and of its workers meanwhile: JavaScript objects and array buffers,
 * as `Runtime.getHeapUsage` of the DevTools protocol gives them, uncollected garbage included.
 * @param run returns milliseconds
 */
export async function withHeap(page: Page, run: () => Promise<number>): Promise<Required<Cost>> {
  const heap = await openHeap(page);
  const before = await heap.collected();
  let peak = before;
  const running = { ended: false };
  const sampling = (async () => {
    while (!running.ended) {
      peak = Math.max(peak, await heap.used());
      await delay(sampleMs);
    }
  })();
  const milliseconds = await run();
  running.ended = true;
  await sampling;
  const after = await heap.collected();
  await heap.close();
  return { milliseconds, peakBytes: peak - before, heldBytes: after - before };
}

interface Usage {
  readonly usedSize: number;
  readonly backingStorageSize?: number;
}

interface Heap {
  /** Bytes. */
  used(): Promise<number>;
  /** Bytes after a garbage collection. */
  collected(): Promise<number>;
  close(): Promise<void>;
}

function bytesOf({ usedSize, backingStorageSize = 0 }: Usage): number {
  return usedSize + backingStorageSize;
}

/** Returns what the extension's worker needs, in bytes, with the garbage collected before. */
export async function workerHeap(extension: Extension): Promise<number> {
  const session = await devtoolsOf(extension);
  const workers = hearWorkers(session, 'service_worker');
  const targetId = (await findWorker(session, extension.id)) ?? '';
  await session.send('Target.attachToTarget', { targetId, flatten: false });
  await workers.askAll('HeapProfiler.collectGarbage');
  const [usage] = await workers.askAll<Usage>('Runtime.getHeapUsage');
  await session.detach();
  if (usage === undefined) throw new Error('The worker does not run.');
  return bytesOf(usage);
}

async function openHeap(page: Page): Promise<Heap> {
  const session = await page.context().newCDPSession(page);
  const workers = hearWorkers(session, 'worker');
  await session.send('Target.setAutoAttach', {
    autoAttach: true,
    waitForDebuggerOnStart: false,
    flatten: false,
  });
  const used = async (): Promise<number> => {
    const own = (await session.send('Runtime.getHeapUsage')) as Usage;
    const others = await workers.askAll<Usage>('Runtime.getHeapUsage');
    return [own, ...others].map(bytesOf).reduce((sum, bytes) => sum + bytes, 0);
  };
  return {
    used,
    async collected() {
      await session.send('HeapProfiler.collectGarbage');
      await workers.askAll('HeapProfiler.collectGarbage');
      return used();
    },
    close: () => session.detach(),
  };
}

interface Attached {
  /** Leaves out workers that are gone. */
  askAll<T>(method: string): Promise<T[]>;
}

/** Speaks with the workers of one type that a session is or will be attached to. */
function hearWorkers(session: CDPSession, type: string): Attached {
  const attached = new Set<string>();
  const waiting = new Map<string, (reply: unknown) => void>();
  let asked = 0;
  session.on('Target.attachedToTarget', ({ sessionId, targetInfo }) => {
    if (targetInfo.type === type) attached.add(sessionId);
  });
  session.on('Target.detachedFromTarget', ({ sessionId }) => {
    attached.delete(sessionId);
    for (const [name, reply] of waiting) if (name.startsWith(`${sessionId} `)) reply(undefined);
  });
  session.on('Target.receivedMessageFromTarget', ({ sessionId, message }) => {
    const { id, result } = JSON.parse(message) as { id: number; result?: unknown };
    waiting.get(`${sessionId} ${String(id)}`)?.(result);
  });
  const ask = async (sessionId: string, method: string): Promise<unknown> => {
    const id = (asked += 1);
    const { promise, resolve } = Promise.withResolvers<unknown>();
    waiting.set(`${sessionId} ${String(id)}`, resolve);
    const message = JSON.stringify({ id, method });
    session.send('Target.sendMessageToTarget', { sessionId, message }).catch(() => {
      resolve(undefined);
    });
    const reply = await promise;
    waiting.delete(`${sessionId} ${String(id)}`);
    return reply;
  };
  return {
    async askAll<T>(method: string) {
      const replies = await Promise.all([...attached].map((id) => ask(id, method)));
      return replies.filter((reply) => reply !== undefined) as T[];
    },
  };
}
