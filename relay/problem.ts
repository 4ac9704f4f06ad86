/** Returns what to say of an error; that of several addresses that were tried in vain has no message of its own. */
export function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('\n');
  return error instanceof Error ? error.message : String(error);
}

/** Reports what the administrator can put right: its message says what is wrong, and how. */
export class Problem extends Error {
  override readonly name = 'Problem';
}

/** Reads a number as it was typed. @throws Problem */
export function whole(text: string, min: number, max: number, name: string): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= min && value <= max) return value;
  const range = `${String(min)} to ${String(max)}`;
  throw new Problem(`${name} is a whole number, ${range}, and not "${text}".`);
}

/** Reads one of some words. @throws Problem */
export function oneOf<T extends string>(allowed: readonly T[], text: string, name: string): T {
  const found = allowed.find((one) => one === text);
  if (found !== undefined) return found;
  throw new Problem(`${name} is one of ${allowed.join(', ')}, and not "${text}".`);
}
