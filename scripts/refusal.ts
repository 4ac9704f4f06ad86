/** Tells the user in one sentence why a command cannot continue. Any other thrown error is a defect of the command. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}

/** Runs a command's body and exits with its code. Prints a refusal as one sentence and any other error with its stack; both exit with 1. */
export async function runCommand(body: () => Promise<number>): Promise<never> {
  try {
    process.exit(await body());
  } catch (error) {
    console.error(error instanceof Refusal ? error.message : error);
    process.exit(1);
  }
}
