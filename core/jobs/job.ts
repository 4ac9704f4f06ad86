import type { JobSource } from '#core/bulk/index';
import { isAboutKey, type OutcomeSummary } from '#core/check/index';
import type { Result } from '#core/result';
import type { Fault } from '#core/marketplaces/index';
import type { StorageFull } from '#core/storage/index';
import type { ItemId } from '#core/item-id';

/** A bulk check. Moments are epoch milliseconds. */
export interface BulkJob {
  readonly id: string;
  /**
   * The file's name, or the name that the agent gave it; for pasted text its first code, masked, or empty if it had
   * none.
   */
  readonly name: string;
  /**
   * The name generated for pasted text; absent for a file. As long as it is the name, other jobs may have the same one.
   */
  readonly pastedName?: string;
  readonly createdAt: number;
  readonly connectionIds: readonly string[];
  readonly state: JobState;
  /** Why it is paused; absent if the agent paused it. */
  readonly pausedBy?: PauseReason;
  /** The item that the codes should be for, if the agent chose one. */
  readonly expectedItemId?: ItemId;
  /** The deletion can be undone before this moment; absent if the job is not deleted. */
  readonly deletedUntil?: number;
}

/** The longest name of a job, in UTF-16 units. */
export const maxJobName = 255;

/** The state of a job. `done`: every row has an outcome. `cancelled`: rows may wait, and the job can be resumed. */
export type JobState = 'running' | 'paused' | 'cancelled' | 'done';

/** A job's state as shown to the agent. `stopped`: a fault or a full disk paused it, and the agent must act. */
type ShownState = JobState | 'stopped' | 'unanswered';

export function shownStateOf(
  { state, pausedBy }: Pick<BulkJob, 'state' | 'pausedBy'>,
  failed: number,
): ShownState {
  if (state === 'done' && failed > 0) return 'unanswered';
  return state === 'paused' && pausedBy !== undefined ? 'stopped' : state;
}

export type PauseReason = FaultPause | { readonly kind: 'storage-full' };

/** A fault that every further row would have. */
export interface FaultPause {
  readonly kind: 'fault';
  readonly fault: Fault;
  readonly connectionId: string;
  /** When the job stopped, epoch milliseconds. */
  readonly at: number;
  /** The revision of the connection that had the fault; undefined if there was no connection. */
  readonly revision?: number | undefined;
  /**
   * How many not-founds wait again, because the key may have been wrong when they were answered. Absent if there are
   * none, or if the disk is too full to put them back.
   */
  readonly putBack?: number;
}

/** Tells whether a row is a not-found whose key has not been seen to work since then. */
export function isInDoubt({ outcome }: BulkRow): boolean {
  return outcome?.ok === true && outcome.value.kind === 'not-found' && outcome.value.key !== 'good';
}

/** One code at one connection. It waits until its outcome is stored, and is then not checked again. */
export interface BulkRow {
  readonly jobId: string;
  /** Its position in the job, from 0. */
  readonly index: number;
  readonly connectionId: string;
  readonly code: string;
  readonly line: number;
  readonly times: number;
  /** When the seller gave the answer, epoch milliseconds; a relay may have kept it for a while. */
  readonly checkedAt?: number;
  /** When the row got its outcome, epoch milliseconds. */
  readonly finishedAt?: number;
  readonly outcome?: OutcomeSummary;
  /** The corrected spelling that was found; absent if the code was found as given, or not at all. */
  readonly foundSpelling?: string;
  /** The id of the question that it belongs to; absent in the first run of the job. */
  readonly question?: string;
}

/**
 * Creates the rows of a new job, ordered by code, then by connection.
 * @param askedAt returns the connections at which to check a code; called once per code
 */
export function rowsFor(
  jobId: string,
  codes: readonly { readonly code: string; readonly line: number; readonly times: number }[],
  connectionIds: readonly string[],
  askedAt: (code: string) => readonly string[] = () => connectionIds,
): BulkRow[] {
  return codes.flatMap(({ code, line, times }, index) => {
    const asked = askedAt(code);
    return connectionIds
      .map((connectionId, at) => ({
        jobId,
        index: index * connectionIds.length + at,
        connectionId,
        code,
        line,
        times,
      }))
      .filter(({ connectionId }) => asked.includes(connectionId));
  });
}

/** Announces a change of a job from the worker to open pages. */
export type JobUpdate =
  | { readonly kind: 'job'; readonly job: BulkJob }
  | { readonly kind: 'rows'; readonly rows: readonly BulkRow[] }
  /** Rows were reset to waiting and must be read from the store again. */
  | { readonly kind: 'reset'; readonly jobId: string }
  | { readonly kind: 'removed'; readonly jobId: string }
  | BulkWait;

/** Why no bulk check sends requests to one connection until a moment, epoch milliseconds. */
export interface BulkWait {
  readonly kind: 'wait';
  readonly connectionId: string;
  readonly fault: Fault;
  readonly until: number;
}

/** Stores the bulk checks. Pages add jobs and read them; only the worker runs and changes them. */
export interface JobsPort<File> {
  /** Returns every job, newest first. */
  jobs(): Promise<BulkJob[]>;
  rows(jobId: string): Promise<BulkRow[]>;
  /** Returns the file that a job's codes came from; undefined if there was none. */
  source(jobId: string): Promise<JobSource<File> | undefined>;
  /** Writes a job with all its rows and its source, or nothing of it. */
  add(
    job: BulkJob,
    rows: readonly BulkRow[],
    source?: JobSource<File>,
  ): Promise<Result<void, StorageFull>>;
  /** Calls back with each change that the worker announces. Returns a function that ends this. */
  watch(changed: (update: JobUpdate) => void): () => void;
}

/** What a bulk check does after a fault. */
type AfterFault =
  /** The row waits and is checked again at `until`, epoch milliseconds. */
  | { readonly do: 'wait'; readonly until: number }
  /** The job is paused, since every further row would fail in the same way. */
  | { readonly do: 'pause' }
  /** The fault becomes the row's outcome; the agent can retry it with the others that failed. */
  | { readonly do: 'note' };

/**
 * Decides what a bulk check does after a fault.
 * @param tries how often this row was checked, including this time
 */
export function afterFault(fault: Fault, tries: number): AfterFault {
  switch (fault.kind) {
    case 'rate-limited':
      return { do: 'wait', until: fault.retryAt };
    case 'server-error':
    case 'relay-upstream':
    case 'relay-unavailable':
      return fault.retryAt !== undefined && tries < 3
        ? { do: 'wait', until: fault.retryAt }
        : { do: 'note' };
    case 'locked':
    case 'no-key':
    case 'not-permitted':
    case 'no-connection':
    case 'relay-sign-in':
    case 'relay-refused':
    case 'offline':
    case 'redirected':
    case 'api-off':
      return { do: 'pause' };
    case 'refused':
      return { do: isAboutKey(fault) ? 'pause' : 'note' };
    case 'not-json':
      return { do: fault.userAgent === 'ruled-out' ? 'note' : 'pause' };
    case 'unreachable':
    case 'timeout':
    case 'unreadable':
    case 'too-large':
    case 'mismatch':
      return { do: 'note' };
  }
}
