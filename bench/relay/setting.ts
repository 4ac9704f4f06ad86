import { Agent, request } from 'node:http';

import { delay } from '#core/time/index';
import type { Stored } from '#relay/store/index';
import { auditRows } from '#tests/relay/support/audit-rows';
import type { CountingUpstream } from '#tests/relay/support/counting-upstream';
import type { RelayFiles } from '#tests/relay/support/relay';

/** The setting of a measurement: a store, a seller that answers at once, and two agents. */
export interface Setting {
  readonly files: RelayFiles;
  readonly seller: CountingUpstream;
  readonly token: string;
  readonly other: string;
  /** Prints a figure with the store's name. */
  readonly say: (line: string) => void;
}

/** Measures one promise and prints its figures. */
export type Part = (setting: Setting) => Promise<void>;

/** Connects the seller anew, under limits of a part's own. */
export async function connect(
  { files, seller }: Setting,
  id: string,
  limit: string,
): Promise<void> {
  await files.connect(id, seller.origin, 'bench-key-0123456789', limit);
}

/** Sets a limit that holds no call back. */
export const unlimited = '--limit 100000 --window 1';

export function auditOf(files: RelayFiles): Promise<readonly Stored<'audit'>[]> {
  return files.administer(auditRows);
}

/** How a call ended: its HTTP status, 0 for a connection that was cut, and how long it took. */
export interface Answer {
  readonly status: number;
  readonly milliseconds: number;
}

const agent = new Agent({ keepAlive: true, maxSockets: 600 });
let codes = 0;

/** Checks a code that was not asked before, direct or through a relay. */
export function check(
  base: string,
  token?: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  codes += 1;
  const began = performance.now();
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return new Promise((resolve) => {
    const end = (status: number): void => {
      resolve({ status, milliseconds: performance.now() - began });
    };
    const outgoing = request(`${base}/api/purchases/validation`, {
      agent,
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        ...authorization,
        ...headers,
      },
    });
    outgoing.on('error', () => {
      end(0);
    });
    outgoing.on('response', (incoming) => {
      incoming.resume();
      incoming.on('error', () => {
        end(0);
      });
      incoming.on('end', () => {
        end(incoming.statusCode ?? 0);
      });
    });
    outgoing.end(`purchase_code=bench-code-${String(codes).padStart(8, '0')}`);
  });
}

/** Keeps so many calls in flight until `going` says no. */
export async function callWhile(
  lanes: number,
  going: () => boolean,
  call: () => Promise<Answer>,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  const lane = async (): Promise<void> => {
    while (going()) answers.push(await call());
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return answers;
}

/** Keeps so many calls in flight for some seconds. */
export function callFor(
  lanes: number,
  seconds: number,
  call: () => Promise<Answer>,
): Promise<Answer[]> {
  const until = performance.now() + seconds * 1000;
  return callWhile(lanes, () => performance.now() < until, call);
}

/** Starts calls at even intervals, whether or not earlier ones have ended. */
export async function callEvenly(
  perSecond: number,
  seconds: number,
  call: (index: number) => Promise<Answer>,
): Promise<Answer[]> {
  const answers: Promise<Answer>[] = [];
  const began = performance.now();
  for (let index = 0; index < perSecond * seconds; index += 1) {
    const wait = began + (index * 1000) / perSecond - performance.now();
    if (wait > 0) await delay(wait);
    answers.push(call(index));
  }
  return Promise.all(answers);
}

/** Returns the time that a share of the calls, 0 to 1, did not exceed, in milliseconds. */
export function timeOf(answers: readonly Answer[], share: number): number {
  const times = answers.map(({ milliseconds }) => milliseconds).toSorted((a, b) => a - b);
  return times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
}

/**
 * Writes median and 95th percentile, the rate where the seconds are given, and how many calls were not answered by 200.
 */
export function summaryOf(answers: readonly Answer[], seconds?: number): string {
  const failed = answers.filter(({ status }) => status !== 200).length;
  const rate = seconds === undefined ? '' : `, ${(answers.length / seconds).toFixed(0)} calls/s`;
  const times = `p50 ${timeOf(answers, 0.5).toFixed(1)} ms, p95 ${timeOf(answers, 0.95).toFixed(1)} ms`;
  return `${times}${rate}, ${String(answers.length)} calls, ${String(failed)} not 200`;
}

export function closeConnections(): void {
  agent.destroy();
}
