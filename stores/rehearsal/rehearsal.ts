import { defineStore } from 'pinia';
import { computed, ref, shallowRef, type ComputedRef, type Ref, type ShallowRef } from 'vue';
import type { Installation, ActivationFault } from '#core/installation/installation';
import type { Permit } from '#core/installation/permit';
import { standingAt, type Standing } from '#core/license/standing';
import type {
  Script,
  InjectableFault,
  ControlCommand,
  ControlState,
} from '#core/rehearsal/control-api';
import {
  type Cause,
  pathOfTime,
  transitionOf,
  type TransitionId,
} from '#core/rehearsal/transitions';
import { oneAtATime } from '#stores/latest';
import { askPort, clockPort, usePort } from '#stores/ports';
import { type RehearsalCall, createRehearsalSession } from '#stores/rehearsal/session';
import type { AuthorityState } from '#messaging/topics/authority';
import type { RehearsalFault } from '#messaging/topics/rehearsal';
import { useAuthorities } from '#stores/authority/authorities';

type RehearsalError = RehearsalFault | ActivationFault | { readonly kind: 'worker-lost' };

/** Commands the test authority that a rehearsal controls, and holds its state. */
interface TestAuthority {
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
function createTestAuthority(): TestAuthority {
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

interface RehearsalLog {
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
function createRehearsalLog(present: () => Pick<RehearsalEvent, 'at' | 'standing'>): RehearsalLog {
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

/** Holds a rehearsal: one sample license, one installation, and a clock that only the agent moves. */
export const useRehearsal = defineStore('rehearsal', () => {
  const ask = usePort(askPort);
  const clock = usePort(clockPort);
  const { tests, authorityId, authority, control, fault, ...testAuthority } = createTestAuthority();

  const running = ref(false);
  const { busy, alone } = oneAtATime();
  const licenseId = ref('');
  /** Whether the test authority has revoked the license. */
  const revoked = ref(false);
  const domain = ref('');
  const now = ref(0);
  /** The latest moment this rehearsal's clock has shown; the device's clock memory is left alone. */
  const latestSeen = ref(0);
  const permit = shallowRef<Permit>();
  let installation: Installation | undefined;
  let license = '';
  let lastCall: RehearsalCall | undefined;

  /** The standing by what the installation keeps and the clock, without a call. */
  const standing = computed(() =>
    standingAt(
      { now: now.value, latestSeen: latestSeen.value },
      permit.value?.certificate,
      permit.value?.lastContact,
    ),
  );
  const log = createRehearsalLog(() => ({ at: now.value, standing: standing.value }));

  /** Runs one task at a time. A lost worker becomes a fault, and the rehearsal stays as it was. */
  async function runAlone(task: () => Promise<void>): Promise<void> {
    await alone(async () => {
      fault.value = undefined;
      try {
        await task();
      } catch {
        fault.value = { kind: 'worker-lost' };
      }
    });
  }

  const begin = (script: Script): Promise<void> =>
    runAlone(async () => {
      const chosen = authority.value;
      if (chosen === undefined || !(await testAuthority.reset({ do: 'look' }))) return;
      const { id: authorityId } = chosen;
      const sample = await ask('rehearsal.sample', { authorityId, claims: script.claims });
      if (!sample.ok) {
        fault.value = sample.fault;
        return;
      }
      const session = createRehearsalSession({
        license: sample.value.license,
        domain: script.domain,
        keys: control.value?.keys ?? [],
        call: (endpoint, request) =>
          ask(`rehearsal.${endpoint}`, { authorityId, request }).catch(() => undefined),
        called: (call) => {
          lastCall = call;
        },
        failed: (failure) => {
          fault.value = failure;
        },
      });
      ({ installation } = session);
      domain.value = session.domain;
      license = sample.value.license;
      licenseId.value = sample.value.licenseId;
      revoked.value = false;
      permit.value = undefined;
      now.value = latestSeen.value = clock();
      log.clear();
      running.value = true;
      log.add('begun', []);
    });

  const activate = (): Promise<void> =>
    runAlone(async () => {
      if (installation === undefined || !(await testAuthority.setClock(now.value))) return;
      const from = standing.value;
      lastCall = undefined;
      const result = await installation.activate(license, now.value);
      if (result.ok) permit.value = result.value;
      const contact = judgeCall(lastCall, permit.value, result.ok ? undefined : result.fault);
      log.add('activated', [transitionOf(from, standing.value, causeOf(contact))], { ...contact });
    });

  /** Uses the product once: it asks whether it may run. */
  const use = (): Promise<void> =>
    runAlone(async () => {
      if (installation === undefined || !(await testAuthority.setClock(now.value))) return;
      const from = standing.value;
      lastCall = undefined;
      permit.value = await installation.permit(now.value);
      const contact = judgeCall(lastCall, permit.value, permit.value.fault);
      log.add('used', [transitionOf(from, standing.value, causeOf(contact))], { ...contact });
    });

  const passTo = (moment: number): Promise<void> =>
    runAlone(async () => {
      const from = standing.value;
      const back = moment < now.value;
      now.value = Math.round(moment);
      latestSeen.value = Math.max(latestSeen.value, now.value);
      log.add(back ? 'turned-back' : 'passed', pathOfTime(from, standing.value));
      await testAuthority.setClock(now.value);
    });

  const setAvailable = (available: boolean): Promise<void> =>
    runAlone(async () => {
      if (await testAuthority.send({ do: 'availability', available }))
        log.add(available ? 'up' : 'down', []);
    });

  const setRevoked = (to: boolean): Promise<void> =>
    runAlone(async () => {
      const command = to ? 'revoke' : 'unrevoke';
      if (!(await testAuthority.send({ do: command, licenseId: licenseId.value }))) return;
      revoked.value = to;
      log.add(to ? 'revoked' : 'unrevoked', []);
    });

  /** Makes the next call to the authority go wrong. */
  const injectFault = (injected: InjectableFault): Promise<void> =>
    runAlone(async () => {
      const commands = [{ do: 'clear-faults' }, { do: 'inject-fault', fault: injected }] as const;
      if (await testAuthority.send(...commands)) log.add('injected', [], { injected });
    });

  /** Ends the rehearsal and puts the authority back as it was. */
  const end = (): Promise<void> =>
    runAlone(async () => {
      await testAuthority.reset();
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
    now,
    permit,
    standing,
    events: log.events,
    taken: log.taken,
    lastPath: log.lastPath,
    begin,
    activate,
    use,
    passTo,
    end,
    revoked,
    setAvailable,
    setRevoked,
    injectFault,
  };
});

/** Returns the last call with its outcome, and why it does not count where it does not. */
function judgeCall(
  call: RehearsalCall | undefined,
  permit: Permit | undefined,
  reason: RehearsalCall['reason'],
): { contact?: RehearsalCall } {
  if (call === undefined) return {};
  const last = reason === undefined ? permit?.lastContact?.outcome : undefined;
  const refused = reason?.kind === 'refused' || last === 'refused';
  const refusal = reason?.kind === 'refused' ? reason : permit?.refusal;
  return {
    contact: {
      ...call,
      outcome: last === 'validated' ? 'granted' : refused ? 'refused' : 'no-answer',
      ...(reason !== undefined && { reason }),
      ...(refused && refusal !== undefined && { refusal }),
    },
  };
}

function causeOf({ contact }: { contact?: RehearsalCall }): Cause {
  return contact === undefined ? 'used' : contact.outcome;
}
