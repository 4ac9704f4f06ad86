import { computed, type ComputedRef, reactive, type Ref, watch } from 'vue';

import { unansweredSize } from '#components/bulk/job-words';
import type { DeskRoute } from '#components/desk/route';
import { useFormats } from '#components/formats';
import { useFollowed } from '#components/ui/use-followed';
import { type HistoryRow, historyTable } from '#core/history/index';
import type { Sort } from '#core/sort';
import { calendarDays, dayMs } from '#core/time/index';
import type { VerdictWord } from '#core/verdict/index';
import { useBulk } from '#stores/bulk/bulk';
import { useHistory } from '#stores/history/history';
import type { HistoryRun } from '#components/history/history-words';

export type HistoryColumn = 'verdict' | 'code' | 'item' | 'connection' | 'when';
type HistoryRoute = Extract<DeskRoute, { section: 'history' }>;
type HistoryTable = ReturnType<typeof historyTable>;

interface HistoryView {
  /** What the agent looks for. Empty texts stand for all; days are as fields have them: `2026-11-15`. */
  readonly filter: {
    group: VerdictWord | undefined;
    wanted: string;
    connectionId: string;
    from: string;
    to: string;
    sort: Sort<HistoryColumn> | undefined;
  };
  readonly table: ComputedRef<HistoryTable>;
  /** The ids of the bulk checks of several codes that have not come to their end. */
  readonly unfinished: ComputedRef<ReadonlySet<string>>;
  /** Whether what is shown has changed by itself since the agent last chose what is shown. */
  readonly isFollowed: Ref<boolean>;
  /** Shows one day alone. @param day counted from 1 January 1970 */
  readonly showDay: (day: number) => void;
  /** Shows all that the address leads to. */
  readonly clear: () => void;
  /** Returns a code as all of its checks show it, whatever is looked for. */
  readonly codeOf: (codeId: string | undefined) => HistoryTable['codes'][number] | undefined;
  /** Returns a bulk run with all of its codes, whatever is looked for. */
  readonly runOf: (jobId: string | undefined) => HistoryRun | undefined;
}

/** Holds what the agent looks for in the history, and what is shown of it. */
export function useHistoryView(route: () => HistoryRoute | undefined): HistoryView {
  const history = useHistory();
  const bulk = useBulk();
  const dayOf = calendarDays(useFormats().zone);

  const filter = reactive({
    group: undefined as VerdictWord | undefined,
    wanted: computed({
      get: () => history.wanted,
      set: (text: string) => void history.search(text),
    }),
    connectionId: '',
    from: '',
    to: '',
    sort: undefined as Sort<HistoryColumn> | undefined,
  });
  watch(route, () => {
    filter.group = undefined;
    filter.connectionId = filter.from = filter.to = '';
  });

  const isFollowed = useFollowed(() => history.entries, [filter, route]);

  const unfinished = computed(
    () =>
      new Set(
        bulk.jobs?.flatMap((job) => {
          // Of one that has ended nothing hangs on its counts, which come later than the rows.
          if (job.state === 'done') return [];
          const size = unansweredSize(job, bulk.counts.get(job.id)) ?? 0;
          return size > 1 ? [job.id] : [];
        }),
      ),
  );
  const began = computed(() => new Map(bulk.jobs?.map(({ id, createdAt }) => [id, createdAt])));

  const table = computed(() => {
    const { jobId, itemId, connectionId = filter.connectionId || undefined } = route() ?? {};
    const [from, to] = [Date.parse(filter.from) / dayMs, Date.parse(filter.to) / dayMs];
    const isOfDays = !Number.isNaN(from) || !Number.isNaN(to);
    const ends = [Number.isNaN(from) ? -Infinity : from, Number.isNaN(to) ? Infinity : to];
    return historyTable(history.shown, {
      jobId,
      itemId,
      connectionId,
      days: isOfDays
        ? // The days may stand the wrong way round.
          { first: Math.min(...ends), last: Math.max(...ends) }
        : undefined,
      group: filter.group,
      foldsRuns:
        filter.group === undefined &&
        filter.wanted.trim() === '' &&
        jobId === undefined &&
        itemId === undefined,
      began: began.value,
      unfinished: unfinished.value,
      sort: filter.sort,
      dayOf,
    });
  });

  return {
    filter,
    table,
    unfinished,
    isFollowed,
    showDay(day) {
      filter.from = filter.to = new Date(day * dayMs).toISOString().slice(0, 10);
    },
    clear() {
      filter.group = undefined;
      filter.connectionId = filter.from = filter.to = filter.wanted = '';
    },
    codeOf(codeId) {
      const checks = history.checks.filter((check) => check.codeId === codeId);
      return historyTable(checks, { dayOf }).codes[0];
    },
    runOf(jobId) {
      if (jobId === undefined) return undefined;
      const view = {
        foldsRuns: true,
        isWhole: true,
        began: began.value,
        unfinished: unfinished.value,
        dayOf,
      };
      return historyTable(history.checks, view).rows.find(
        (row: HistoryRow): row is HistoryRun => row.kind === 'run' && row.jobId === jobId,
      );
    },
  };
}
