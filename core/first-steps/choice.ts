import { type StepId, stepIds } from '#core/first-steps/first-steps';

/** Holds what is stored of the first steps: what the agent has chosen about them, and what nothing else keeps. */
export interface FirstStepsChoice {
  readonly hidden: boolean;
  readonly skipped: ReadonlySet<StepId>;
  /** The connection whose account test passed last. */
  readonly tested?: TestedConnection | undefined;
}

/** Identifies a connection as it was when its account test passed: with every change of it the revision increases. */
export interface TestedConnection {
  readonly id: string;
  readonly revision: number;
}

const hiddenWord = 'hidden';
const testedWord = /^tested:([^:]+):(\d+)$/u;

/** Reads a stored choice: words parted by spaces. Unknown words are ignored. */
export function readChoice(stored: string): FirstStepsChoice {
  const words = stored.split(' ');
  const tested = words.map(readTested).find((each) => each !== undefined);
  return {
    hidden: words.includes(hiddenWord),
    skipped: new Set(stepIds.filter((id) => words.includes(id))),
    ...(tested !== undefined && { tested }),
  };
}

function readTested(word: string): TestedConnection | undefined {
  const [, id, revision] = testedWord.exec(word) ?? [];
  return id === undefined ? undefined : { id, revision: Number(revision) };
}

/** Returns a choice as it is stored; empty when there is nothing to store. */
export function writeChoice({ hidden, skipped, tested }: FirstStepsChoice): string {
  return [
    ...(hidden ? [hiddenWord] : []),
    ...stepIds.filter((id) => skipped.has(id)),
    ...(tested === undefined ? [] : [`tested:${tested.id}:${String(tested.revision)}`]),
  ].join(' ');
}
