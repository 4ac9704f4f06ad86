import type { OutcomeSummary } from '#core/history/brief';
import type { Fault } from '#core/seller/fault';
import { omitUndefined } from '#core/omit-undefined';

/** Many codes handed over at once. Moments are epoch milliseconds. */
export interface BulkJob {
  readonly id: string;
  /** The file's name, or none for pasted text. */
  readonly name: string;
  readonly createdAt: number;
  readonly connectionIds: readonly string[];
  readonly state: JobState;
  /** Why it is paused, when the agent did not ask for it. */
  readonly pausedBy?: PauseReason;
  /** The item the tickets are about, where the agent said so. */
  readonly expectedItemId?: number;
}

/** `done`: every row is. `cancelled`: rows that were waiting stay unasked, and it can be gone on with. */
export type JobState = 'running' | 'paused' | 'cancelled' | 'done';

export type PauseReason =
  /** A fault that every further row would meet as well. */
  | { readonly kind: 'fault'; readonly fault: Fault; readonly connectionId: string }
  /** The disk is full: nothing more can be kept. */
  | { readonly kind: 'storage-full' };

/** The job in another state, whatever held it up forgotten. */
export function inState(job: BulkJob, state: JobState): BulkJob {
  const { id, name, createdAt, connectionIds, expectedItemId } = job;
  return omitUndefined({ id, name, createdAt, connectionIds, expectedItemId, state });
}

/** One code at one connection. It is done once its outcome stands; only then is it never asked again. */
export interface BulkRow {
  readonly jobId: string;
  /** Its place in the job, from 0. */
  readonly index: number;
  readonly connectionId: string;
  readonly code: string;
  readonly line: number;
  readonly times: number;
  readonly checkedAt?: number;
  readonly outcome?: OutcomeSummary;
}

/** Rows that a job of these codes has: those of one code stand together. */
export function rowsFor(
  jobId: string,
  codes: readonly { readonly code: string; readonly line: number; readonly times: number }[],
  connectionIds: readonly string[],
): BulkRow[] {
  return codes.flatMap(({ code, line, times }, place) =>
    connectionIds.map((connectionId, at) => ({
      jobId,
      index: place * connectionIds.length + at,
      connectionId,
      code,
      line,
      times,
    })),
  );
}

/** What open pages are told while a job runs. */
export type JobUpdate =
  | { readonly kind: 'job'; readonly job: BulkJob }
  /** These have become what they are here. */
  | { readonly kind: 'rows'; readonly rows: readonly BulkRow[] }
  /** Rows wait again: they must be read anew. */
  | { readonly kind: 'reset'; readonly jobId: string }
  | { readonly kind: 'removed'; readonly jobId: string };
