import { Refusal } from '#scripts/refusal';

/**
 * Parses a number that an option was given.
 * @throws Refusal when it is no whole number from `min` on
 */
export function parseCount(option: string, text: string, min = 1): number {
  const count = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(count) && count >= min) return count;
  throw new Refusal(
    `--${option} takes a whole number from ${String(min)} on, and "${text}" is none.`,
  );
}
