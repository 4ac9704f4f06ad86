/** Returns an error's message; the error after several failed addresses has none of its own. */
export function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('\n');
  return error instanceof Error ? error.message : String(error);
}

/** A problem that the administrator can solve: its message says what is wrong and what to do. */
export class Problem extends Error {
  override readonly name = 'Problem';
}

/** Parses a typed number. @throws Problem */
export function whole(text: string, min: number, max: number, name: string): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= min && value <= max) return value;
  const range = `${String(min)} to ${String(max)}`;
  throw new Problem(`${name} is a whole number, ${range}, and not "${text}".`);
}

/** Parses one of several words. @throws Problem */
export function oneOf<T extends string>(allowed: readonly T[], text: string, name: string): T {
  const found = allowed.find((one) => one === text);
  if (found !== undefined) return found;
  throw new Problem(`${name} is one of ${allowed.join(', ')}, and not "${text}".`);
}
