import { omitUndefined } from '#core/result';
import { isAboutKey } from '#core/check/index';
import type { Fault } from '#core/marketplaces/index';

/** The steps from an empty profile to the first verdicts, in order. */
const stepIds = ['connect', 'check', 'pin'] as const;
export type StepId = (typeof stepIds)[number];

/**
 * The state of a step. `next`: take this one now. `open`: it can be taken too. `later`: it waits for another step.
 * `failed`: it was tried and needs fixing.
 */
export type StepState = 'done' | 'skipped' | 'failed' | 'next' | 'open' | 'later';

export interface Step {
  readonly id: StepId;
  readonly state: StepState;
}

export interface ConnectionFacts {
  readonly id: string;
  readonly permitted: boolean;
  /** Whether it has a key or does not need one. */
  readonly hasKey: boolean;
  /** Whether it has answered a check: it has confirmed a code, or the history contains one of its answers. */
  readonly hasAnswered: boolean;
  /** The result of its last account test; absent before the first one. */
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
 * Derives the first steps from stored facts. Among several connections the furthest one counts, since one that works is
 * enough.
 *
 * Once a connection has answered a check, its two steps are done, even if its key ended with the session or the browser
 * withdrew its permission: the connection's card reports that. A refused key marks the first step as failed and does
 * not change which step is next.
 */
export function firstSteps({ connections, hasPinnedKey, skipped }: FirstStepsFacts): FirstSteps {
  const best = connections.toSorted((one, other) => reachOf(other) - reachOf(one))[0];
  const reach = best === undefined ? 0 : reachOf(best);
  const isChecked = connections.some(({ hasAnswered }) => hasAnswered);
  // A key that is refused later does not bring back finished steps: the connection's card reports it.
  const isSettled = isChecked && (hasPinnedKey || skipped.has('pin'));
  const isDone = { connect: reach >= passed || isSettled, check: isChecked, pin: hasPinnedKey };
  const isSkipped = (id: StepId): boolean =>
    !isDone[id] && (skipped.has(id) || (id === 'check' && isSkipped('connect')));
  const canBeTaken = (id: StepId): boolean =>
    !isDone[id] && !isSkipped(id) && (id !== 'check' || isDone.connect);
  // A key that is refused after an answer is corrected on the connection's card, so the steps continue.
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

/** Ranks a connection's progress. */
function reachOf({ permitted, hasKey, hasAnswered, test }: ConnectionFacts): number {
  const isRefused = permitted && hasKey && test !== undefined && test !== 'passed';
  if (hasAnswered && !(isRefused && (isAboutKey(test) || test.kind === 'relay-sign-in')))
    return answered;
  if (!permitted || !hasKey) return 0;
  return test === 'passed' ? passed : entered;
}

export function isFinished(steps: readonly Step[]): boolean {
  return steps.every(({ state }) => state === 'done' || state === 'skipped');
}

/** Returns the step to take now; undefined if none is left. */
export function leadingStep(steps: readonly Step[]): Step | undefined {
  return (
    steps.find(({ state }) => state === 'next') ?? steps.find(({ state }) => state === 'failed')
  );
}

/** The stored part of the first steps: the agent's choices about them, and facts that are stored nowhere else. */
export interface FirstStepsChoice {
  readonly hidden: boolean;
  readonly skipped: ReadonlySet<StepId>;
  /** The connection whose account test passed last. */
  readonly tested?: TestedConnection | undefined;
}

/** Identifies a connection as it was when its account test passed: every change increases the revision. */
interface TestedConnection {
  readonly id: string;
  readonly revision: number;
}

const hiddenWord = 'hidden';
const testedWord = /^tested:([^:]+):(\d+)$/u;

/** Reads a stored choice: words separated by spaces. Unknown words are ignored. */
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

/** Returns the text to store for a choice; empty if there is nothing to store. */
export function writeChoice({ hidden, skipped, tested }: FirstStepsChoice): string {
  return [
    ...(hidden ? [hiddenWord] : []),
    ...stepIds.filter((id) => skipped.has(id)),
    ...(tested === undefined ? [] : [`tested:${tested.id}:${String(tested.revision)}`]),
  ].join(' ');
}
