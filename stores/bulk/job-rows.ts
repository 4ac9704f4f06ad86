import {
  type ComputedRef,
  type Ref,
  type ShallowRef,
  computed,
  ref,
  shallowRef,
  triggerRef,
} from 'vue';

import { type CodeRow, codeRowsOf } from '#core/bulk/code-rows';
import type { BulkRow } from '#core/bulk/job';
import { rateOf } from '#core/bulk/progress';
import { latest } from '#stores/latest';
import { jobsPort } from '#stores/bulk/ports';
import { clockPort, usePort } from '#stores/ports';

/** The table is drawn at most this often while rows come in. */
const drawIntervalMs = 250;
/** Finished rows that the rate and the time left are computed from. */
const recentRows = 400;

/** Holds the rows of the one job whose table is open. */
export interface JobRows {
  readonly jobId: Ref<string | undefined>;
  readonly rows: ShallowRef<BulkRow[]>;
  /** One for each code: what the table shows and the figures count. */
  readonly codes: ComputedRef<CodeRow[]>;
  readonly done: ComputedRef<number>;
  readonly failed: ComputedRef<number>;
  /** Rows that are still to be asked about. */
  readonly waiting: ComputedRef<number>;
  /** Codes finished in the last minute. */
  readonly rate: ComputedRef<number>;
  /** When the latest rows were finished, epoch milliseconds. */
  readonly finishedAt: ShallowRef<number[]>;
  /** When the table was drawn last, epoch milliseconds. */
  readonly drawnAt: Ref<number>;
  readonly open: (jobId: string) => Promise<void>;
  readonly close: () => void;
  /** Reads the open job's rows anew. */
  reload(): Promise<void>;
  /** Puts finished rows in their places; rows of other jobs are passed over. */
  update(finished: readonly BulkRow[]): void;
}

/** Creates the rows of the open job, with none open yet. Call it in a store's setup. */
export function createJobRows(): JobRows {
  const now = usePort(clockPort);
  const port = usePort(jobsPort);
  const jobId = ref<string>();
  const rows = shallowRef<BulkRow[]>([]);
  const finishedAt = shallowRef<number[]>([]);
  const drawnAt = ref(now());
  const reads = latest();
  const codes = computed(() => codeRowsOf(rows.value));
  let positions = new Map<number, number>();
  let drawing: ReturnType<typeof setTimeout> | undefined;

  function show(shown: BulkRow[]): void {
    positions = new Map(shown.map(({ index }, position) => [index, position]));
    rows.value = shown;
    drawnAt.value = now();
    finishedAt.value = shown
      .flatMap(({ checkedAt }) => checkedAt ?? [])
      .toSorted((a, b) => a - b)
      .slice(-recentRows);
  }

  async function reload(): Promise<void> {
    const { isLatest } = reads.begin();
    if (jobId.value === undefined) return;
    const read = await port.rows(jobId.value);
    if (isLatest()) show(read);
  }

  function update(finished: readonly BulkRow[]): void {
    for (const row of finished) {
      const position = row.jobId === jobId.value ? positions.get(row.index) : undefined;
      if (position === undefined) continue;
      rows.value[position] = row;
      if (row.checkedAt !== undefined) finishedAt.value.push(row.checkedAt);
      drawing ??= setTimeout(draw, drawIntervalMs);
    }
  }

  function draw(): void {
    drawing = undefined;
    finishedAt.value = finishedAt.value.slice(-recentRows);
    drawnAt.value = now();
    triggerRef(rows);
  }

  return {
    jobId,
    rows,
    codes,
    finishedAt,
    drawnAt,
    reload,
    update,
    done: computed(() => codes.value.filter(({ outcome }) => outcome !== undefined).length),
    failed: computed(() => codes.value.filter(({ outcome }) => outcome?.ok === false).length),
    waiting: computed(() => rows.value.filter(({ outcome }) => outcome === undefined).length),
    rate: computed(() =>
      rateOf(
        codes.value.flatMap(({ checkedAt }) => checkedAt ?? []),
        drawnAt.value,
      ),
    ),
    async open(id) {
      if (jobId.value === id) return;
      show([]);
      jobId.value = id;
      await reload();
    },
    close() {
      reads.cancel();
      jobId.value = undefined;
      show([]);
    },
  };
}
