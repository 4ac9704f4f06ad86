import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { delay } from '#core/time/delay';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Tells when a promise has settled. */
function watch(promise: Promise<void>): { isDone: boolean } {
  const watched = { isDone: false };
  void promise.then(() => (watched.isDone = true));
  return watched;
}

test('waits for the whole time', async () => {
  const wait = watch(delay(1000));
  await vi.advanceTimersByTimeAsync(999);
  expect(wait.isDone).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(wait.isDone).toBe(true);
});

test('ends as soon as the signal aborts, and leaves no timer behind', async () => {
  const stop = new AbortController();
  const wait = watch(delay(1000, stop.signal));
  stop.abort();
  await vi.advanceTimersByTimeAsync(0);
  expect(wait.isDone).toBe(true);
  expect(vi.getTimerCount()).toBe(0);
});

test('does not begin when the signal has aborted already', async () => {
  await delay(1000, AbortSignal.abort());
  expect(vi.getTimerCount()).toBe(0);
});

test('a time that has passed is not waited for', async () => {
  const wait = watch(delay(-5));
  await vi.advanceTimersByTimeAsync(0);
  expect(wait.isDone).toBe(true);
});
