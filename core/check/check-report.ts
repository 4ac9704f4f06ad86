import type { Result } from '#core/result';
import type { Fault, Item, Purchase } from '#core/marketplaces/index';

/** The result of one check at one connection: the answer, but no verdict, since a verdict depends on the moment. */
export interface CheckReport {
  readonly connectionId: string;
  readonly code: string;
  /** When the server answered, epoch milliseconds; a cached reply keeps the time when it first arrived. */
  readonly checkedAt: number;
  /** Whether the reply came from the cache. */
  readonly cached: boolean;
  readonly outcome: Result<CheckAnswer, Fault>;
  /** The corrected spelling that was found; absent if the code was found as typed, or not at all. */
  readonly foundSpelling?: string;
  /** An earlier answer could not be stored in the history; reported once. */
  readonly unrecorded?: true;
  /** The earlier check of the same code at the same connection, from the history. */
  readonly earlier?: EarlierCheck;
  /** This connection's last answer, from the history; present if a temporary fault prevented a new one. */
  readonly lastKnown?: DatedAnswer;
}

/** A report, or the stored part of one: what texts about a check are made from. */
export interface StoredReport extends Pick<
  CheckReport,
  'connectionId' | 'code' | 'checkedAt' | 'foundSpelling'
> {
  readonly outcome: OutcomeSummary;
}

/** The checks of one code, one per connection. Without a report, the connection has not answered yet. */
export interface CheckedCode {
  readonly code: string;
  /** When the agent looked it up last, epoch milliseconds. */
  readonly lookedUpAt?: number;
  readonly checks: readonly { readonly connectionId: string; readonly report?: CheckReport }[];
}

export type CheckAnswer = { readonly kind: 'purchase'; readonly purchase: Purchase } | NotFound;

/** The server knows no such purchase on this account. It does not prove a forgery (spec section 7). */
export interface NotFound {
  readonly kind: 'not-found';
  /** The server's own message. */
  readonly msg: string;
  /** `good`: an account check with the same key passed recently. `unknown`: no account check could be made. */
  readonly key: 'good' | 'unknown';
  /** Whether this connection has ever confirmed a code; if not, the encoding of the request may be wrong. */
  readonly proven: boolean;
}

/** The result of checking one code, whole or as stored. @template P the purchase or its stored part */
type Outcome<P> = Result<{ readonly kind: 'purchase'; readonly purchase: P } | NotFound, Fault>;

/** Returns the purchase in an outcome; undefined for a not-found, a fault or an answer that has not arrived. */
export function purchaseIn<P>(outcome: Outcome<P> | undefined): P | undefined {
  return outcome?.ok === true && outcome.value.kind === 'purchase'
    ? outcome.value.purchase
    : undefined;
}

/** Tells whether the seller answered that it does not know the code. */
export function isNotFound(outcome: Outcome<unknown> | undefined): boolean {
  return outcome?.ok === true && outcome.value.kind === 'not-found';
}

export function isLocked(outcome: Result<unknown, Fault> | undefined): boolean {
  return outcome?.ok === false && outcome.fault.kind === 'locked';
}

/**
 * Why a server may know no such purchase. The set is closed: the view has a message for each.
 *
 * - `never-proven`: this connection has never confirmed a code; a server that cannot read the request answers the same.
 * - `key-unknown`: the key could not be checked, and validation answers a wrong key like a wrong code.
 * - `mistyped`: a character is wrong or missing.
 * - `refunded`: a refunded or cancelled purchase is answered like an unknown one.
 * - `account-closed`: some marketplaces know no purchase of a buyer whose account was closed.
 * - `other-seller`: the code is genuine, but for another account or marketplace.
 */
export type NotFoundReason =
  | 'never-proven'
  | 'key-unknown'
  | 'mistyped'
  | 'refunded'
  | 'account-closed'
  | 'other-seller';

/**
 * Lists the possible reasons for a not-found answer, starting with those in the connection's own set-up.
 * @param also a reason that exists only at this marketplace
 */
export function notFoundReasons(
  { key, proven }: NotFound,
  also?: 'account-closed',
): readonly NotFoundReason[] {
  return [
    ...(proven ? [] : ['never-proven' as const]),
    ...(key === 'good' ? [] : ['key-unknown' as const]),
    'mistyped',
    'refunded',
    ...(also === undefined ? [] : [also]),
    'other-seller',
  ];
}

/**
 * The members of a purchase that are stored, besides the id, name and version of its item. Only these appear in the
 * history, in bulk checks and in exports, so nothing that concerns a person belongs here.
 */
const storedMembers = [
  'licenseType',
  'price',
  'currency',
  'itemUnknown',
  'supportedUntil',
  'downloaded',
  'date',
  'problem',
  'supportUnknown',
  'uses',
  'seats',
  'partlyRefunded',
  'disputed',
  'testMode',
  'expiresAt',
] as const satisfies readonly (keyof Purchase)[];

type StoredMembers = Pick<Purchase, (typeof storedMembers)[number]>;

/** The stored part of a purchase: what a verdict and a table row need. */
export interface PurchaseSummary extends StoredMembers {
  readonly item: Pick<Item, 'id' | 'name' | 'version'>;
}

/** The stored part of an answer. */
export type AnswerSummary =
  | { readonly kind: 'purchase'; readonly purchase: PurchaseSummary }
  | NotFound;

/** The stored part of an outcome. */
export type OutcomeSummary = Result<AnswerSummary, Fault>;

/** Returns the stored part of an answer. */
export function summariseAnswer(answer: CheckAnswer): AnswerSummary {
  if (answer.kind === 'not-found') return answer;
  const { id, name, version } = answer.purchase.item;
  const stored = Object.entries(answer.purchase).filter(([member]) => isStored(member));
  return {
    kind: 'purchase',
    purchase: { ...(Object.fromEntries(stored) as StoredMembers), item: { id, name, version } },
  };
}

function isStored(member: string): boolean {
  return (storedMembers as readonly string[]).includes(member);
}

/** An answer and its time, epoch milliseconds. */
export interface DatedAnswer {
  readonly checkedAt: number;
  readonly answer: AnswerSummary;
}

/** The last answer about a code before the present check. */
export interface EarlierCheck extends DatedAnswer {
  /** Whether both answers are about exactly the same spelling. */
  readonly sameSpelling: boolean;
  /** Addresses of other tickets with this code, the latest first. */
  readonly tickets: readonly string[];
}
