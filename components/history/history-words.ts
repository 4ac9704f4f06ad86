import { jobName, unansweredSize, useJobWords } from '#components/bulk/job-words';
import { useVerdictMessages } from '#components/check/verdict/verdict-messages';
import { useFormats } from '#components/formats';
import { useI18n } from '#components/i18n';
import type { HistoryRow } from '#core/history/index';
import type { BulkJob } from '#core/jobs/index';
import { calendarDays } from '#core/time/index';
import { useBulk } from '#stores/bulk/bulk';
import { useClock } from '#stores/clock';

export type HistoryRun = Extract<HistoryRow, { kind: 'run' }>;
type Day = Extract<HistoryRow, { kind: 'day' }>;

/** The texts about a bulk run in its row. */
export interface RunWords {
  /** The run's name; empty if its bulk check was deleted. */
  readonly name: string;
  /** The number of its codes, in words. */
  readonly size: string;
  /** The run's bulk check, if answers are missing. */
  readonly job?: BulkJob;
  /** Its progress while answers are missing, and what prevents it from continuing. */
  readonly standing: readonly string[];
  /** The names of its connections: those that answered, or else all that it asks. */
  readonly connections: readonly string[];
  /** The counted verdicts: Supported 31 */
  readonly counts: readonly string[];
}

/** Returns the texts for the rows of the history. */
export function useHistoryWords(): {
  readonly codesIn: (count: number) => string;
  readonly checksIn: (count: number) => string;
  /** Counts verdicts: Supported 31, Not found 4 */
  readonly verdictsIn: (row: HistoryRun | Day) => string[];
  /** Returns the texts about a run: from its bulk check until that has all answers, then from the history. */
  readonly wordsOfRun: (run: HistoryRun) => RunWords;
  /** Formats a day: Today; Mon, 23 Nov 2026 */
  readonly dayName: (day: number) => string;
} {
  const { t } = useI18n();
  const formats = useFormats();
  const bulk = useBulk();
  const { answersIn, progressIn, reasonOf } = useJobWords();
  const { nameOf } = useVerdictMessages();
  const moment = useClock();
  const dayOf = calendarDays(formats.zone);

  function codesIn(count: number): string {
    return t('answer.codes', { count: formats.number(count) }, count);
  }

  return {
    codesIn,
    checksIn: (count) => t('desk.history.count', { count: formats.number(count) }, count),
    verdictsIn: ({ counts }) => answersIn(counts),
    wordsOfRun(run) {
      const { jobId, codes, again, connectionNames, wentOn } = run;
      const job = bulk.jobs?.find(({ id }) => id === jobId);
      const name = job === undefined ? '' : jobName(t, job);
      const connections =
        connectionNames.length > 0
          ? connectionNames
          : (job?.connectionIds
              .map(nameOf)
              .filter((each) => each !== '')
              .sort() ?? []);
      const ofJob = bulk.counts.get(jobId);
      const total = unansweredSize(job, ofJob);
      const since =
        again === 0 ? [] : [t('desk.history.again', { count: formats.number(again) }, again)];
      const counts = [...answersIn(run.counts), ...since];
      if (job === undefined || total === undefined || ofJob === undefined || wentOn)
        return { name, size: codesIn(codes.length), standing: [], connections, counts };
      return {
        name,
        size: codesIn(total),
        job,
        standing: [progressIn(ofJob), ...reasonOf(job)],
        connections,
        counts,
      };
    },
    dayName(day) {
      const today = dayOf(moment.present);
      return day >= today - 1 && day <= today
        ? formats.nearDay(day - today)
        : formats.calendarDay(day);
    },
  };
}
