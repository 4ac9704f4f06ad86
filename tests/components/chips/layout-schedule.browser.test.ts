import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { type LayoutSchedule, scheduleLayouts } from '#components/chips/layout-schedule';

let now: number;
let layouts: boolean[];
let costMs: number;
let schedule: LayoutSchedule;

beforeEach(() => {
  vi.useFakeTimers();
  now = 0;
  layouts = [];
  costMs = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  schedule = scheduleLayouts(
    (onlyScrolled) => {
      layouts.push(onlyScrolled);
      now += costMs;
    },
    () => true,
  );
});
afterEach(() => {
  schedule.end();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

test('a change is laid out soon, and all again about once a second', async () => {
  schedule.changed();
  await vi.advanceTimersByTimeAsync(100);
  expect(layouts).toEqual([false]);
  await vi.advanceTimersByTimeAsync(1000);
  expect(layouts).toEqual([false, false]);
});

test('a scroll is laid out in the next frame, however long the last layout took', async () => {
  costMs = 500;
  schedule.changed();
  await vi.advanceTimersByTimeAsync(100);
  dispatchEvent(new Event('resize'));
  document.dispatchEvent(new Event('scroll'));
  await vi.advanceTimersByTimeAsync(20);
  expect(layouts).toEqual([false, false]);
});

/** Lays out twice, so that what a layout takes is known. */
async function layOutTwice(): Promise<void> {
  for (let count = 0; count < 2; count += 1) {
    schedule.changed();
    await vi.advanceTimersByTimeAsync(100);
  }
  expect(layouts).toHaveLength(2);
}

test('after two layouts that took 20 ms the next change waits 160 times as long', async () => {
  costMs = 20;
  await layOutTwice();
  schedule.changed();
  await vi.advanceTimersByTimeAsync(3100);
  expect(layouts).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(200);
  expect(layouts.length).toBeGreaterThan(2);
});

test('one slow layout, as a busy machine makes it, delays no change', async () => {
  costMs = 500;
  schedule.changed();
  await vi.advanceTimersByTimeAsync(100);
  costMs = 1;
  schedule.changed();
  await vi.advanceTimersByTimeAsync(100);
  expect(layouts).toHaveLength(2);
});

test('no change waits longer than ten seconds, however long layouts take', async () => {
  costMs = 2000;
  await layOutTwice();
  schedule.changed();
  await vi.advanceTimersByTimeAsync(10_100);
  expect(layouts.length).toBeGreaterThan(2);
});
