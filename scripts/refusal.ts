/** Tells the user in one sentence why a command cannot continue. Any other thrown error is a defect of the command. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}

/**
 * Runs a command's body and exits with its code. Prints a refusal, or what `parseArgs` says of the arguments, as one sentence and
 * any other error with its stack; all exit with 1.
 */
export async function runCommand(body: () => Promise<number>): Promise<never> {
  try {
    process.exit(await body());
  } catch (error) {
    console.error(error instanceof Refusal || isOfArguments(error) ? error.message : error);
    process.exit(1);
  }
}

/** Tells whether `parseArgs` of Node threw this. */
function isOfArguments(error: unknown): error is Error {
  return error instanceof Error && String(Reflect.get(error, 'code')).startsWith('ERR_PARSE_ARGS_');
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
