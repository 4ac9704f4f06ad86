import { defineStore } from 'pinia';
import { computed, ref, shallowRef } from 'vue';

import { readIntake, type OddHint } from '#core/check/classify-input';
import type { FaultKind } from '#core/seller/fault';
import { useConnections } from '#stores/connections/connections';
import { useMoment } from '#stores/present';
import { askPort, clockPort, usePort } from '#stores/ports';
import { usePreferences } from '#stores/settings/preferences';
import { blankSlip, retryAtOf, type Slip } from '#stores/check/pending-check';

/** The select's value for asking every connection side by side. */
export const everyConnection = 'all';

/** How often, and how far ahead, a question is asked again by itself. Beyond that the agent decides. */
const automaticRetries = 3;
const longestWait = 15 * 60_000;

export interface Entry {
  readonly code: string;
  readonly slips: Slip[];
}

/** What the field's text was not, when nothing could be asked about it. */
export type Refusal = 'nothing' | 'license' | 'too-long';

/** The check: text in, questions out, answers kept until the next. A new submission drops what is still under way. */
export const useCheck = defineStore('check', () => {
  const ask = usePort(askPort);
  const now = usePort(clockPort);
  const connections = useConnections();
  const preferences = usePreferences();
  const moment = useMoment();

  const draft = ref('');
  const entries = ref<Entry[]>([]);
  const refusal = ref<Refusal>();
  /** Why the one code asked about is not in a common form. */
  const odd = ref<OddHint>();
  const choice = ref<string>();
  /** Address of the ticket that the text in the field was read from; the worker keeps it only where the agent has said so. */
  const ticket = ref<string>();
  const folded = shallowRef<{ shown: string; codes: readonly string[] }>();
  let submission = new AbortController();
  const turns = new WeakMap<Slip, number>();

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
    const intake = readIntake(text, { patterns: patterns() });
    if (intake.kind !== 'codes') return;
    const codes = intake.codes.map(({ code }) => code);
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
    submission.abort();
    entries.value = [];
    refusal.value = undefined;
    odd.value = undefined;
  }

  /** Asks about what stands in the field. Settles when every answer is in or waits for the agent. */
  async function submit(): Promise<void> {
    reset();
    const { signal } = (submission = new AbortController());
    const superseded = (): boolean => signal.aborted;
    const text = draft.value;
    if (connections.list === undefined) await connections.load();
    await preferences.ready;
    if (superseded()) return;

    const codes = codesIn(text);
    entries.value = codes.map((code) => ({
      code,
      slips: asked().map((connectionId) => blankSlip(connectionId, code)),
    }));
    for (const { slips } of entries.value) {
      await Promise.all(slips.map((slip) => settle(slip, false, signal)));
      if (superseded()) return;
    }
  }

  function codesIn(text: string): readonly string[] {
    if (text === folded.value?.shown) return folded.value.codes;
    const intake = readIntake(text, { patterns: patterns() });
    switch (intake.kind) {
      case 'codes':
        return intake.codes.map(({ code }) => code);
      case 'odd':
        odd.value = intake.hint;
        return [intake.code];
      case 'empty':
        return [];
      case 'license':
      case 'nothing':
      case 'too-long':
        refusal.value = intake.kind;
        return [];
    }
  }

  function patterns(): string[] {
    return (connections.list ?? []).flatMap(({ dialect }) => dialect.codePattern ?? []);
  }

  /** Asks the server again, passing over what was kept. */
  async function refresh(slip: Slip): Promise<void> {
    await settle(slip, true, submission.signal);
  }

  /** Asks again wherever this fault stood: after its cause was mended. */
  async function again(kind: FaultKind, connectionId?: string): Promise<void> {
    const stopped = entries.value
      .flatMap(({ slips }) => slips)
      .filter((slip) => connectionId === undefined || slip.connectionId === connectionId)
      .filter(({ report }) => report?.outcome.ok === false && report.outcome.fault.kind === kind);
    await Promise.all(stopped.map((slip) => settle(slip, false, submission.signal)));
  }

  async function settle(slip: Slip, fresh: boolean, signal: AbortSignal): Promise<void> {
    const turn = (turns.get(slip) ?? 0) + 1;
    turns.set(slip, turn);
    const stale = (): boolean => signal.aborted || turns.get(slip) !== turn;

    for (let retries = 0; ; retries += 1) {
      slip.state = 'asking';
      slip.againAt = undefined;
      const { code, connectionId } = slip;
      const question = { code, connectionId, fresh, ...(ticket.value && { ticket: ticket.value }) };
      const report = await ask('check', question).catch((error: unknown) => {
        slip.state = 'settled';
        throw error;
      });
      if (stale()) return;
      moment.refresh();
      slip.report = report;
      slip.state = 'settled';
      const againAt = report.outcome.ok ? undefined : retryAtOf(report.outcome.fault);
      if (againAt === undefined || retries === automaticRetries) return;
      if (againAt - now() > longestWait) return;
      slip.againAt = againAt;
      await until(againAt, signal);
      if (stale()) return;
    }
  }

  async function until(at: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, Math.max(0, at - now()));
      signal.addEventListener('abort', () => {
        clearTimeout(timer);
        resolve();
      });
    });
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
