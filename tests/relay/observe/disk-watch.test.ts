import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { type DiskWatch, watchDisk } from '#relay/observe/disk-watch';
import { createObserver, type Observer } from '#relay/observe/observer';

const mebibyte = 1024 * 1024;
let free: () => Promise<number | undefined>;
let logged: string;
let watch: DiskWatch;
let observer: Observer;

beforeEach(() => {
  vi.useFakeTimers();
  logged = '';
  observer = createObserver('debug', { write: (line) => (logged += line) });
});
afterEach(() => {
  watch.stop();
  vi.useRealTimers();
});

async function start(): Promise<void> {
  watch = await watchDisk(() => free(), observer);
}

test('a disk that fills up is told, and so is room that was made', async () => {
  free = () => Promise.resolve(256 * mebibyte);
  await start();
  expect([watch.low(), logged]).toEqual([false, '']);
  free = () => Promise.resolve(256 * mebibyte - 1);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(watch.low()).toBe(true);
  expect(logged).toContain('"event":"disk-low","freeBytes":268435455');
  expect(await observer.page()).toContain('counterfoil_relay_disk_free_bytes 268435455');
  free = () => Promise.resolve(300 * mebibyte);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(watch.low()).toBe(false);
});

test('while nobody can tell the room, the last finding holds', async () => {
  free = () => Promise.resolve(1);
  await start();
  free = () => Promise.reject(new Error('gone'));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(watch.low()).toBe(true);
  expect(logged).toContain('"event":"store-fault","during":"disk"');
  expect(await observer.page()).toContain('counterfoil_relay_store_faults_total 1');
});

test('where the room is unknown, there is no alarm', async () => {
  free = () => Promise.resolve(undefined);
  await start();
  expect([watch.low(), logged]).toEqual([false, '']);
  // A gauge that shows 0 would be one.
  expect(await observer.page()).not.toContain('disk_free_bytes');
});
