/** Tells the user in one sentence why a command cannot continue. Any other thrown error is a defect of the command. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}

/**
 * Runs a command's body and exits with its code. Prints a refusal, what `parseArgs` says of the arguments, and what the
 * system does not allow as one sentence, and any other error with its stack; all exit with 1.
 */
export async function runCommand(body: () => number | Promise<number>): Promise<never> {
  try {
    process.exit(await body());
  } catch (error) {
    console.error(sentenceOf(error) ?? error);
    process.exit(1);
  }
}

/** The folder or the disk is at fault, and no command of ours: not allowed, read-only, full. */
const codesOfSystem = ['EACCES', 'EPERM', 'EROFS', 'ENOSPC'];

function sentenceOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = String(Reflect.get(error, 'code'));
  if (codesOfSystem.includes(code)) return `The system does not allow it: ${error.message}.`;
  return error instanceof Refusal || code.startsWith('ERR_PARSE_ARGS_') ? error.message : undefined;
}

/**
 * Refuses arguments to a command that runs everything.
 * @throws Refusal that says how one file of tests is run
 */
export function refuseArguments(command: string): void {
  if (process.argv.length === 2) return;
  throw new Refusal(
    `"${command}" takes no arguments: it runs everything. For one file of tests: npm run unit -- FILE, npm run browser -- FILE, npm run e2e -- FILE.`,
  );
}

/**
 * Refuses what is none of the names that a command knows.
 * @throws Refusal that lists them
 */
export function refuseUnknown(given: readonly string[], known: readonly string[]): void {
  const unknown = given.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Refusal(`"${unknown}" is none of ${known.join(', ')}.`);
}

/**
 * Parses a number that an option was given.
 * @throws Refusal when it is no whole number from `min` on
 */
export function parseCount(option: string, text: string, min = 1): number {
  const count = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(count) && count >= min) return count;
  throw new Refusal(
    `--${option} takes a whole number from ${String(min)} on, and "${text}" is none.`,
  );
}

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
