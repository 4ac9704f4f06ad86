import { defineStore } from 'pinia';
import { computed, ref, shallowRef } from 'vue';

import type { ActivationFault, Installation } from '#core/installation/installation';
import type { Permit } from '#core/installation/permit';
import { standingAt } from '#core/license/standing';
import type { Standing } from '#core/license/standing';
import type { Script } from '#core/rehearsal/claims';
import type { ControlCommand, ControlState, InjectableFault } from '#core/rehearsal/control-api';
import type { Cause, TransitionId } from '#core/rehearsal/transitions';
import { pathOfTime, transitionOf } from '#core/rehearsal/transitions';
import type { RehearsalFault } from '#messaging/rehearsal/protocol';
import { useAuthorities } from '#stores/authority/authorities';
import { rehearsalVaultPort } from '#stores/authority/ports';
import { askPort, clockPort, usePort } from '#stores/ports';
import { createRehearsalSession } from '#stores/rehearsal/session';
import type { RehearsalCall } from '#stores/rehearsal/session';

/** What happened, for the list beside the diagram. Moments are the rehearsal's own, epoch milliseconds. */
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
  /** The arrows that were taken. */
  readonly path: readonly TransitionId[];
  /** What came of asking the authority; absent where it was not asked. */
  readonly contact?: RehearsalCall;
  readonly injected?: InjectableFault;
}

