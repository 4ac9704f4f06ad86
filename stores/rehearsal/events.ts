import { type ComputedRef, type Ref, computed, ref } from 'vue';

import type { Standing } from '#core/license/standing';
import type { InjectableFault } from '#core/rehearsal/control-api';
import type { TransitionId } from '#core/rehearsal/transitions';
import type { RehearsalCall } from '#stores/rehearsal/session';

/** Tells what happened, for the list beside the diagram. Moments are the rehearsal's own, epoch milliseconds. */
export interface RehearsalEvent {
  readonly id: number;
  readonly at: number;
  readonly act:
    | 'begun'
    | 'activated'
    | 'passed'
    | 'turned-back'
    | 'used'
    | 'up'
    | 'down'
    | 'revoked'
    | 'unrevoked'
    | 'injected';
  readonly standing: Standing;
  /** The transitions that were made. */
  readonly path: readonly TransitionId[];
  /** The call to the authority; absent where none was made. */
  readonly contact?: RehearsalCall;
  readonly injected?: InjectableFault;
}

export interface RehearsalLog {
  /** The latest first. */
  readonly events: Ref<RehearsalEvent[]>;
  /** How often each transition was made. */
  readonly taken: ComputedRef<Map<TransitionId, number>>;
  readonly lastPath: ComputedRef<readonly TransitionId[]>;
  add(
    act: RehearsalEvent['act'],
    path: readonly (TransitionId | undefined)[],
    more?: Pick<RehearsalEvent, 'contact' | 'injected'>,
  ): void;
  clear(): void;
}

/**
 * Creates the log of a rehearsal, empty at first.
 * @param present returns the rehearsal's moment and standing at the time of an event
 */
export function createRehearsalLog(
  present: () => Pick<RehearsalEvent, 'at' | 'standing'>,
): RehearsalLog {
  const events = ref<RehearsalEvent[]>([]);
  return {
    events,
    taken: computed(() => {
      const counts = new Map<TransitionId, number>();
      for (const { path } of events.value)
        for (const id of path) counts.set(id, (counts.get(id) ?? 0) + 1);
      return counts;
    }),
    lastPath: computed(() => events.value[0]?.path ?? []),
    add(act, path, more = {}) {
      const made = path.filter((id) => id !== undefined);
      const event = { id: events.value.length, ...present(), act, path: made, ...more };
      events.value = [event, ...events.value];
    },
    clear() {
      events.value = [];
    },
  };
}
