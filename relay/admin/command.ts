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
