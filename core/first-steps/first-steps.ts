import type { Fault } from '#core/marketplaces/fault';

/** Lists the steps from an empty profile to the first verdicts, in order. */
export const stepIds = ['address', 'permission', 'key', 'test', 'check', 'pin'] as const;
export type StepId = (typeof stepIds)[number];

/**
 * Tells how a step stands. `next` is the one to take now, `open` can be taken as well, `later` waits for another step,
 * `failed` was tried and is to be mended.
 */
export type StepState = 'done' | 'skipped' | 'failed' | 'next' | 'open' | 'later';

export interface Step {
  readonly id: StepId;
  readonly state: StepState;
}

/** Holds what is known of one connection. */
export interface ConnectionFacts {
  readonly id: string;
  readonly permitted: boolean;
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

/** What must be done before a step can be taken. Skipping it skips the step. */
const needs: Readonly<Record<StepId, readonly StepId[]>> = {
  address: [],
  permission: ['address'],
  key: ['address'],
  test: ['address', 'permission', 'key'],
  check: ['address', 'permission', 'key'],
  pin: [],
};

/**
 * Derives the first steps from what is stored. Of several connections the one that is furthest counts: one that works is enough.
 *
 * A connection that has answered a check has all its steps behind it, even where its key is gone with the session or the browser
 * has taken its permission back: its card tells of that.
 */
export function firstSteps({ connections, hasPinnedKey, skipped }: FirstStepsFacts): FirstSteps {
  let best: ConnectionFacts | undefined;
  let done = doneAt(undefined);
  for (const connection of connections) {
    const reached = doneAt(connection);
    if (best !== undefined && reached.size <= done.size) continue;
    best = connection;
    done = reached;
  }
  if (hasPinnedKey) done.add('pin');
  const failed = best === undefined || best.hasAnswered ? undefined : failedStepOf(best.test);
  return { steps: statesOf(done, skipped, failed), connectionId: best?.id };
}

/** Tells whether nothing is left to do. */
export function isFinished(steps: readonly Step[]): boolean {
  return steps.every(({ state }) => state === 'done' || state === 'skipped');
}

/** Returns the step to take now; undefined when nothing is left. */
export function leadingStep(steps: readonly Step[]): Step | undefined {
  return steps.find(({ state }) => state === 'failed' || state === 'next');
}

function statesOf(
  done: ReadonlySet<StepId>,
  skipped: ReadonlySet<StepId>,
  failed: StepId | undefined,
): readonly Step[] {
  const isSkipped = (id: StepId): boolean =>
    !done.has(id) && (skipped.has(id) || needs[id].some(isSkipped));
  const canBeTaken = (id: StepId): boolean =>
    !done.has(id) && !isSkipped(id) && needs[id].every((each) => done.has(each));
  const next = stepIds.find(canBeTaken);
  return stepIds.map((id): Step => {
    if (done.has(id)) return { id, state: 'done' };
    if (isSkipped(id)) return { id, state: 'skipped' };
    if (!canBeTaken(id)) return { id, state: 'later' };
    if (id === failed) return { id, state: 'failed' };
    return { id, state: id === next ? 'next' : 'open' };
  });
}

function doneAt(connection: ConnectionFacts | undefined): Set<StepId> {
  const done = new Set<StepId>();
  if (connection === undefined) return done;
  const { permitted, hasKey, hasAnswered, test } = connection;
  if (hasAnswered) return new Set(['address', 'permission', 'key', 'test', 'check']);
  const failed = failedStepOf(test);
  if (failed !== 'address') done.add('address');
  if (permitted) done.add('permission');
  if (hasKey && failed !== 'key') done.add('key');
  if (test === 'passed') done.add('test');
  return done;
}

/** Returns the step that a failed test leads back to. */
function failedStepOf(test: ConnectionFacts['test']): StepId | undefined {
  if (test === undefined || test === 'passed') return undefined;
  const { kind } = test;
  if (kind === 'api-off' || kind === 'too-large') return 'address';
  if (kind === 'redirected' && test.userAgent === 'ruled-out') return 'address';
  if (kind === 'refused' && test.about === 'key') return 'key';
  if (kind === 'no-key' || kind === 'relay-sign-in') return 'key';
  return 'test';
}

/** Holds what is stored of the first steps: what the agent has chosen about them, and what nothing else keeps. */
interface FirstStepsChoice {
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
