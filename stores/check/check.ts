import { defineStore } from 'pinia';
import { computed, ref, shallowRef } from 'vue';

import { classifyInput, type OddHint } from '#core/check/classify-input';
import type { FaultKind } from '#core/seller/fault';
import { delay } from '#core/time/delay';
import { minuteMs } from '#core/time/units';
import { useConnections } from '#stores/connections/connections';
import { useClock } from '#stores/clock';
import { latest, type LatestSeries } from '#stores/latest';
import { askPort, clockPort, usePort } from '#stores/ports';
import { usePreferences } from '#stores/settings/preferences';
import { newPendingCheck, retryAtOf, type PendingCheck } from '#stores/check/pending-check';

/** The select's value for asking every connection side by side. */
export const everyConnection = 'all';

/** How often, and how far ahead, a question is asked again by itself. Beyond that the agent decides. */
const automaticRetries = 3;
const longestWait = 15 * minuteMs;

export interface CheckEntry {
  readonly code: string;
  readonly pendingChecks: PendingCheck[];
}

/** What the field's text was not, when nothing could be asked about it. */
export type InputRefusal = 'nothing' | 'license' | 'too-long';

/** The check: text in, questions out, answers kept until the next. A new submission drops what is still under way. */
export const useCheck = defineStore('check', () => {
  const ask = usePort(askPort);
  const now = usePort(clockPort);
  const connections = useConnections();
  const preferences = usePreferences();
  const moment = useClock();

  const draft = ref('');
  const entries = ref<CheckEntry[]>([]);
  const refusal = ref<InputRefusal>();
  /** Why the one code asked about is not in a common form. */
  const odd = ref<OddHint>();
  const choice = ref<string>();
  /** Address of the ticket that the text in the field was read from; the worker keeps it only where the agent has said so. */
  const ticket = ref<string>();
  const folded = shallowRef<{ shown: string; codes: readonly string[] }>();
  const submissions = latest();
  /** Aborted when other text is submitted. */
  let { signal: submission } = submissions.begin();
  const questions = new WeakMap<PendingCheck, LatestSeries>();

  /** How many codes the pasted text was folded to. */
  const found = computed(() =>
    folded.value?.shown === draft.value ? folded.value.codes.length : 0,
  );

  /** The connection to ask, or `everyConnection`. */
  const chosen = computed(() => {
    const list = connections.list ?? [];
    const wanted = choice.value ?? preferences.current.connection;
    if (wanted === everyConnection && list.length > 1) return everyConnection;
    return (list.find(({ id }) => id === wanted) ?? list[0])?.id ?? '';
  });

  function choose(id: string): void {
    choice.value = id;
    void preferences.change({ connection: id });
  }

  function asked(): string[] {
    if (chosen.value !== everyConnection) return chosen.value === '' ? [] : [chosen.value];
    return (connections.list ?? []).map(({ id }) => id);
  }

  /** Text as it stands in the field. A pasted ticket folds to the codes in it, one on each line. */
  function take(text: string, pasted: boolean, from?: string): void {
    reset();
    draft.value = text;
    ticket.value = from;
    if (!pasted && !text.includes('\n')) return;
    const input = classifyInput(text, { patterns: patterns() });
    if (input.kind !== 'codes') return;
    const codes = input.codes.map(({ code }) => code);
    draft.value = codes.join('\n');
    folded.value = { shown: draft.value, codes };
  }

  function clear(): void {
    reset();
    draft.value = '';
    ticket.value = undefined;
  }

  /** Answers belong to the text that was asked about: with other text they are gone, and what is under way is dropped. */
  function reset(): void {
    submissions.cancel();
    entries.value = [];
    refusal.value = undefined;
    odd.value = undefined;
  }

  /** Asks about what stands in the field. Settles when every answer is in or waits for the agent. */
  async function submit(): Promise<void> {
    reset();
    const { isLatest, signal } = submissions.begin();
    submission = signal;
    const text = draft.value;
    if (connections.list === undefined) await connections.load();
    await preferences.ready;
    if (!isLatest()) return;

    const codes = codesIn(text);
    entries.value = codes.map((code) => ({
      code,
      pendingChecks: asked().map((connectionId) => newPendingCheck(connectionId, code)),
    }));
    for (const { pendingChecks } of entries.value) {
      await Promise.all(pendingChecks.map((pendingCheck) => settle(pendingCheck, false, signal)));
      if (!isLatest()) return;
    }
  }

  function codesIn(text: string): readonly string[] {
    if (text === folded.value?.shown) return folded.value.codes;
    const input = classifyInput(text, { patterns: patterns() });
    switch (input.kind) {
      case 'codes':
        return input.codes.map(({ code }) => code);
      case 'odd':
        odd.value = input.hint;
        return [input.code];
      case 'empty':
        return [];
      case 'license':
      case 'nothing':
      case 'too-long':
        refusal.value = input.kind;
        return [];
    }
  }

  function patterns(): string[] {
    return (connections.list ?? []).flatMap(({ dialect }) => dialect.codePattern ?? []);
  }

  /** Asks the server again, passing over what was kept. */
  async function refresh(pendingCheck: PendingCheck): Promise<void> {
    await settle(pendingCheck, true, submission);
  }

  /** Asks again wherever this fault stood: after its cause was mended. */
  async function again(kind: FaultKind, connectionId?: string): Promise<void> {
    const stopped = entries.value
      .flatMap(({ pendingChecks }) => pendingChecks)
      .filter(
        (pendingCheck) => connectionId === undefined || pendingCheck.connectionId === connectionId,
      )
      .filter(({ report }) => report?.outcome.ok === false && report.outcome.fault.kind === kind);
    await Promise.all(stopped.map((pendingCheck) => settle(pendingCheck, false, submission)));
  }

  async function settle(
    pendingCheck: PendingCheck,
    fresh: boolean,
    within: AbortSignal,
  ): Promise<void> {
    const series = questions.get(pendingCheck) ?? latest();
    questions.set(pendingCheck, series);
    const { isLatest, signal } = series.begin(within);

    for (let retries = 0; ; retries += 1) {
      pendingCheck.state = 'asking';
      pendingCheck.nextRunAt = undefined;
      const { code, connectionId } = pendingCheck;
      const question = { code, connectionId, fresh, ...(ticket.value && { ticket: ticket.value }) };
      const report = await ask('check', question).catch((error: unknown) => {
        if (isLatest()) pendingCheck.state = 'settled';
        throw error;
      });
      if (!isLatest()) return;
      moment.refresh();
      pendingCheck.report = report;
      pendingCheck.state = 'settled';
      const nextRunAt = report.outcome.ok ? undefined : retryAtOf(report.outcome.fault);
      if (nextRunAt === undefined || retries === automaticRetries) return;
      if (nextRunAt - now() > longestWait) return;
      pendingCheck.nextRunAt = nextRunAt;
      await delay(nextRunAt - now(), signal);
      if (!isLatest()) return;
    }
  }

  return {
    draft,
    entries,
    found,
    refusal,
    odd,
    chosen,
    choose,
    take,
    clear,
    submit,
    refresh,
    again,
  };
});
