import type { SessionStore } from '#adapters/storage/session-cache';
import type { CheckAnswer } from '#core/check/check-report';
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

/** Holds the request rate of one connection, and its server's `Retry-After`. Moments are epoch milliseconds. */
export interface Pace {
  /** When the present window began: its first request. */
  readonly startedAt: number;
  /** Requests sent in it. */
  readonly sent: number;
  /** The server's own `Retry-After`. */
  readonly waitUntil?: number;
}

export interface CachedReply {
  readonly answer: CheckAnswer;
  readonly checkedAt: number;
  /** The corrected spelling that was found, when the code as typed was not. */
  readonly foundAs?: string;
  /** When it expires, epoch milliseconds. */
  readonly until: number;
}

/** Holds a search for the encoding that a server reads, or for the item of a code, that was interrupted. */
export interface InterruptedSearch {
  readonly connectionId: string;
  readonly code: string;
  /** The replies so far, by attempt. */
  readonly replies: readonly (readonly [attempt: string, reply: Result<PurchaseReply, Fault>])[];
  /** When it expires, epoch milliseconds. */
  readonly until: number;
}

export type SessionCache = SessionStore<SessionRecords>;
