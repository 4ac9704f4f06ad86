/** Reports a command that cannot be carried out; the message says why. */
export class AdminProblem extends Error {
  override readonly name = 'AdminProblem';
}

/**
 * Returns the arguments that a command takes.
 * @param names what each is called in a message, such as "the e-mail address"
 * @throws AdminProblem when one is missing or left over: what is left over would not be done, such as a second revocation
 */
export function takeArguments<const Names extends readonly string[]>(
  values: readonly string[],
  ...names: Names
): { [Name in keyof Names]: string } {
  for (const [index, name] of names.entries()) {
    if ((values[index] ?? '') === '') throw new AdminProblem(`Missing: ${name}.`);
  }
  // What is left over is not repeated: it may be a key.
  if (values.length > names.length) {
    const taken = names.length === 0 ? 'no arguments' : `nothing but ${names.join(' and ')}`;
    throw new AdminProblem(`This command takes ${taken}. Nothing was done.`);
  }
  return [...values] as unknown as { [Name in keyof Names]: string };
}
