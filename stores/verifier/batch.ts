import { defineStore } from 'pinia';
import { computed, ref, shallowRef, triggerRef } from 'vue';

import type { DocumentSummary } from '#core/verifier/document-report';
import type { JudgeContext, Source } from '#core/verifier/verifier-request';
import { linesOf } from '#stores/verifier/token-list';
import { verifyPort } from '#stores/verifier/ports';
import { latest } from '#stores/latest';
import { clockPort, usePort } from '#stores/ports';

/** Holds one row of the table, with where to find its document again. */
export interface BatchRow extends DocumentSummary {
  /** Its position among the files or lines, from 0. */
  readonly index: number;
  readonly name: string;
  /** The file; in a list, `from` and `to` are the bytes of the line. */
  readonly file: File;
  readonly from?: number;
  readonly to?: number;
}

/** Returns where the document of a row is read from. */
export function sourceOf({ file, from, to }: BatchRow): Source {
  return { parts: [from === undefined ? file : file.slice(from, to)] };
}

/** Holds a file whose content has not been read yet. */
export interface NamedFile {
  /** Includes the path where the file came in a folder. */
  readonly name: string;
  readonly file: File;
}

/** Holds files that were dropped, pasted or chosen. */
export interface DroppedFiles {
  readonly files: readonly NamedFile[];
  /** Whether there were more than are opened at once. */
  readonly cut: boolean;
}

/** Documents in one message, and messages in flight per worker: one is read while the next waits. */
const chunkSize = 32;
const chunksAhead = 2;

const countEveryMs = 400;
/** The table is drawn anew when it has so many times as many rows as before. */
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
  /** How many there are; for a list, an estimate while it is read. */
  const total = ref(0);
  const startedAt = ref(0);
  const judgedAt = ref(0);
  /** Milliseconds from the start until `done` was counted last. */
  const elapsed = ref(0);
  const runs = latest();
  /** What is left of the run, and how many more checks may be in vain before it stops. */
  let rest: Run | undefined;
  let mayFail = 0;

  const left = computed(() =>
    state.value !== 'running' || done.value < 20
      ? undefined
      : (elapsed.value / done.value) * Math.max(0, total.value - done.value),
  );

  async function openFiles(files: readonly NamedFile[], context: JudgeContext): Promise<void> {
    await run({ chunks: fileChunks(files), expected: { total: files.length }, context });
  }

  async function openList({ name, file }: NamedFile, context: JudgeContext): Promise<void> {
    const expected = { total: 0 };
    await run({ chunks: listChunks(name, file, expected), expected, context });
  }

  async function run(begun: Run): Promise<void> {
    rows.value = [];
    drawn = 0;
    done.value = 0;
    elapsed.value = 0;
    total.value = begun.expected.total;
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
    const { chunks, expected, context } = rest;
    const { isLatest } = runs.begin();
    const judged = rows.value;
    state.value = 'running';
    mayFail = maxInVain;
    const reached = { end: false };
    const lane = async (): Promise<void> => {
      for (;;) {
        if (!isLatest() || isEnded() || mayFail <= 0) return;
        const next = await chunks.next();
        if (next.done === true) {
          reached.end = true;
          return;
        }
        const pieces = next.value;
        const sources = pieces.map(({ source }) => source);
        const answers = await judgeSources(sources, context, isLatest);
        if (!isLatest()) return;
        for (const [at, answer] of answers.entries()) {
          const place = pieces[at]?.place;
          if (place !== undefined) judged.push({ ...(answer ?? lostSummary), ...place });
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
    const isLeft = !reached.end && judged.length < expected.total;
    state.value = mayFail <= 0 && isLeft ? 'stopped' : 'done';
    if (state.value === 'done') total.value = done.value;
  }

  /**
   * Judges documents in one worker. When it is lost, over one of them or over another question, each is asked about alone, and then
   * once more: only a document that costs a worker each time stays without an answer.
   * @returns an answer for each; fewer when the run has ended
   */
  async function judgeSources(
    sources: readonly Source[],
    context: JudgeContext,
    isLatest: () => boolean,
    tries = 2,
  ): Promise<(DocumentSummary | undefined)[]> {
    const answers = await verify
      .ask({ ask: 'inspect-many', sources, context })
      .catch(() => undefined);
    if (answers !== undefined) return answers;
    if (tries === 0) return [undefined];
    const alone: (DocumentSummary | undefined)[] = [];
    for (const source of sources)
      if (isLatest() && !isEnded())
        alone.push(...(await judgeSources([source], context, isLatest, tries - 1)));
    return alone;
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
    total.value = rest?.expected.total ?? 0;
    elapsed.value = clock() - startedAt.value;
  }
  function draw(): void {
    drawn = rows.value.length;
    triggerRef(rows);
  }

  async function* listChunks(
    name: string,
    file: File,
    expected: Run['expected'],
  ): AsyncGenerator<Piece[]> {
    let chunk: Piece[] = [];
    let index = 0;
    let end = 0;
    try {
      for await (const { number, from, to, text } of linesOf(file)) {
        chunk.push({
          place: { index, name: `${name}:${String(number)}`, file, from, to },
          // A line too long to be held is judged by its size, as a file is.
          source: text === undefined ? { parts: [file.slice(from, to)] } : { text },
        });
        index += 1;
        end = to;
        if (chunk.length < chunkSize) continue;
        expected.total = Math.max(index, Math.round((index * file.size) / to));
        yield chunk;
        chunk = [];
      }
    } catch {
      // The file is gone: what could not be read of it is a row of its own.
      const rest = file.slice(end);
      chunk.push({
        place: { index, name, file, from: end, to: file.size },
        source: { parts: [rest] },
      });
      index += 1;
    }
    expected.total = index;
    if (chunk.length > 0) yield chunk;
  }

  /** Judges the document of one row anew, for the row to say what is known meanwhile. */
  async function judgeAgain(row: BatchRow, context: JudgeContext): Promise<void> {
    const sources = [sourceOf(row)];
    const answer = await verify
      .ask({ ask: 'inspect-many', sources, context })
      .catch((): DocumentSummary[] => []);
    const [summary] = answer;
    if (summary === undefined) return;
    const { index, name, file, from, to } = row;
    const at = rows.value.findIndex((one) => one.index === index && one.file === file);
    if (at < 0) return;
    const lines = from !== undefined && to !== undefined && { from, to };
    rows.value[at] = { ...summary, index, name, file, ...lines };
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
    state,
    rows,
    done,
    total,
    left,
    judgedAt,
    openFiles,
    openList,
    judgeAgain,
    goOn,
    cancel,
    clear,
  };
});

interface Run {
  readonly chunks: AsyncGenerator<Piece[]>;
  /** How many documents there are. Not reactive: every chunk of a list moves it. */
  readonly expected: { total: number };
  readonly context: JudgeContext;
}

interface Piece {
  readonly place: Omit<BatchRow, keyof DocumentSummary>;
  readonly source: Source;
}

// eslint-disable-next-line @typescript-eslint/require-await -- one kind of source for lists and files alike
async function* fileChunks(files: readonly NamedFile[]): AsyncGenerator<Piece[]> {
  for (let at = 0; at < files.length; at += chunkSize)
    yield files.slice(at, at + chunkSize).map(({ name, file }, place) => ({
      place: { index: at + place, name, file },
      source: { parts: [file] },
    }));
}

/** The row of a document whose worker was lost. */
const lostSummary: DocumentSummary = { standing: 'unverified', failed: [], warned: [] };
