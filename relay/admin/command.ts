import type { Keyring } from '#relay/keys/keyring';
import type { Store } from '#relay/store/store';

/** What a command of the administrator works with. */
export interface CommandContext {
  readonly store: Store;
  /** Reads the master keys; only commands that touch a key ask for it. */
  readonly keyring: () => Keyring;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Reads one secret from standard input, so that it stands in no argument and in no shell's history. */
  readonly readSecret: () => Promise<string>;
  readonly print: (line: string) => void;
}

/** Runs one command. @throws AdminProblem */
export type Command = (context: CommandContext, args: readonly string[]) => Promise<void>;
