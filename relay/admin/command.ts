import type { Keyring } from '#relay/keys/keyring';
import type { Store } from '#relay/store/store';

/** Holds what a command of the administrator works with. */
export interface CommandContext {
  readonly store: Store;
  /** Reads the master keys; only commands that touch a key ask for it. */
  readonly keyring: () => Keyring;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Reads standard input: a secret stands in no argument and in no shell's history. */
  readonly readInput: () => Promise<string>;
  /** The relay's address as browsers see it, where it is known. */
  readonly origin?: string | undefined;
  readonly print: (line: string) => void;
}

/** Runs one command. @throws AdminProblem */
export type Command = (context: CommandContext, args: readonly string[]) => Promise<void>;

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
): { [Name in keyof Names]: string };
export function takeArguments(values: readonly string[], ...names: readonly string[]): string[] {
  for (const [index, name] of names.entries()) {
    if ((values[index] ?? '') === '') throw new AdminProblem(`Missing: ${name}.`);
  }
  // What is left over is not repeated: it may be a key.
  if (values.length > names.length) {
    const taken = names.length === 0 ? 'no arguments' : `nothing but ${names.join(' and ')}`;
    throw new AdminProblem(`This command takes ${taken}. Nothing was done.`);
  }
  return [...values];
}
