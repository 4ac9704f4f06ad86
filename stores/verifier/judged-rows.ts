import { type Ref, ref, type ShallowRef, shallowRef, triggerRef } from 'vue';

import type { DocumentSummary, Source } from '#core/verifier/index';
import { clockPort, usePort } from '#stores/ports';

/** One row of the table, and the position of its document. */
export interface BatchRow extends DocumentSummary {
  /** Its position among the files or lines, from 0. */
  readonly index: number;
  readonly name: string;
  readonly source: Source;
}

/** The rows of a batch as they are judged. The counts and the table are updated a little later. */
export interface JudgedRows {
  readonly rows: ShallowRef<BatchRow[]>;
  /** How many rows there were when they were last counted. */
  readonly done: Ref<number>;
  /** How long the batch had run at that time, in milliseconds. */
  readonly elapsed: Ref<number>;
  readonly clear: () => void;
  /** Starts or resumes measuring the time. */
  readonly startClock: () => void;
  readonly add: (judged: readonly BatchRow[]) => void;
  /** Replaces the row of the same document; does nothing if that is gone. */
  readonly replace: (row: BatchRow) => void;
  /** Sorts the rows by document, and shows all of them. */
  readonly showAll: () => void;
}

const countEveryMs = 400;
/** The table is redrawn when its number of rows has grown by this factor. */
const growthToDraw = 1.1;

/** Creates the rows of a batch, none at first. Call it in a store's setup. */
export function createJudgedRows(): JudgedRows {
  const clock = usePort(clockPort);
  const rows = shallowRef<BatchRow[]>([]);
  const done = ref(0);
  const elapsed = ref(0);
  let startedAt = 0;
  let counting: ReturnType<typeof setTimeout> | undefined;
  /** How many rows the table had when it was last drawn. */
  let drawn = 0;

  function count(): void {
    clearTimeout(counting);
    counting = undefined;
    done.value = rows.value.length;
    elapsed.value = clock() - startedAt;
  }

  function draw(): void {
    drawn = rows.value.length;
    triggerRef(rows);
  }

  return {
    rows,
    done,
    elapsed,
    clear() {
      rows.value = [];
      drawn = 0;
      done.value = 0;
      elapsed.value = 0;
    },
    startClock() {
      startedAt = clock() - elapsed.value;
    },
    add(judged) {
      rows.value.push(...judged);
      counting ??= setTimeout(() => {
        count();
        // The table sorts all its rows each time. Drawing it at each count would take quadratic time for a long batch.
        if (rows.value.length >= drawn * growthToDraw) draw();
      }, countEveryMs);
    },
    replace(row) {
      const at = rows.value.findIndex(({ source }) => source === row.source);
      if (at < 0) return;
      rows.value[at] = row;
      triggerRef(rows);
    },
    showAll() {
      rows.value.sort((a, b) => a.index - b.index);
      count();
      draw();
    },
  };
}
