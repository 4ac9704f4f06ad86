import { type StepId, stepIds } from '#core/first-steps/first-steps';

/** What an agent has chosen about the first steps: the only part of them that is stored. */
export interface FirstStepsChoice {
  readonly hidden: boolean;
  readonly skipped: ReadonlySet<StepId>;
}

const hiddenWord = 'hidden';

/** Reads a stored choice: words parted by spaces. Unknown words are ignored. */
export function readChoice(stored: string): FirstStepsChoice {
  const words = stored.split(' ');
  return {
    hidden: words.includes(hiddenWord),
    skipped: new Set(stepIds.filter((id) => words.includes(id))),
  };
}

/** Returns a choice as it is stored; empty when nothing was chosen. */
export function writeChoice({ hidden, skipped }: FirstStepsChoice): string {
  return [...(hidden ? [hiddenWord] : []), ...stepIds.filter((id) => skipped.has(id))].join(' ');
}
