import { faultMessages } from '#components/check/verdict/fault-messages';
import { countedGroup } from '#components/check/verdict/group-name';
import { useVerdictMessages } from '#components/check/verdict/verdict-messages';
import { useFormats } from '#components/formats';
import { type Catalogue, useI18n } from '#components/i18n';
import type { ConnectionState } from '#core/connections/index';
import {
  awaitedOf,
  type BulkJob,
  type CodeRow,
  type FaultPause,
  shownStateOf,
} from '#core/jobs/index';
import { isSettled, type VerdictWord, verdicts } from '#core/verdict/index';
import { visibleText } from '#core/text/index';
import { useConnections } from '#stores/connections/connections';

type Counts = Readonly<Record<VerdictWord, number>>;

/** Returns a job's name; a nameless job has a general one. */
export function jobName(t: Catalogue['t'], { name }: Pick<BulkJob, 'name'>): string {
  return name === '' ? t('desk.bulk.pasted') : visibleText(name);
}

function totalOf(counts: Counts): number {
  return verdicts.reduce((sum, group) => sum + counts[group], 0);
}

type StandingJob = Pick<BulkJob, 'state' | 'pausedBy'>;

/** Tells whether a job is finished and has an answer about each of its codes. */
export function hasAllAnswers(job: StandingJob, counts: Counts | undefined): boolean {
  return shownStateOf(job, counts?.fault ?? 0) === 'done';
}

/** Counts the codes of a job that lacks answers; undefined for any other job, and until the codes are counted. */
export function unansweredSize(
  job: StandingJob | undefined,
  counts: Counts | undefined,
): number | undefined {
  return job === undefined || hasAllAnswers(job, counts) ? undefined : counts && totalOf(counts);
}

/**
 * Tells whether the connection that stopped a job has since been changed or been permitted. Whether that was enough
 * shows only when the job resumes. A fault that no change of the connection can mend, such as a lost network, never
 * counts as mended.
 */
export function isMended(
  { fault, revision }: FaultPause,
  connection: ConnectionState | undefined,
): boolean {
  if (connection === undefined) return false;
  const { steps } = faultMessages(fault, connection.throughRelay);
  if (!steps.some((step) => step === 'options' || step === 'plain' || step === 'allow'))
    return false;
  const isAllowed = fault.kind === 'not-permitted' && connection.permitted;
  return isAllowed || (revision !== undefined && revision !== connection.revision);
}

/** Puts the state and the counts of a job into words. */
export function useJobWords(): {
  /** @param failed how many of its codes have no answer */
  readonly stateOf: (job: StandingJob, failed: number) => string;
  /** Says which fault stopped the job, or that its cause was mended. At most one text; empty if no fault stopped it. */
  readonly reasonOf: (job: StandingJob) => readonly string[];
  /** Says whose answer a code waits for after other connections have answered about it; otherwise empty. */
  readonly awaitedIn: (row: CodeRow, job: StandingJob) => string;
  /** Counts its codes: 252 codes */
  readonly sizeIn: (counts: Counts) => string;
  /** Counts the codes with a verdict, which before the job's end are never all: 8 of 252 */
  readonly progressIn: (counts: Counts) => string;
  /** Counts its verdicts: 31 Supported, 4 Not found */
  readonly answersIn: (counts: Counts) => string[];
} {
  const { t } = useI18n();
  const formats = useFormats();
  const connections = useConnections();
  const { faultHeadline, nameOf } = useVerdictMessages();

  return {
    stateOf: (job, failed) => t(`desk.bulk.state.${shownStateOf(job, failed)}`),
    reasonOf({ state, pausedBy }) {
      if (state !== 'paused' || pausedBy?.kind !== 'fault') return [];
      const { fault, connectionId } = pausedBy;
      return isMended(pausedBy, connections.find(connectionId))
        ? [t('desk.bulk.mended', { name: nameOf(connectionId) })]
        : [faultHeadline(fault, connectionId).title];
    },
    awaitedIn(row, job) {
      const names = awaitedOf(row, job).map(nameOf);
      return names.length === 0 ? '' : t('desk.bulk.awaited', { names: formats.all(names) });
    },
    sizeIn(counts) {
      const total = totalOf(counts);
      return t('answer.codes', { count: formats.number(total) }, total);
    },
    progressIn(counts) {
      const total = totalOf(counts);
      const settled = total - counts.waiting - counts['not-checked'] - counts.fault;
      const done = formats.number(Math.min(settled, Math.max(0, total - 1)));
      return t('answer.of', { done, total: formats.number(total) });
    },
    answersIn: (counts) =>
      verdicts
        .filter((group) => counts[group] > 0 && isSettled(group))
        .map((group) => countedGroup(t, formats.number(counts[group]), group)),
  };
}
