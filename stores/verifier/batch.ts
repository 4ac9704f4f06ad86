import { defineStore } from 'pinia';
import { computed, ref, shallowRef, triggerRef } from 'vue';

import type {
  DocumentSummary,
  InspectionContext,
  ListLines,
  Source,
  Verify,
} from '#core/verifier/verifier-request';
import { verifyPort } from '#stores/verifier/ports';
import { latest } from '#stores/latest';
import type { NamedFile } from '#stores/ui/dropped-files';
import { clockPort, usePort } from '#stores/ports';

/** Holds one row of the table, with where to find its document again. */
export interface BatchRow extends DocumentSummary {
  /** Its position among the files or lines, from 0. */
  readonly index: number;
  readonly name: string;
  readonly source: Source;
}

/** Messages in flight per worker: one is read while the next waits. */
const chunksAhead = 2;

/** Documents in one message: the fewest, and the most, so that a message costs little beside them. */
const chunkSizes = { least: 32, most: 256 };
/** Signature checks of one message at most, unless it has the fewest documents: each costs up to two for each key. */
const maxChunkChecks = 8192;

const countEveryMs = 400;
/** The table is redrawn when its number of rows has grown by this factor. */
const growthToDraw = 1.1;

/**
 * Limits the signature checks of a batch that find no key: it stops after so many, until the agent says to go on. Where
 * a large ring of keys fits none of the documents, each document costs as many checks as there are keys.
 */
export const maxInVain = 100_000;

