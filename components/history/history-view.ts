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
  /** The agent's filters. Empty texts mean all; days have the form of date fields: `2026-11-15`. */
  readonly filter: {
    group: VerdictWord | undefined;
    wanted: string;
    connectionId: string;
    from: string;
    to: string;
    sort: Sort<HistoryColumn> | undefined;
  };
  readonly table: ComputedRef<HistoryTable>;
  /** Whether the shown rows were updated automatically since the agent's last choice. */
  readonly isFollowed: Ref<boolean>;
  /** Shows only one day. @param day counted from 1 January 1970 */
  readonly showDay: (day: number) => void;
  /** Shows everything that the address leads to. */
  readonly clear: () => void;
  /** Returns a code with all of its checks, regardless of the filters. */
  readonly codeOf: (codeId: string | undefined) => HistoryTable['codes'][number] | undefined;
  /** Returns a bulk run with all of its codes, regardless of the filters. */
  readonly runOf: (jobId: string | undefined) => HistoryRun | undefined;
}

/** The agent's filters of the history, and the rows that they show. */
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

  /** The ids of the unfinished bulk checks with several codes. */
  const unfinished = computed(
    () =>
      new Set(
        bulk.jobs?.flatMap((job) => {
          // The counts of a finished check arrive later than the rows, which do not need them.
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
        ? // The agent may have entered the later day first.
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
