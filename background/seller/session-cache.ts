import type { CheckAnswer } from '#core/check/check-report';
import type { Pace } from '#background/seller/pacing';
import type { Owner, SessionStore } from '#adapters/storage/session-store';
import type { Connection } from '#core/connections/connection';

/** What a stopped worker must find again, by kind. All of it can be asked for anew. */
export interface SessionRecords {
  /** By code. */
  reply: CachedReply;
  pace: Pace;
  /** When the account check last passed with the present key, epoch milliseconds. */
  account: number;
}

export interface CachedReply {
  readonly answer: CheckAnswer;
  readonly checkedAt: number;
  /** No longer shown from then on, epoch milliseconds. */
  readonly until: number;
}

export type SessionCache = SessionStore<SessionRecords>;

export function ownerOf({ id, revision }: Connection, code?: string): Owner {
  return code === undefined ? [id, revision] : [id, revision, code];
}
