import { parseArgs, type ParseArgsConfig } from 'node:util';

import { type Cell, writeCsv } from '#core/tables/index';
import type { Keyring } from '#relay/keys/keyring';
import type { Store } from '#relay/store/index';
import { Problem } from '#relay/problem';

export interface CommandContext {
  readonly store: Store;
  /** Reads the master keys; only commands that use a key call it. */
  readonly keyring: () => Keyring;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Reads standard input, so that secrets are never arguments or in a shell's history. */
  readonly readInput: () => Promise<string>;
  /** The relay's address as browsers see it, if known. */
  readonly origin?: string | undefined;
  readonly print: (line: string) => void;
}

export interface Command {
  readonly takes: string;
  /** Whether the command may be the first one, so that an embedded database is created for it. */
  readonly begins: boolean;
  /** @throws Problem */
  readonly run: (context: CommandContext, args: readonly string[]) => Promise<void>;
}

export function asksForHelp(args: readonly string[]): boolean {
  return args.some((one) => one === '--help' || one === '-h');
}

type Options = NonNullable<ParseArgsConfig['options']>;
type Named<Names extends readonly string[]> = { readonly [Name in keyof Names]: string };
type Values<Known extends Options> = ReturnType<
  typeof parseArgs<{ options: Known; allowPositionals: true; allowNegative: true }>
>['values'];

/**
 * Reads the arguments of a command.
 * @param names the name of each in messages, such as "the e-mail address"; one that ends with "?" is optional, and `''` if omitted
 * @param options as `parseArgs` takes them
 * @throws Problem if one is missing or left over, since a left-over one, such as a second revocation, would not be carried out
 */
export function readArguments<
  const Names extends readonly string[],
  const Known extends Options = Record<string, never>,
>(
  args: readonly string[],
  names: Names,
  options?: Known,
): { readonly named: Named<Names>; readonly values: Values<Known> } {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    allowNegative: true,
    options: options ?? {},
  });
  const missing = names.find(
    (name, index) => !name.endsWith('?') && (positionals[index] ?? '') === '',
  );
  if (missing !== undefined) throw new Problem(`Missing: ${missing}.`);
  // The left-over arguments are not printed, since one may be a key.
  if (positionals.length > names.length) {
    const taken =
      names.length === 0 ? 'no arguments' : `nothing but ${names.join(' and ').replace('?', '')}`;
    throw new Problem(`This command takes ${taken}. Nothing was done.`);
  }
  const named = names.map((_, index) => positionals[index] ?? '') as Named<Names>;
  return { named, values: values as Values<Known> };
}

/** Creates a command whose arguments are read before it runs. See `readArguments` for `names` and `options`. */
export function command<
  const Names extends readonly string[] = [],
  const Known extends Options = Record<string, never>,
>(
  about: Partial<Pick<Command, 'takes' | 'begins'>> & {
    readonly names?: Names;
    readonly options?: Known;
  },
  run: (context: CommandContext, named: Named<Names>, values: Values<Known>) => Promise<void>,
): Command {
  const { takes = '', begins = false, names, options } = about;
  return {
    takes,
    begins,
    run: async (context, args) => {
      const { named, values } = readArguments(args, names ?? [], options);
      await run(context, named as Named<Names>, values);
    },
  };
}

export function printCsv({ print }: CommandContext, ...rows: readonly (readonly Cell[])[]): void {
  // `print` adds the end of the last line.
  print(writeCsv(rows).replace(/\n$/, ''));
}

/** Returns the value of an option. @throws Problem if it was not given */
export function required(value: string | undefined, name: string, usage = ''): string {
  if (value !== undefined && value !== '') return value;
  throw new Problem(`Missing: --${name}.${usage}`);
}