/** Judges many files, or one file with a document on each line, in workers, and stores short rows. */
export const useBatch = defineStore('verifier-batch', () => {
  const verify = usePort(verifyPort);
  const clock = usePort(clockPort);

  /** `stopped`: after `maxInVain` checks in vain. */
  const state = ref<'idle' | 'running' | 'done' | 'cancelled' | 'stopped'>('idle');
  const rows = shallowRef<BatchRow[]>([]);
  const done = ref(0);
  /** How many there are. */
  const total = ref(0);
  const startedAt = ref(0);
  const judgedAt = ref(0);
  /** Milliseconds from the start until `done` was counted last. */
  const elapsed = ref(0);
  const runs = latest();
  /** The rest of the run, and the number of failed checks after which it stops. */
  let rest: Run | undefined;
  let mayFail = 0;

  const left = computed(() =>
    state.value !== 'running' || done.value < 20
      ? undefined
      : (elapsed.value / done.value) * Math.max(0, total.value - done.value),
  );

  async function openFiles(files: readonly NamedFile[], context: InspectionContext): Promise<void> {
    const unjudged = files.map(({ name, file }, index): UnjudgedRow => {
      return { index, name, source: { parts: [file] } };
    });
    await run({ unjudged, context, next: 0 });
  }

  async function openList(
    { name, file }: NamedFile,
    lines: ListLines,
    context: InspectionContext,
  ): Promise<void> {
    const unjudged = Array.from({ length: lines.count }, (_, index): UnjudgedRow => {
      const [number = 0, from = 0, to = 0] = lines.places.subarray(index * 3);
      return { index, name: `${name}:${String(number)}`, source: { file, from, to } };
    });
    await run({ unjudged, context, next: 0 });
  }

  async function run(begun: Run): Promise<void> {
    rows.value = [];
    drawn = 0;
    done.value = 0;
    elapsed.value = 0;
    total.value = begun.unjudged.length;
    startedAt.value = judgedAt.value = clock();
    rest = begun;
    await work();
  }

  /** Goes on with a run that stopped. */
  async function goOn(): Promise<void> {
    if (state.value !== 'stopped') return;
    startedAt.value = clock() - elapsed.value;
    await work();
  }

  async function work(): Promise<void> {
    if (rest === undefined) return;
    const begun = rest;
    const { unjudged, context } = begun;
    const chunkSize = Math.max(
      chunkSizes.least,
      Math.min(
        chunkSizes.most,
        Math.floor(maxChunkChecks / 2 / context.keys.length),
        // No worker should have to wait for the last one.
        Math.ceil(unjudged.length / verify.size / 8),
      ),
    );
    const { isLatest } = runs.begin();
    const judged = rows.value;
    state.value = 'running';
    mayFail = maxInVain;
    const lane = async (): Promise<void> => {
      for (;;) {
        if (!isLatest() || isEnded() || mayFail <= 0) return;
        const asked = unjudged.slice(begun.next, begun.next + chunkSize);
        if (asked.length === 0) return;
        begun.next += chunkSize;
        const sources = asked.map(({ source }) => source);
        const answers = await inspectAll(verify, sources, context, () => !isLatest() || isEnded());
        if (!isLatest()) return;
        for (const [at, answer] of answers.entries()) {
          const row = asked[at];
          if (row !== undefined) judged.push({ ...(answer ?? lostSummary), ...row });
          mayFail -= answer?.triedInVain ?? 0;
        }
        show();
      }
    };
    await Promise.all(Array.from({ length: verify.size * chunksAhead }, lane));
    if (!isLatest()) return;
    judged.sort((a, b) => a.index - b.index);
    showNow();
    if (isEnded()) return;
    state.value = mayFail <= 0 && judged.length < unjudged.length ? 'stopped' : 'done';
  }

  /** Counts a few times a second, however fast the rows come. */
  let showing: ReturnType<typeof setTimeout> | undefined;
  /** How many rows the table was drawn with last. */
  let drawn = 0;
  function show(): void {
    showing ??= setTimeout(() => {
      count();
      // The table sorts all its rows anew: drawn at each count, a long batch would cost the square of its rows.
      if (rows.value.length >= drawn * growthToDraw) draw();
    }, countEveryMs);
  }
  function showNow(): void {
    count();
    draw();
  }
  function count(): void {
    clearTimeout(showing);
    showing = undefined;
    done.value = rows.value.length;
    elapsed.value = clock() - startedAt.value;
  }
  function draw(): void {
    drawn = rows.value.length;
    triggerRef(rows);
  }

  /** Judges the document of one row anew, for the row to say what is known meanwhile. */
  async function inspectAgain(row: BatchRow, context: InspectionContext): Promise<void> {
    const sources = [row.source];
    const answer = await verify
      .ask({ ask: 'inspect-many', sources, context })
      .catch((): DocumentSummary[] => []);
    const [summary] = answer;
    if (summary === undefined) return;
    const { index, name, source } = row;
    const at = rows.value.findIndex((one) => one.source === source);
    if (at < 0) return;
    rows.value[at] = { ...summary, index, name, source };
    triggerRef(rows);
  }

  /** A function, because the agent may cancel during each `await`. */
  function isEnded(): boolean {
    return state.value !== 'running';
  }

  function cancel(): void {
    if (state.value === 'running') state.value = 'cancelled';
  }

  function clear(): void {
    runs.cancel();
    rest = undefined;
    state.value = 'idle';
    rows.value = [];
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
  /** The index of the first document that no worker was asked about yet. */
  next: number;
}

/** The row of a document whose worker was lost. */
const lostSummary: DocumentSummary = { standing: 'unverified', failed: [], warned: [] };

/**
 * Judges documents in one worker. When it is lost, over one of them or over another question, each is asked about alone, and then
 * once more: only a document that costs a worker each time stays without an answer.
 * @returns an answer for each; fewer when the run has ended
 */
async function inspectAll(
  verify: Verify,
  sources: readonly Source[],
  context: InspectionContext,
  isOver: () => boolean,
  tries = 2,
): Promise<(DocumentSummary | undefined)[]> {
  const answers = await verify
    .ask({ ask: 'inspect-many', sources, context })
    .catch(() => undefined);
  if (answers !== undefined) return answers;
  if (tries === 0) return [undefined];
  const alone: (DocumentSummary | undefined)[] = [];
  for (const source of sources)
    if (!isOver()) alone.push(...(await inspectAll(verify, [source], context, isOver, tries - 1)));
  return alone;
}
