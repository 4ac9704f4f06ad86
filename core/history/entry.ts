import type { DatedAnswer, PurchaseSummary } from '#core/check/index';
import type { HistorySettings } from '#core/preferences/index';
import type { Result } from '#core/result';
import type { Restore, StorageFull } from '#core/storage/index';
import type { TimeSpan } from '#core/time/index';

export interface HistoryEntry extends DatedAnswer {
  readonly id: number;
  /** A keyed digest of the code; the digest's key cannot leave this browser. */
  readonly codeId: string;
  /** A keyed digest of the exact spelling. */
  readonly spellingId?: string;
  /** Masked or whole, by the settings at the time of the check. */
  readonly code: string;
  /** The whole code, encrypted so that only the worker can read it; absent once the code is permanently masked. */
  readonly sealed?: { readonly iv: string; readonly data: string };
  readonly connectionId: string;
  /** The connection's name at the time of the check; the connection may be deleted now. */
  readonly connectionName: string;
  readonly by: 'agent' | 'bulk';
  /** The question's id: the same in all answers of one check. */
  readonly question: string;
  /** The ids of the connections whose answers the verdict uses; absent if it is only this one. */
  readonly asked?: readonly string[];
  /** An answer from before the question; it counts if the connection gave no new one. */
  readonly kept?: true;
  /** The bulk check it was part of. */
  readonly jobId?: string;
  /** Address of the ticket, if the agent allows storing it. */
  readonly ticket?: string;
  readonly note?: string;
}

/** Keeps the stored history. The worker adds entries; a page reads, annotates and erases them. */
export interface HistoryPort {
  settings(): Promise<HistorySettings>;
  /**
   * Changes some of the settings; another page may change others at the same time. Settings of a newer version of the
   * program are left alone.
   */
  changeSettings(
    changes: Partial<HistorySettings>,
  ): Promise<
    Result<
      { readonly before: HistorySettings; readonly after: HistorySettings },
      { readonly kind: 'newer-version' }
    >
  >;
  /**
   * Returns an id of a code that does not reveal it, the same for every spelling; empty if no code was ever stored.
   */
  codeIdOf(code: string): Promise<string>;
  /**
   * Returns the latest entries, newest first; with a span, those checked in it. A check of several connections is read
   * whole, so there may be a few more entries, and some from outside the span.
   */
  latest(count: number, span?: TimeSpan): Promise<HistoryEntry[]>;
  /** Returns every entry of the codes that the agent last checked singly (not in bulk), newest first. */
  ofLatestCodes(count: number): Promise<HistoryEntry[]>;
  /** Returns when the oldest entry was checked, epoch milliseconds; undefined if there is none. */
  oldest(): Promise<number | undefined>;
  /** Returns every entry of one code, newest first. */
  ofCode(codeId: string): Promise<HistoryEntry[]>;
  /** Replaces the agent's ticket address and note; empty text removes them. */
  annotate(
    id: number,
    added: { readonly ticket: string; readonly note: string },
  ): Promise<Result<void, StorageFull>>;
  /** Each removal returns a function that undoes it; undefined if there was nothing to remove. */
  remove(ids: readonly number[]): Promise<Restore | undefined>;
  /** Erases every entry; settings stay. */
  erase(): Promise<Restore | undefined>;
  /** Removes the checks whose latest answer is older than a moment, epoch milliseconds. */
  prune(before: number): Promise<Restore | undefined>;
  /** Permanently masks the codes checked before a moment, epoch milliseconds. */
  mask(before: number): Promise<void>;
}

export type Change =
  /** Its support ended in the meantime, as expected. */
  | 'support-lapsed'
  /** Its support now ends later, or it has support again. */
  | 'support-extended'
  | 'support-shortened'
  | 'support-removed'
  /** Not found then, a purchase now. */
  | 'appeared'
  /** A purchase then, not found now: most likely refunded or cancelled. */
  | 'vanished'
  | 'license-changed'
  | 'item-changed'
  | 'downloaded';

/**
 * Lists the changes between two answers about one code, the most important first.
 * @param sameSpelling whether both answers are about exactly the same spelling; if not, `appeared` and `vanished` are
 * not reported, since a server may know only one spelling
 */
export function changesBetween(
  before: DatedAnswer,
  after: DatedAnswer,
  sameSpelling: boolean,
): Change[] {
  const [then, now] = [before.answer, after.answer];
  if (then.kind === 'not-found') return now.kind === 'purchase' && sameSpelling ? ['appeared'] : [];
  if (now.kind === 'not-found') return sameSpelling ? ['vanished'] : [];
  const [was, is] = [then.purchase, now.purchase];
  return [
    ...(was.item.id === is.item.id || was.itemUnknown || is.itemUnknown
      ? []
      : (['item-changed'] as const)),
    ...supportChanges(was, is, before.checkedAt, after.checkedAt),
    ...(was.licenseType === is.licenseType ? [] : (['license-changed'] as const)),
    ...(was.downloaded === false && is.downloaded === true ? (['downloaded'] as const) : []),
  ];
}

function supportChanges(
  was: PurchaseSummary,
  is: PurchaseSummary,
  then: number,
  now: number,
): Change[] {
  const [before, after] = [was.supportedUntil, is.supportedUntil];
  if (after === undefined) return before === undefined ? [] : ['support-removed'];
  if (before === undefined || after > before) return ['support-extended'];
  if (after < before) return ['support-shortened'];
  return then < before && now >= before ? ['support-lapsed'] : [];
}
