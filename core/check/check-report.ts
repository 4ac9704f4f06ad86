import type { CheckAnswer } from '#core/check/check-answer';
import type { EarlierCheck } from '#core/history/entry';
import type { Result } from '#core/result';
import type { Fault } from '#core/seller/fault';

/** The result of one check at one connection. It holds the answer, never a verdict: that depends on the moment. */
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
  /** What the history knows of the same code at the same connection. */
  readonly earlier?: EarlierCheck;
}
