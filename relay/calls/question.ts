import type { RawReply } from '#core/seller/exchange';
import type { SellerCall } from '#relay/rules/seller-call';
import type { AuditSubject, ConnectionRecord } from '#relay/store/records';

/** Holds a seller's answer, whatever it says, and when it was given. */
export interface SellerAnswer {
  readonly raw: RawReply;
  /** Epoch milliseconds. */
  readonly checkedAt: number;
}

/** Describes one question to an upstream. */
export interface Question {
  readonly connection: ConnectionRecord;
  readonly apiKey: string;
  readonly call: SellerCall;
  readonly parameter: string;
  readonly cacheKey: string;
  /** Skips the cache: the agent asked for a fresh answer. */
  readonly refresh: boolean;
  readonly subject: AuditSubject;
  /** Asked before each try, since an interactive check may have joined a bulk one. */
  readonly isBulk: () => boolean;
}
