import { Refusal } from '#scripts/refusal';

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
