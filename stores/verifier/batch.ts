import { defineStore } from 'pinia';
import { computed, ref, watch } from 'vue';

import type { PinnedKey } from '#core/keys/index';
import type { DocumentSummary, InspectionContext, ListLines } from '#core/verifier/index';
import { latest } from '#stores/latest';
import { clockPort, usePort } from '#stores/ports';
import type { NamedFile } from '#stores/ui/dropped-files';
import { type BatchRow, createJudgedRows } from '#stores/verifier/judged-rows';
import { useVerifierKeys } from '#stores/verifier/keys';
import { keyRingPort, verifyPort } from '#stores/verifier/ports';
import { lostSummary, summariesOf } from '#stores/verifier/summaries';

/** Messages in flight per worker: one is processed while the next waits. */
const chunksAhead = 2;

/** The fewest and the most documents in one message. Too few would make the cost of messages noticeable. */
const chunkSizes = { least: 32, most: 256 };
/**
 * The most signature checks in one message, unless it has the fewest documents. Each document costs up to two per key.
 */
const maxChunkChecks = 8192;

/**
 * After this many signature checks without a matching key, a batch stops until the agent continues it. If no key of a
 * large ring matches any document, each document costs as many checks as there are keys.
 */
export const maxInVain = 100_000;

/** Judges many files, or one file with a document per line, in workers, and stores short rows. */
export const useBatch = defineStore('verifier-batch', () => {
  const verify = usePort(verifyPort);
  const ring = usePort(keyRingPort);
  const keys = useVerifierKeys();
  const clock = usePort(clockPort);
  const judged = createJudgedRows();
  const { rows, done, elapsed } = judged;

  /** The state of the batch; it is `stopped` after `maxInVain` checks in vain. */
  const state = ref<'idle' | 'running' | 'done' | 'cancelled' | 'stopped'>('idle');
  const total = ref(0);
  const judgedAt = ref(0);
  const runs = latest();
  let current: Run | undefined;

  /** The time left in milliseconds; undefined until enough documents are judged. */
  const left = computed(() =>
    state.value !== 'running' || done.value < 20
      ? undefined
      : (elapsed.value / done.value) * Math.max(0, total.value - done.value),
  );

  const openFiles = (files: readonly NamedFile[], context: InspectionContext): Promise<void> =>
    start({ unjudged: rowsOfFiles(files), context, next: 0 });

  const openList = (list: NamedFile, lines: ListLines, context: InspectionContext): Promise<void> =>
    start({ unjudged: rowsOfList(list, lines), context, next: 0 });

  async function start(run: Run): Promise<void> {
    judged.clear();
    total.value = run.unjudged.length;
    judgedAt.value = clock();
    current = run;
    await Promise.all([judgeRest(run), followKeys()]);
  }

  /** Continues a stopped run. */
  async function goOn(): Promise<void> {
    if (state.value === 'stopped' && current !== undefined)
      await Promise.all([judgeRest(current), followKeys()]);
  }

  /**
   * Restarts the run if the keys have changed since it began: a key that was revoked in the meantime, here or in
   * another window, must not vouch for any row.
   */
  async function followKeys(): Promise<void> {
    const present = await ring.read();
    if (current === undefined || trustIn(present) === trustIn(current.context.keys)) return;
    const context = { ...current.context, now: clock(), keys: present };
    await start({ ...current, context, next: 0 });
  }
  watch(
    () => keys.list,
    () => void followKeys(),
  );

  async function judgeRest(run: Run): Promise<void> {
    const { unjudged, context } = run;
    const chunkSize = chunkSizeOf(run, verify.size);
    const { isLatest } = runs.begin();
    state.value = 'running';
    judged.startClock();
    let vainChecksLeft = maxInVain;
    const judgeChunks = async (): Promise<void> => {
      while (isLatest() && isRunning() && vainChecksLeft > 0) {
        const chunk = unjudged.slice(run.next, run.next + chunkSize);
        if (chunk.length === 0) return;
        run.next += chunkSize;
        const sources = chunk.map(({ source }) => source);
        const isOver = (): boolean => !isLatest() || !isRunning();
        const summaries = await summariesOf(verify, sources, context, isOver);
        if (!isLatest()) return;
        judged.add(
          chunk
            .slice(0, summaries.length)
            .map((row, at) => ({ ...(summaries[at] ?? lostSummary), ...row })),
        );
        for (const summary of summaries) vainChecksLeft -= summary?.triedInVain ?? 0;
      }
    };
    await Promise.all(Array.from({ length: verify.size * chunksAhead }, judgeChunks));
    if (!isLatest()) return;
    judged.showAll();
    if (!isRunning()) return;
    const isWhole = vainChecksLeft > 0 || rows.value.length === unjudged.length;
    state.value = isWhole ? 'done' : 'stopped';
  }

  /** Judges the document of one row again, to update the row. */
  async function inspectAgain(row: BatchRow, context: InspectionContext): Promise<void> {
    const { index, name, source } = row;
    const [summary] = await verify
      .ask({ ask: 'inspect-many', sources: [source], context })
      .catch((): DocumentSummary[] => []);
    if (summary !== undefined) judged.replace({ ...summary, index, name, source });
  }

  /** A function, because the agent may cancel during each `await`. */
  function isRunning(): boolean {
    return state.value === 'running';
  }

  function cancel(): void {
    if (isRunning()) state.value = 'cancelled';
  }

  function clear(): void {
    runs.cancel();
    current = undefined;
    state.value = 'idle';
    judged.clear();
  }

  return {
    maxInVain,
    state,
    rows,
    done,
    total,
    left,
    judgedAt,
    openFiles,
    openList,
    inspectAgain,
    goOn,
    cancel,
    clear,
  };
});

type UnjudgedRow = Omit<BatchRow, keyof DocumentSummary>;

interface Run {
  readonly unjudged: readonly UnjudgedRow[];
  readonly context: InspectionContext;
  /** The index of the first document that was not yet sent to a worker. */
  next: number;
}

/** Returns the part of the keys that determines a verdict, without their names and remembered forms. */
function trustIn(keys: readonly PinnedKey[]): string {
  return JSON.stringify(keys.map(({ label: _label, remembered: _remembered, ...key }) => key));
}

function rowsOfFiles(files: readonly NamedFile[]): UnjudgedRow[] {
  return files.map(({ name, file }, index) => ({ index, name, source: { parts: [file] } }));
}

function rowsOfList({ name, file }: NamedFile, lines: ListLines): UnjudgedRow[] {
  return Array.from({ length: lines.count }, (_, index) => {
    const [number = 0, from = 0, to = 0] = lines.ranges.subarray(index * 3);
    return { index, name: `${name}:${String(number)}`, source: { file, from, to } };
  });
}

/** How many documents each message has. */
function chunkSizeOf({ unjudged, context }: Run, workers: number): number {
  // Messages are small enough that workers finish at about the same time.
  const fairShare = Math.ceil(unjudged.length / workers / 8);
  const affordable = Math.floor(maxChunkChecks / 2 / context.keys.length);
  return Math.max(chunkSizes.least, Math.min(chunkSizes.most, affordable, fairShare));
}
