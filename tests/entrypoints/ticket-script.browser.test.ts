import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import type { ScriptGlobals } from '#components/chips/chips';

const isolated = globalThis as ScriptGlobals & { chrome?: { runtime?: unknown } };
const settings = { automatic: true, origin: 'https://desk.test', patterns: [] };

/** What the worker does with one request after the other: no reply, a refusal, or the settings. */
let replies: (undefined | null | object)[];
let asked: number;
let shown: unknown[];

/** Stands in for the extension's part of `chrome`, which a page does not have. */
const runtime = {
  id: 'counterfoil',
  onMessage: { addListener: () => undefined, removeListener: () => undefined },
  sendMessage: () => {
    const reply = replies[asked];
    asked += 1;
    return Promise.resolve(reply === undefined ? undefined : { answered: true, reply });
  },
};

beforeEach(() => {
  vi.useFakeTimers();
  (isolated.chrome ??= {}).runtime = runtime;
  asked = 0;
  shown = [];
  isolated.counterfoilView = (given) => {
    shown.push(given);
    return {
      checked: () => undefined,
      stepState: () => ({ count: 0, at: -1 }),
      focusCode: () => undefined,
      end: () => undefined,
    };
  };
});
afterEach(() => {
  vi.useRealTimers();
  isolated.counterfoilStarted = false;
  delete isolated.chrome?.runtime;
});

/** Runs the first stage, as the browser does in each document of an allowed host. */
async function run(): Promise<void> {
  const { default: script } = await import('#entrypoints/ticket/index');
  void script.main();
  await vi.advanceTimersByTimeAsync(10_000);
}

test('a request that was lost is made again, and the chips come', async () => {
  replies = [undefined, undefined, settings];
  await run();
  expect(shown).toEqual([settings]);
  expect(isolated.counterfoilStarted).toBe(true);
});

test('a worker that never replies is asked three times', async () => {
  replies = [];
  await run();
  expect([asked, shown]).toEqual([3, []]);
  expect(isolated.counterfoilStarted).toBe(false);
});

test('a refusal is an answer', async () => {
  replies = [null, settings];
  await run();
  expect([asked, shown]).toEqual([1, []]);
});
