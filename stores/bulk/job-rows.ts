import {
  computed,
  type ComputedRef,
  type Ref,
  ref,
  type ShallowRef,
  shallowRef,
  triggerRef,
} from 'vue';

import { isNotFound } from '#core/check/index';
import { type BulkRow, type CodeRow, codeRowsOf, rateOf } from '#core/jobs/index';
import { jobsPort } from '#stores/bulk/ports';
import { latest } from '#stores/latest';
import { clockPort, usePort } from '#stores/ports';

/** The shortest interval between two drawings of the table while rows arrive, in milliseconds. */
const drawIntervalMs = 250;

export interface JobRows {
  readonly jobId: Ref<string | undefined>;
  readonly rows: ShallowRef<BulkRow[]>;
  /** One row per code, for the table and the figures. */
  readonly codes: ComputedRef<CodeRow[]>;
  /** When the rows of each connection were finished, by its id, epoch milliseconds. */
  readonly finishedAt: ComputedRef<ReadonlyMap<string, readonly number[]>>;
  /** When the table was last drawn, epoch milliseconds. */
  readonly drawnAt: Ref<number>;
  /** How many codes have a verdict; at least one less than all while a connection still has to answer. */
  readonly done: ComputedRef<number>;
  readonly failed: ComputedRef<number>;
  readonly notFound: ComputedRef<number>;
  /** How many rows still have to be checked at each connection, by its id. */
  readonly waiting: ComputedRef<ReadonlyMap<string, number>>;
  /** How many codes got their verdict in the last minute. */
  readonly rate: ComputedRef<number>;
  readonly reload: () => Promise<void>;
  /** Updates finished rows; rows of other jobs are ignored. */
  readonly update: (finished: readonly BulkRow[]) => void;
  readonly open: (id: string) => Promise<void>;
  readonly close: () => void;
}

/** Returns when a code got its verdict. For a not-found that is the time of the last answer. */
function settledAt({ outcome, finishedAt, others }: CodeRow): number | undefined {
  if (outcome?.ok !== true || finishedAt === undefined) return undefined;
  const further = isNotFound(outcome) ? others.map((row) => row.finishedAt ?? 0) : [];
  return Math.max(finishedAt, ...further);
}

/** Creates the rows of the open job, with none open yet. Call it in a store's setup. */
export function createJobRows(): JobRows {
  const now = usePort(clockPort);
  const port = usePort(jobsPort);
  const jobId = ref<string>();
  const rows = shallowRef<BulkRow[]>([]);
  const drawnAt = ref(now());
  const reads = latest();
  const codes = computed(() => codeRowsOf(rows.value, drawnAt.value));
  let positions = new Map<number, number>();
  let drawing: ReturnType<typeof setTimeout> | undefined;
  /** The rows announced during the present read, by index, since that read may have missed them. */
  let announced: Map<number, BulkRow> | undefined;

  function show(shown: BulkRow[]): void {
    positions = new Map(shown.map(({ index }, position) => [index, position]));
    rows.value = shown;
    drawnAt.value = now();
  }

  async function reload(): Promise<void> {
    const { isLatest } = reads.begin();
    if (jobId.value === undefined) return;
    announced = new Map();
    const read = await port.rows(jobId.value);
    if (!isLatest()) return;
    show(read.map((row) => announced?.get(row.index) ?? row));
    announced = undefined;
  }

  function update(finished: readonly BulkRow[]): void {
    for (const row of finished) {
      if (row.jobId !== jobId.value) continue;
      announced?.set(row.index, row);
      const position = positions.get(row.index);
      if (position === undefined) continue;
      rows.value[position] = row;
      drawing ??= setTimeout(draw, drawIntervalMs);
    }
  }

  function draw(): void {
    drawing = undefined;
    drawnAt.value = now();
    triggerRef(rows);
  }

  return {
    jobId,
    rows,
    codes,
    drawnAt,
    reload,
    update,
    done: computed(() => {
      const settled = codes.value.filter(({ outcome }) => outcome?.ok === true).length;
      const isAsked = rows.value.every(({ outcome }) => outcome !== undefined);
      return isAsked ? settled : Math.min(settled, codes.value.length - 1);
    }),
    failed: computed(() => codes.value.filter(({ outcome }) => outcome?.ok === false).length),
    notFound: computed(() => codes.value.filter(({ outcome }) => isNotFound(outcome)).length),
    waiting: computed(() => {
      const counts = new Map<string, number>();
      for (const { connectionId, outcome } of rows.value)
        if (outcome === undefined) counts.set(connectionId, (counts.get(connectionId) ?? 0) + 1);
      return counts;
    }),
    finishedAt: computed(() => {
      const moments = new Map<string, number[]>();
      for (const { connectionId, finishedAt } of rows.value) {
        if (finishedAt === undefined) continue;
        const known = moments.get(connectionId);
        if (known === undefined) moments.set(connectionId, [finishedAt]);
        else known.push(finishedAt);
      }
      return moments;
    }),
    rate: computed(() =>
      rateOf(
        codes.value.flatMap((row) => settledAt(row) ?? []),
        drawnAt.value,
      ),
    ),
    open: async (id: string): Promise<void> => {
      if (jobId.value === id) return;
      show([]);
      jobId.value = id;
      await reload();
    },
    close: (): void => {
      reads.cancel();
      jobId.value = undefined;
      show([]);
    },
  };
}