/** A rehearsal under way: one sample license, one installation, and a clock that only the agent moves. */
export const useRehearsal = defineStore('rehearsal', () => {
  const ask = usePort(askPort);
  const clock = usePort(clockPort);
  const newVault = usePort(rehearsalVaultPort);
  const authorities = useAuthorities();

  const authorityId = ref<string>();
  const running = ref(false);
  const busy = ref(false);
  const fault = ref<RehearsalFault | ActivationFault | { readonly kind: 'worker-lost' }>();
  const control = shallowRef<ControlState>();
  const licenseId = ref('');
  const domain = ref('');
  const revoked = ref(false);
  const startedAt = ref(0);
  const now = ref(0);
  /** The latest moment that this rehearsal's clock has shown. The device's own is never told. */
  const latestSeen = ref(0);
  const permit = shallowRef<Permit>();
  const events = ref<RehearsalEvent[]>([]);
  let installation: Installation | undefined;
  let license = '';
  let contact: RehearsalCall | undefined;

  const tests = computed(() => (authorities.list ?? []).filter(({ kind }) => kind === 'test'));
  const authority = computed(
    () => tests.value.find(({ id }) => id === authorityId.value) ?? tests.value[0],
  );
  const clockNow = computed(() => ({ now: now.value, latestSeen: latestSeen.value }));
  /** By what the installation keeps and the clock alone, nobody asked. */
  const standing = computed(() =>
    standingAt(clockNow.value, permit.value?.certificate, permit.value?.lastContact),
  );
  const taken = computed(() => {
    const counts = new Map<TransitionId, number>();
    for (const { path } of events.value)
      for (const id of path) counts.set(id, (counts.get(id) ?? 0) + 1);
    return counts;
  });
  const lastPath = computed(() => events.value[0]?.path ?? []);

  /** One thing at a time; what goes wrong is shown, and the rehearsal stands where it stood. */
  async function doing(task: () => Promise<void>): Promise<void> {
    if (busy.value) return;
    busy.value = true;
    fault.value = undefined;
    try {
      await task();
    } catch {
      fault.value = { kind: 'worker-lost' };
    } finally {
      busy.value = false;
    }
  }

  async function command(...orders: readonly ControlCommand[]): Promise<boolean> {
    const id = authority.value?.id;
    if (id === undefined) return false;
    for (const each of orders) {
      const done = await ask('rehearsal.control', { authorityId: id, command: each });
      if (!done.ok) {
        fault.value = done.fault;
        return false;
      }
      control.value = done.value;
    }
    return true;
  }

  function note(
    act: RehearsalEvent['act'],
    path: readonly (TransitionId | undefined)[],
    more: Pick<RehearsalEvent, 'contact' | 'injected'> = {},
  ): void {
    const known = path.filter((id) => id !== undefined);
    const id = events.value.length;
    const entry = { id, at: now.value, act, standing: standing.value, path: known, ...more };
    events.value = [entry, ...events.value];
  }

  const putBack: readonly ControlCommand[] = [
    { do: 'clock' },
    { do: 'availability', available: true },
    { do: 'clear-faults' },
  ];

  const begin = (script: Script): Promise<void> =>
    doing(async () => {
      const chosen = authority.value;
      if (chosen === undefined || !(await command({ do: 'look' }, ...putBack))) return;
      const { id: authorityId } = chosen;
      const made = await ask('rehearsal.sample', { authorityId, claims: script.claims });
      if (!made.ok) {
        fault.value = made.fault;
        return;
      }
      const stage = createRehearsalSession({
        license: made.value.license,
        domain: script.domain,
        keys: control.value?.keys ?? [],
        vault: newVault(),
        call: (endpoint, request) =>
          ask(`rehearsal.${endpoint}`, { authorityId, request }).catch(() => undefined),
        heard: (heard) => {
          contact = heard;
        },
        failed: (failure) => {
          fault.value = failure;
        },
      });
      ({ installation } = stage);
      domain.value = stage.domain;
      license = made.value.license;
      licenseId.value = made.value.licenseId;
      revoked.value = false;
      permit.value = undefined;
      startedAt.value = now.value = latestSeen.value = clock();
      events.value = [];
      running.value = true;
      note('begun', []);
    });

  /**
   * The authority's clock runs on by itself: it is set to the rehearsal's before each call that may reach it. Where nobody
   * is there at all, the call itself shows it.
   */
  async function inStep(): Promise<boolean> {
    const cached = await command({ do: 'clock', now: now.value });
    const silent = fault.value !== undefined && isSilence(fault.value.kind);
    if (silent) fault.value = undefined;
    return cached || silent;
  }

  const activate = (): Promise<void> =>
    doing(async () => {
      if (installation === undefined || !(await inStep())) return;
      const from = standing.value;
      contact = undefined;
      const result = await installation.activate(license, now.value);
      if (result.ok) permit.value = result.value;
      const heard = settle(result.ok ? undefined : result.fault);
      note('activated', [transitionOf(from, standing.value, causeOf(heard))], { ...heard });
    });

  /** One use of the product: it asks whether it may run. */
  const use = (): Promise<void> =>
    doing(async () => {
      if (installation === undefined || !(await inStep())) return;
      const from = standing.value;
      contact = undefined;
      permit.value = await installation.permit(now.value);
      const heard = settle(permit.value.fault);
      note('used', [transitionOf(from, standing.value, causeOf(heard))], { ...heard });
    });

  /** What was heard, with the reason why it does not count where it does not. */
  function settle(reason: RehearsalCall['reason']): { contact?: RehearsalCall } {
    if (contact === undefined) return {};
    const last = reason === undefined ? permit.value?.lastContact?.outcome : undefined;
    const refused = reason?.kind === 'refused' || last === 'refused';
    const refusal = reason?.kind === 'refused' ? reason : permit.value?.refusal;
    return {
      contact: {
        ...contact,
        outcome: last === 'validated' ? 'granted' : refused ? 'refused' : 'no-answer',
        ...(reason !== undefined && { reason }),
        ...(refused && refusal !== undefined && { refusal }),
      },
    };
  }

  const passTo = (moment: number): Promise<void> =>
    doing(async () => {
      const from = standing.value;
      const back = moment < now.value;
      now.value = Math.round(moment);
      latestSeen.value = Math.max(latestSeen.value, now.value);
      note(back ? 'turned-back' : 'passed', pathOfTime(from, standing.value));
      await inStep();
    });

  const setAvailable = (available: boolean): Promise<void> =>
    doing(async () => {
      if (await command({ do: 'availability', available })) note(available ? 'up' : 'down', []);
    });

  const setRevoked = (to: boolean): Promise<void> =>
    doing(async () => {
      const done = await command({ do: to ? 'revoke' : 'unrevoke', licenseId: licenseId.value });
      if (!done) return;
      revoked.value = to;
      note(to ? 'revoked' : 'unrevoked', []);
    });

  /** Lets something befall the next call. */
  const stage = (injected: InjectableFault): Promise<void> =>
    doing(async () => {
      if (await command({ do: 'clear-faults' }, { do: 'inject-fault', fault: injected }))
        note('injected', [], { injected });
    });

  /** Puts the authority back as it was, its clock above all. */
  const end = (): Promise<void> =>
    doing(async () => {
      await command(...putBack);
      running.value = false;
      installation = undefined;
    });

  return {
    tests,
    authority,
    authorityId,
    running,
    busy,
    fault,
    control,
    licenseId,
    domain,
    revoked,
    startedAt,
    now,
    permit,
    standing,
    events,
    taken,
    lastPath,
    begin,
    activate,
    use,
    passTo,
    setAvailable,
    setRevoked,
    stage,
    end,
  };
});

function isSilence(kind: string): boolean {
  return ['offline', 'unreachable', 'timeout'].includes(kind);
}

function causeOf({ contact }: { contact?: RehearsalCall }): Cause {
  return contact === undefined ? 'used' : contact.outcome;
}
