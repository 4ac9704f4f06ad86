import type { Standing } from '#core/license/standing';

/** Names what can move an installation: the authority's word, its silence, or the passing of time. */
export type Cause = 'granted' | 'refused' | 'no-answer' | 'time' | 'used' | 'clock';

/** Holds one arrow of the state diagram: the rows of the spec's table (section 3), then what follows from our reading of it. */
export interface StateTransition {
  readonly id: TransitionId;
  readonly from: Standing;
  readonly to: Standing;
  readonly cause: Cause;
  /** Whether the spec's table has it as a row. */
  readonly inTable: boolean;
}

export type TransitionId = (typeof rows)[number][0];

const rows = [
  ['activate', 'not-activated', 'activated', 'granted', true],
  ['activate-fails', 'not-activated', 'not-activated', 'no-answer', true],
  ['use', 'activated', 'activated', 'used', true],
  ['due', 'activated', 'validation-due', 'time', true],
  ['validate', 'validation-due', 'activated', 'granted', true],
  ['unreached', 'validation-due', 'grace', 'no-answer', true],
  ['grace-ends', 'grace', 'denied', 'time', true],
  ['return', 'denied', 'activated', 'granted', true],
  ['recover', 'grace', 'activated', 'granted', false],
  ['refuse', 'validation-due', 'denied', 'refused', false],
  ['refuse-in-grace', 'grace', 'denied', 'refused', false],
  ['overslept', 'validation-due', 'denied', 'time', false],
  ['turned-back', 'grace', 'validation-due', 'clock', false],
] as const satisfies readonly (readonly [string, Standing, Standing, Cause, boolean])[];

export const transitions: readonly StateTransition[] = rows.map(
  ([id, from, to, cause, inTable]) => ({
    id,
    from,
    to,
    cause,
    inTable,
  }),
);

/** Returns the arrow that was taken; `undefined` when nothing moved in a way that the diagram draws. */
export function transitionOf(from: Standing, to: Standing, cause: Cause): TransitionId | undefined {
  // A refused activation leaves the installation where it was, as an outage does.
  const drawn = from === 'not-activated' && to === from ? 'no-answer' : cause;
  return transitions.find((one) => one.from === from && one.to === to && one.cause === drawn)?.id;
}

/** Lists the arrows that time alone leads along: a long step passes through the state between. */
export function pathOfTime(from: Standing, to: Standing): readonly TransitionId[] {
  if (from === 'activated' && to === 'denied') return ['due', 'overslept'];
  const direct = transitionOf(from, to, 'time') ?? transitionOf(from, to, 'clock');
  return direct === undefined ? [] : [direct];
}
