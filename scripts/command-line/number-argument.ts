import { Refusal } from '#scripts/command-line/refusal';

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

/**
 * Parses the port that a command was given.
 * @throws Refusal when it is no decimal number in the range
 */
export function parsePort(
  text: string,
  range: { readonly min: number; readonly max: number },
): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port >= range.min && port <= range.max) return port;
  throw new Refusal(
    `"${text}" is no port: give a number from ${String(range.min)} to ${String(range.max)}.`,
  );
}
