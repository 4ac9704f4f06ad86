import type { DatedAnswer, PurchaseSummary } from '#core/check/index';
import type { HistorySettings } from '#core/preferences/index';
import type { Result } from '#core/result';
import type { Restore, StorageFull } from '#core/storage/index';
import type { TimeSpan } from '#core/time/index';

export interface HistoryEntry extends DatedAnswer {
  readonly id: number;
  /** A keyed digest of the code; its key cannot leave this browser. */
  readonly codeId: string;
  /** A keyed digest of the exact spelling. */
  readonly spellingId?: string;
  /** Masked or whole, by the settings at the time of the check. */
  readonly code: string;
  /** The whole code, which the worker alone can read; absent once it is masked for good. */
  readonly sealed?: { readonly iv: string; readonly data: string };
  readonly connectionId: string;
  /** The connection's name at the time of the check; it may be deleted now. */
  readonly connectionName: string;
  readonly by: 'agent' | 'bulk';
  /** The same in all answers to one question, and so in one check. */
  readonly question: string;
  /** The connections that the verdict rests on, by their ids; absent where it is this one alone. */
  readonly asked?: readonly string[];
  /** An answer from before the question, which counts where the connection gave no new one. */
  readonly kept?: true;
  /** The bulk check it was part of. */
  readonly jobId?: string;
  /** Address of the ticket, where the agent allows it to be stored. */
  readonly ticket?: string;
  readonly note?: string;
}

/** Keeps the stored history. The worker adds entries; a page reads, annotates and erases them. */
export interface HistoryPort {
  settings(): Promise<HistorySettings>;
  /**
   * Changes some of the settings, even while another page changes others. Settings of a newer version of the program
   * are left alone.
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
   * Names a code without holding it: the same name for every spelling of one code; empty while no code was ever stored.
   */
  codeIdOf(code: string): Promise<string>;
  /**
   * Returns the latest entries, the latest first; with a span, those checked in it. A check of several connections is
   * read whole, so that there may be some more, and some from outside the span.
   */
  latest(count: number, span?: TimeSpan): Promise<HistoryEntry[]>;
  /** Returns every entry of the codes that the agent checked last, one by one, the latest first. */
  ofLatestCodes(count: number): Promise<HistoryEntry[]>;
  /** Returns when the oldest entry was checked, epoch milliseconds; undefined where there is none. */
  oldest(): Promise<number | undefined>;
  /** Returns every entry of one code, the latest first. */
  ofCode(codeId: string): Promise<HistoryEntry[]>;
  /** Replaces the agent's ticket address and note; empty text removes them. */
  annotate(
    id: number,
    added: { readonly ticket: string; readonly note: string },
  ): Promise<Result<void, StorageFull>>;
  /** Each removal returns what undoes it; undefined when there was nothing to remove. */
  remove(ids: readonly number[]): Promise<Restore | undefined>;
  /** Erases every entry; settings stay. */
  erase(): Promise<Restore | undefined>;
  /** Removes the checks whose latest answer is older than a moment, epoch milliseconds. */
  prune(before: number): Promise<Restore | undefined>;
  /** Masks for good the codes checked before a moment, epoch milliseconds. */
  mask(before: number): Promise<void>;
}

/** A difference between two answers about one code. */
export type Change =
  /** Its support ended in the meantime, as it was due to. */
  | 'support-lapsed'
  /** Its support ends later than it did, or it has support now. */
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
 * Lists what changed between two answers about one code, the most important change first.
 * @param sameSpelling whether both answers are about the identical spelling; without it nothing appeared or vanished,
 * since a server may know only one spelling
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
