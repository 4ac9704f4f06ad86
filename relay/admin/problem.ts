/** Reports a command that cannot be carried out; the message says why. */
export class AdminProblem extends Error {
  override readonly name = 'AdminProblem';
}

/** Returns a positional argument. @throws AdminProblem when it is missing */
export function argument(values: readonly string[], index: number, name: string): string {
  const value = values[index];
  if (value === undefined || value === '') throw new AdminProblem(`${name} is missing.`);
  return value;
}
