/** Returns what to say of an error; that of several addresses that were tried in vain has no message of its own. */
export function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('\n');
  return error instanceof Error ? error.message : String(error);
}

/** Reports what the administrator can put right: its message says what is wrong, and how. */
export class Problem extends Error {
  override readonly name = 'Problem';
}
