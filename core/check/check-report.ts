import type { CheckAnswer } from '#core/check/check-answer';
import type { OutcomeSummary } from '#core/history/answer-summary';
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

/** Holds what the texts about a check are made of: a report, or what is stored of one. */
export interface StoredReport extends Pick<
  CheckReport,
  'connectionId' | 'code' | 'checkedAt' | 'foundAs'
> {
  readonly outcome: OutcomeSummary;
}

/** Holds the checks of one code, one for each connection; without a report, the connection had not answered yet. */
export interface CheckedCode {
  readonly code: string;
  readonly checks: readonly { readonly connectionId: string; readonly report?: CheckReport }[];
}
