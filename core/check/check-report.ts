import type { CheckAnswer } from '#core/check/check-answer';
import type { EarlierCheck } from '#core/history/entry';
import type { Result } from '#core/result';
import type { Fault } from '#core/seller/fault';

/** Holds the result of one check at one connection: the answer, but no verdict, since a verdict depends on the moment. */
export interface CheckReport {
  readonly connectionId: string;
  readonly code: string;
  /** When the server answered, epoch milliseconds; for a cached reply, when it first came. */
  readonly checkedAt: number;
  /** Whether the reply came from the cache. */
  readonly cached: boolean;
  readonly outcome: Result<CheckAnswer, Fault>;
  /** The corrected spelling that was found, when the code as typed was not. */
  readonly foundAs?: string;
  /** The earlier check of the same code at the same connection, from the history. */
  readonly earlier?: EarlierCheck;
}
