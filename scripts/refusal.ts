/** Why a command cannot go on, as one sentence for the person who gave it. Anything else that is thrown is a mistake of ours. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}

/** Runs a command's body: a refusal becomes its sentence on stderr and exit code 1, a mistake keeps its stack. */
export async function runCommand(body: () => Promise<number>): Promise<never> {
  try {
    process.exit(await body());
  } catch (error) {
    console.error(error instanceof Refusal ? error.message : error);
    process.exit(1);
  }
}
