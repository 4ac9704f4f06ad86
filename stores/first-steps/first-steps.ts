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
} from '#core/first-steps/first-steps';
import type { ConnectionState } from '#messaging/topics/connections';
import { useConnectionTest } from '#stores/connections/connection-test';
import { useConnections } from '#stores/connections/connections';
import { useUnmetStorage } from '#stores/connections/secrets';
import { historyPort } from '#stores/history/ports';
import { latest } from '#stores/latest';
import { usePort } from '#stores/ports';
import { usePreferences } from '#stores/settings/preferences';
import { keyRingPort } from '#stores/verifier/ports';

/** How many entries of the history are looked through for a first answer. */
const historyEntries = 20;

/** Derives the first steps from what is stored, and keeps what the agent has chosen about them. */
export const useFirstSteps = defineStore('first-steps', () => {
  const connections = useConnections();
  const tests = useConnectionTest();
  const preferences = usePreferences();
  const history = usePort(historyPort);
  const ring = usePort(keyRingPort);
  const unmetStorage = useUnmetStorage();

  const stored = shallowRef<{
    readonly hasPinnedKey: boolean;
    readonly answered: ReadonlySet<string>;
  }>();
  const reads = latest();

  async function load(): Promise<void> {
    const { isLatest } = reads.begin();
    const [keys, entries] = await Promise.all([
      ring.read(),
      history.latest(historyEntries),
      preferences.ready,
    ]);
    if (!isLatest()) return;
    stored.value = {
      hasPinnedKey: keys.some(({ revoked }) => !revoked),
      answered: new Set(entries.map(({ connectionId }) => connectionId)),
    };
  }

  onScopeDispose(ring.watch(() => void load()));

  const choice = computed(() => readChoice(preferences.current.firstSteps));
  /** Whether anything is hidden or skipped. */
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

  function factsOf(connection: ConnectionState, isInHistory: boolean): ConnectionFacts {
    const { id, permitted, hasKey, dialect, revision } = connection;
    const result = tests.accounts.get(id)?.result;
    const facts = { id, permitted, hasKey, hasAnswered: dialect.proven || isInHistory };
    if (result !== undefined) return { ...facts, test: result.ok ? 'passed' : result.fault };
    const { tested } = choice.value;
    const hasPassed = tested?.id === id && tested.revision === revision;
    return hasPassed ? { ...facts, test: 'passed' } : facts;
  }

  // The account itself is not stored, so that a reload would leave the step open.
  watch(
    () => tests.lastEnded,
    (ended) => {
      if (ended?.passed === true) void choose({ tested: ended });
      else if (ended?.id === choice.value.tested?.id) void choose({ tested: undefined });
    },
  );

  /** Whether the browser's permission was asked for here and not given. */
  const refused = ref(false);

  /** Asks the browser for access. Must be called in the task of a click. */
  async function allow(): Promise<void> {
    if (connection.value === undefined) return;
    const { id, hasKey } = connection.value;
    const granted = await connections.allow(id);
    refused.value = !granted;
    if (granted && hasKey) await tests.test(id);
  }

  const choose = (changes: Partial<typeof choice.value>): Promise<void> =>
    preferences.change({ firstSteps: writeChoice({ ...choice.value, ...changes }) });

  /** Skips a step, and with it those that need it. */
  const skip = (id: StepId): Promise<void> =>
    choose({ skipped: new Set([...choice.value.skipped, id]) });

  /** Takes up a step that was skipped. */
  const takeUp = (id: StepId): Promise<void> =>
    choose({ skipped: new Set([...choice.value.skipped].filter((each) => each !== id)) });

  const hide = (): Promise<void> => choose({ hidden: true });

  /** Shows the steps again, with those that were skipped. */
  const showAgain = (): Promise<void> => choose({ hidden: false, skipped: new Set() });

  return {
    steps,
    connection,
    unmetStorage,
    finished,
    leading,
    choice,
    isChanged,
    refused,
    load,
    allow,
    skip,
    takeUp,
    hide,
    showAgain,
  };
});
