import type { SessionOwner, SessionStore } from '#adapters/storage/session-store';
import type { Pace } from '#background/seller/pacing';
import type { CheckAnswer } from '#core/check/check-report';
import type { Connection } from '#core/connections/connection';
import type { AskedItem, PurchaseReply } from '#core/marketplaces/marketplace';
import type { Fault } from '#core/marketplaces/fault';
import type { Result } from '#core/result';

/** Lists what survives a stop of the worker, by kind. All of it can be requested anew. */
export interface SessionRecords {
  /** By code. */
  reply: CachedReply;
  pace: Pace;
  /** By code. */
  search: InterruptedSearch;
  /** When the account check last passed with the present key, epoch milliseconds. */
  account: number;
  /** The items that codes are asked about one by one, the likeliest first. */
  items: { readonly items: readonly AskedItem[]; readonly fetchedAt: number };
}

export interface CachedReply {
  readonly answer: CheckAnswer;
  readonly checkedAt: number;
  /** The corrected spelling that was found, when the code as typed was not. */
  readonly foundAs?: string;
  /** When it expires, epoch milliseconds. */
  readonly until: number;
}

export type ValidationReply = Result<PurchaseReply, Fault> & { readonly ageMs?: number };

/** Holds a search for the encoding that a server reads, or for the item of a code, that was interrupted. */
export interface InterruptedSearch {
  readonly connectionId: string;
  readonly code: string;
  /** The replies so far, by attempt. */
  readonly replies: readonly (readonly [attempt: string, reply: ValidationReply])[];
  /** When it expires, epoch milliseconds. */
  readonly until: number;
}

export type SessionCache = SessionStore<SessionRecords>;

/** Returns the owner of a record: one revision of a connection, and a code where the record belongs to one. */
export function sessionOwnerOf({ id, revision }: Connection, code?: string): SessionOwner {
  return code === undefined ? [id, revision] : [id, revision, code];
}
