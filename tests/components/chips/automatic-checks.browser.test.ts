import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { chipSize } from '#components/chips/chip-style';
import { createAutomaticChecks } from '#components/chips/automatic-checks';
import { createDrawnChips, type DrawnChips } from '#components/chips/drawn-chips';
import { createOverlay } from '#components/chips/overlay';
import type { Chip } from '#core/chips/index';

const chip = (label: string, answered: boolean): Chip => ({
  tone: 'plain',
  icon: '',
  label,
  answered,
});

let asked: string[];
let answer: Chip | null;
let chips: DrawnChips;
const ask = (code: string): Promise<Chip | null> => {
  asked.push(code);
  return Promise.resolve(answer);
};

beforeEach(() => {
  vi.useFakeTimers();
  asked = [];
  answer = chip('Supported', true);
  const blank = chip('Check', false);
  chips = createDrawnChips(createOverlay('', chipSize), blank, { open: vi.fn(), left: vi.fn() });
});
afterEach(() => {
  vi.useRealTimers();
});

test('codes in view are checked one after the other, each once', async () => {
  const checks = createAutomaticChecks(chips, ask, chip('Checking', false));
  checks.request(['a', 'b']);
  await vi.advanceTimersByTimeAsync(0);
  expect(asked).toEqual(['a']);
  checks.request(['a', 'b', 'c']);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(asked).toEqual(['a', 'b', 'c']);
  checks.end();
});

test('no code waits for the answer about another', async () => {
  const never = (code: string): Promise<Chip | null> => {
    asked.push(code);
    return new Promise(() => undefined);
  };
  const checks = createAutomaticChecks(chips, never, chip('Checking', false));
  checks.request(['a', 'b']);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(asked).toEqual(['a', 'b']);
  expect(chips.chipOf('a')?.label).toBe('Checking');
  checks.end();
});

test('codes that have left the view are not checked before those in it', async () => {
  const checks = createAutomaticChecks(chips, ask, chip('Checking', false));
  checks.request(['a', 'b', 'c']);
  await vi.advanceTimersByTimeAsync(0);
  checks.request(['d']);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(asked).toEqual(['a', 'd']);
  checks.end();
});

test('a check that was refused waits, and nothing is checked for a code that is gone then', async () => {
  answer = null;
  const checks = createAutomaticChecks(chips, ask, chip('Checking', false));
  checks.request(['a', 'b']);
  await vi.advanceTimersByTimeAsync(19_000);
  expect(asked).toEqual(['a']);
  checks.request([]);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(asked).toEqual(['a']);
  answer = chip('Supported', true);
  checks.request(['a']);
  await vi.advanceTimersByTimeAsync(0);
  expect(asked).toEqual(['a', 'a']);
  checks.end();
});

test('while checks rest after a refusal, no code in view claims to be about to be checked', async () => {
  answer = null;
  const checks = createAutomaticChecks(chips, ask, chip('Checking', false));
  const labels: string[] = [];
  vi.spyOn(chips, 'reset').mockImplementation((code) => labels.push(code));
  checks.request(['a', 'b']);
  await vi.advanceTimersByTimeAsync(1000);
  checks.request(['b', 'c']);
  expect(labels).toEqual(['a', 'b', 'b', 'c']);
  checks.end();
});

test('nothing is checked after the end', async () => {
  const checks = createAutomaticChecks(chips, ask, chip('Checking', false));
  checks.request(['a', 'b']);
  await vi.advanceTimersByTimeAsync(0);
  checks.end();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(asked).toEqual(['a']);
});
