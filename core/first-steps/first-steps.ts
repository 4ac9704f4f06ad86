import { omitUndefined } from '#core/result';
import { isAboutKey } from '#core/check/index';
import type { Fault } from '#core/marketplaces/index';

/** The steps from an empty profile to the first verdicts, in order. */
const stepIds = ['connect', 'check', 'pin'] as const;
export type StepId = (typeof stepIds)[number];

/**
 * How a step stands. `next` is the one to take now, `open` can be taken as well, `later` waits for another step,
 * `failed` was tried and needs fixing.
 */
export type StepState = 'done' | 'skipped' | 'failed' | 'next' | 'open' | 'later';

export interface Step {
  readonly id: StepId;
  readonly state: StepState;
}

export interface ConnectionFacts {
  readonly id: string;
  readonly permitted: boolean;
  /** Whether it has a key, or needs none. */
  readonly hasKey: boolean;
  /** Whether it has answered a check: it has confirmed a code, or the history has an answer of it. */
  readonly hasAnswered: boolean;
  /** How the last test of its account ended; absent before the first one. */
  readonly test?: 'passed' | Fault;
}

export interface FirstStepsFacts {
  readonly connections: readonly ConnectionFacts[];
  readonly hasPinnedKey: boolean;
  readonly skipped: ReadonlySet<StepId>;
}

export interface FirstSteps {
  readonly steps: readonly Step[];
  /** The connection that the steps are about; undefined before the first one. */
  readonly connectionId: string | undefined;
}

/**
 * Derives the first steps from what is stored. Of several connections the one that is furthest counts: one that works
 * is enough.
 *
 * A connection that has answered a check has both its steps behind it, even where its key is gone with the session or
 * the browser has taken its permission back: its card tells of that. A key that is refused marks the first one as failed,
 * and leaves the next step where it is.
 */
export function firstSteps({ connections, hasPinnedKey, skipped }: FirstStepsFacts): FirstSteps {
  const best = connections.toSorted((one, other) => reachOf(other) - reachOf(one))[0];
  const reach = best === undefined ? 0 : reachOf(best);
  const isChecked = connections.some(({ hasAnswered }) => hasAnswered);
  // A key that is refused later does not bring back steps that are all settled: its card tells of that.
  const isSettled = isChecked && (hasPinnedKey || skipped.has('pin'));
  const isDone = { connect: reach >= passed || isSettled, check: isChecked, pin: hasPinnedKey };
  const isSkipped = (id: StepId): boolean =>
    !isDone[id] && (skipped.has(id) || (id === 'check' && isSkipped('connect')));
  const canBeTaken = (id: StepId): boolean =>
    !isDone[id] && !isSkipped(id) && (id !== 'check' || isDone.connect);
  // A key that is refused after an answer is mended on its card: the steps go on.
  const next = stepIds.find((id) => canBeTaken(id) && !(id === 'connect' && isChecked));
  const hasFailed = best?.test !== undefined && best.test !== 'passed';
  const stateOf = (id: StepId): StepState => {
    if (isDone[id]) return 'done';
    if (isSkipped(id)) return 'skipped';
    if (!canBeTaken(id)) return 'later';
    if (id === 'connect' && hasFailed) return 'failed';
    return id === next ? 'next' : 'open';
  };
  return { steps: stepIds.map((id) => ({ id, state: stateOf(id) })), connectionId: best?.id };
}

const [entered, passed, answered] = [1, 2, 3];

/** Ranks how far a connection has come. */
function reachOf({ permitted, hasKey, hasAnswered, test }: ConnectionFacts): number {
  const isRefused = permitted && hasKey && test !== undefined && test !== 'passed';
  if (hasAnswered && !(isRefused && isAboutKey(test))) return answered;
  if (!permitted || !hasKey) return 0;
  return test === 'passed' ? passed : entered;
}

/** Tells whether nothing is left to do. */
export function isFinished(steps: readonly Step[]): boolean {
  return steps.every(({ state }) => state === 'done' || state === 'skipped');
}

/** Returns the step to take now; undefined when nothing is left. */
export function leadingStep(steps: readonly Step[]): Step | undefined {
  return (
    steps.find(({ state }) => state === 'next') ?? steps.find(({ state }) => state === 'failed')
  );
}

/** The stored part of the first steps: the agent's choices about them, and facts that nothing else keeps. */
export interface FirstStepsChoice {
  readonly hidden: boolean;
  readonly skipped: ReadonlySet<StepId>;
  /** The connection whose account test passed last. */
  readonly tested?: TestedConnection | undefined;
}

/** Identifies a connection as it was when its account test passed: with every change of it the revision increases. */
interface TestedConnection {
  readonly id: string;
  readonly revision: number;
}

const hiddenWord = 'hidden';
const testedWord = /^tested:([^:]+):(\d+)$/u;

/** Reads a stored choice: words parted by spaces. Unknown words are ignored. */
export function readChoice(stored: string): FirstStepsChoice {
  const words = stored.split(' ');
  const tested = words.map(readTested).find((each) => each !== undefined);
  return omitUndefined({
    hidden: words.includes(hiddenWord),
    skipped: new Set(stepIds.filter((id) => words.includes(id))),
    tested,
  });
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
