import { type ComputedRef, type Ref, type ShallowRef, computed, ref, shallowRef } from 'vue';

import type { ActivationFault } from '#core/installation/installation';
import type { ControlCommand, ControlState } from '#core/rehearsal/control-api';
import type { AuthorityState } from '#messaging/topics/authority';
import type { RehearsalFault } from '#messaging/topics/rehearsal';
import { useAuthorities } from '#stores/authority/authorities';
import { askPort, usePort } from '#stores/ports';

export type RehearsalError = RehearsalFault | ActivationFault | { readonly kind: 'worker-lost' };

/** Commands the test authority that a rehearsal controls, and holds its state. */
export interface TestAuthority {
  readonly tests: ComputedRef<AuthorityState[]>;
  readonly authorityId: Ref<string | undefined>;
  readonly authority: ComputedRef<AuthorityState | undefined>;
  /** Its state after the last command. */
  readonly control: ShallowRef<ControlState | undefined>;
  readonly fault: Ref<RehearsalError | undefined>;
  /** Sends commands in turn until one fails; false then, with its fault in `fault`. */
  send(...commands: readonly ControlCommand[]): Promise<boolean>;
  /**
   * Sets the authority's clock to the rehearsal's, since it runs on by itself.
   * @returns true as well where nobody answers: the call that follows shows that by itself
   */
  setClock(now: number): Promise<boolean>;
  /** Puts its clock, availability and faults back. */
  reset(...before: readonly ControlCommand[]): Promise<boolean>;
}

const resetCommands: readonly ControlCommand[] = [
  { do: 'clock' },
  { do: 'availability', available: true },
  { do: 'clear-faults' },
];

/** Creates the control of a test authority: the first one, until another is chosen. Call it in a store's setup. */
export function createTestAuthority(): TestAuthority {
  const ask = usePort(askPort);
  const authorities = useAuthorities();
  const authorityId = ref<string>();
  const control = shallowRef<ControlState>();
  const fault = ref<RehearsalError>();

  const tests = computed(() => (authorities.list ?? []).filter(({ kind }) => kind === 'test'));
  const authority = computed(
    () => tests.value.find(({ id }) => id === authorityId.value) ?? tests.value[0],
  );

  async function send(...commands: readonly ControlCommand[]): Promise<boolean> {
    const id = authority.value?.id;
    if (id === undefined) return false;
    for (const command of commands) {
      const done = await ask('rehearsal.control', { authorityId: id, command });
      if (!done.ok) {
        fault.value = done.fault;
        return false;
      }
      control.value = done.value;
    }
    return true;
  }

  return {
    tests,
    authorityId,
    authority,
    control,
    fault,
    send,
    async setClock(now) {
      const isSet = await send({ do: 'clock', now });
      const isSilent = fault.value !== undefined && isSilence(fault.value.kind);
      if (isSilent) fault.value = undefined;
      return isSet || isSilent;
    },
    reset: (...before) => send(...before, ...resetCommands),
  };
}

function isSilence(kind: string): boolean {
  return ['offline', 'unreachable', 'timeout'].includes(kind);
}
