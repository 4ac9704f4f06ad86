import type { RawReply } from '#core/seller/exchange';
import type { SellerCall } from '#relay/rules/seller-call';
import type { AuditSubject, ConnectionRecord } from '#relay/store/records';
import type { SlotAnswer } from '#relay/store/store';

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
  /** Names the question before the version of the API key is known. */
  readonly name: string;
  /** Skips the cache: the agent asked for a fresh answer. */
  readonly refresh: boolean;
  readonly subject: AuditSubject;
  /** Asked before each try, since an interactive check may have joined a bulk one. */
  readonly isBulk: () => boolean;
  /** The answer to a first try, made on the journey of the lookup. */
  readonly tried?: TriedSlot | undefined;
}

/** Holds the answer to a request for a slot. */
export interface TriedSlot {
  readonly answer: SlotAnswer;
  /** When it was asked for, on the clock of `performance.now()`. */
  readonly askedAt: number;
}
