import { defineStore } from 'pinia';
import { computed, onScopeDispose, ref, shallowRef, watch } from 'vue';

import {
  type ConnectionFacts,
  firstSteps,
  isFinished,
  leadingStep,
  readChoice,
  type StepId,
  writeChoice,
} from '#core/first-steps/index';
import { isAboutKey, isLocked } from '#core/check/index';
import { needsKey } from '#core/marketplaces/index';
import type { ConnectionState } from '#core/connections/index';
import { useConnectionTest } from '#stores/connections/connection-test';
import { useConnections } from '#stores/connections/connections';
import { historyPort } from '#stores/history/ports';
import { latest } from '#stores/latest';
import { usePort } from '#stores/ports';
import { programPort } from '#stores/settings/ports';
import { usePreferences } from '#stores/settings/preferences';
import { verifierPorts } from '#stores/verifier/index';

/** How many history entries are searched for a first answer. */
const historyEntries = 20;

/** Derives the first steps from stored facts, and stores the agent's choices about them. */
export const useFirstSteps = defineStore('first-steps', () => {
  const connections = useConnections();
  const tests = useConnectionTest();
  const preferences = usePreferences();
  const history = usePort(historyPort);
  const ring = usePort(verifierPorts.keyRing);
  const program = usePort(programPort);

  const stored = shallowRef<{
    readonly hasPinnedKey: boolean;
    readonly answered: ReadonlySet<string>;
    readonly fromSource: boolean;
  }>();
  const reads = latest();

  async function load(): Promise<void> {
    const { isLatest } = reads.begin();
    const [keys, entries, fromSource] = await Promise.all([
      ring.read(),
      history.latest(historyEntries),
      program.fromSource(),
      preferences.ready,
    ]);
    if (!isLatest()) return;
    stored.value = {
      hasPinnedKey: keys.some(({ revoked }) => !revoked),
      answered: new Set(entries.map(({ connectionId }) => connectionId)),
      fromSource,
    };
  }

  onScopeDispose(ring.watch(() => void load()));

  const choice = computed(() => readChoice(preferences.current.firstSteps));
  const isChanged = computed(() => choice.value.hidden || choice.value.skipped.size > 0);
  /** Undefined until everything has been read once. */
  const derived = computed(() => {
    if (stored.value === undefined || connections.list === undefined) return undefined;
    const { hasPinnedKey, answered } = stored.value;
    const { skipped } = choice.value;
    const facts = connections.list.map((each) => factsOf(each, answered.has(each.id)));
    return firstSteps({ connections: facts, hasPinnedKey, skipped });
  });
  const steps = computed(() => derived.value?.steps ?? []);
  const connection = computed(() => connections.find(derived.value?.connectionId));
  const finished = computed(() => isFinished(steps.value));
  const leading = computed(() => leadingStep(steps.value)?.id);

  /** Tells whether its last test met a fault that refuses neither key nor sign-in, so that its step stays done. */
  function isOut(id: string): boolean {
    const result = tests.accounts.get(id)?.result;
    if (result?.ok !== false) return false;
    return !isAboutKey(result.fault) && result.fault.kind !== 'relay-sign-in';
  }

  function factsOf(connection: ConnectionState, isInHistory: boolean): ConnectionFacts {
    const { id, permitted, dialect, revision, keyWorkedAt, keyRefusal } = connection;
    const hasKey = connection.hasKey || !needsKey(connection);
    const result = tests.accounts.get(id)?.result;
    const facts = { id, permitted, hasKey, hasAnswered: dialect.proven || isInHistory };
    if (tests.signInNeed(connection) === 'missing')
      return { ...facts, hasKey: true, test: { kind: 'relay-sign-in', reason: 'unknown' } };
    const { tested } = choice.value;
    const hasPassed =
      keyWorkedAt !== undefined || (tested?.id === id && tested.revision === revision);
    if (result !== undefined && !isLocked(result) && !(isOut(id) && hasPassed))
      return { ...facts, test: result.ok ? 'passed' : result.fault };
    if (keyRefusal !== undefined) return { ...facts, test: keyRefusal.fault };
    // Joining has already proved that the relay answers and that the agent is signed in.
    const isOfTeam = connection.throughRelay === true && connection.hasKey;
    return hasPassed || isOfTeam ? { ...facts, test: 'passed' } : facts;
  }

  // The account itself is not stored, so without this a reload would leave the step open.
  watch(
    () => tests.lastEnded,
    (ended) => {
      if (ended === undefined) return;
      if (ended.passed) void choose({ tested: ended });
      else if (ended.id === choice.value.tested?.id && !isOut(ended.id))
        void choose({ tested: undefined });
    },
  );

  /** Whether everything that the steps depend on has been read. */
  const known = computed(() => derived.value !== undefined);
  const isConnecting = computed(() => !choice.value.hidden && leading.value === 'connect');
  /** True once the connections have had their own section on this page. */
  const hadSection = ref(false);
  watch(
    () => known.value && !isConnecting.value,
    (isBelow) => (hadSection.value ||= isBelow),
    { immediate: true },
  );
  /**
   * Whether the connections are shown in the first step rather than in their own section, which they leave no more: a
   * form that is open there must not move when a key is refused.
   */
  const connecting = computed(
    () => isConnecting.value && !(hadSection.value && connections.list?.length),
  );
  /** Whether the program was built from source, so that the sandbox can be started. */
  const fromSource = computed(() => stored.value?.fromSource === true);
  const wasAsked = (id: string): boolean => stored.value?.answered.has(id) === true;

  const choose = (changes: Partial<typeof choice.value>): Promise<void> =>
    preferences.change({ firstSteps: writeChoice({ ...choice.value, ...changes }) });

  /** Skips a step and those that depend on it. */
  const skip = (id: StepId): Promise<void> =>
    choose({ skipped: new Set([...choice.value.skipped, id]) });

  const takeUp = (id: StepId): Promise<void> =>
    choose({ skipped: new Set([...choice.value.skipped].filter((each) => each !== id)) });

  const hide = (): Promise<void> => choose({ hidden: true });

  const showAgain = (): Promise<void> => choose({ hidden: false, skipped: new Set() });

  return {
    steps,
    connection,
    finished,
    leading,
    known,
    connecting,
    choice,
    isChanged,
    fromSource,
    wasAsked,
    signInNeed: tests.signInNeed,
    load,
    skip,
    takeUp,
    hide,
    showAgain,
  };
});
