import * as v from 'valibot';

import type { CheckReport, PurchaseSummary } from '#core/check/index';
import type { Result } from '#core/result';
import type { Restore, StorageFull } from '#core/storage-full';
import type { TimeSpan } from '#core/time/month';

type DatedAnswer = NonNullable<CheckReport['lastKnown']>;

/** Holds one stored answer about one code. */
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
  /** The same in all answers to one question: what an agent asked at once about a code, or a bulk check. */
  readonly question: string;
  /** The connections that the question was put to, by their ids; absent where it was this one alone. */
  readonly asked?: readonly string[];
  /** The bulk check it was part of. */
  readonly jobId?: string;
  /** Address of the ticket, where the agent allows it to be stored. */
  readonly ticket?: string;
  readonly note?: string;
}

/** Holds what the history stores and for how long. */
export interface HistorySettings {
  /** How many days an answer is stored; 0 stores none. */
  readonly days: number;
  readonly codes: 'masked' | 'whole';
  /** How many days a masked code can still be checked again: it is kept encrypted as API keys are. */
  readonly wholeDays: number;
  /** Whether the ticket's address and a note may be stored. */
  readonly tickets: boolean;
  /** Whether deleting a connection deletes its entries. */
  readonly goesWithConnection: boolean;
}

/** Keeps the stored history. The worker adds entries; a page reads, annotates and erases them. */
export interface HistoryPort {
  settings(): Promise<HistorySettings>;
  /**
   * Changes some of the settings, even while another page changes others. Settings of a newer version of the program are left
   * alone.
   */
  changeSettings(
    changes: Partial<HistorySettings>,
  ): Promise<
    Result<
      { readonly before: HistorySettings; readonly after: HistorySettings },
      { readonly kind: 'newer-version' }
    >
  >;
  /** Names a code without holding it: the same name for every spelling of one code; empty while no code was ever stored. */
  codeIdOf(code: string): Promise<string>;
  /** Returns the latest entries, the latest first; with a span, those checked in it. */
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
  /** Removes entries older than a moment, epoch milliseconds. */
  prune(before: number): Promise<Restore | undefined>;
  /** Masks for good the codes checked before a moment, epoch milliseconds. */
  mask(before: number): Promise<void>;
}

/** Holds the settings of a new installation. */
export const defaultHistorySettings: HistorySettings = {
  days: 30,
  codes: 'masked',
  wholeDays: 7,
  tickets: false,
  goesWithConnection: true,
};

/** Limits how many days an answer is stored. */
export const maxHistoryDays = 3650;

/** Describes stored settings. */
const historySettingsSchema = v.object({
  days: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(maxHistoryDays)),
  codes: v.picklist(['masked', 'whole']),
  // A policy may say nothing of it: then a masked code is kept nowhere.
  wholeDays: v.optional(
    v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(maxHistoryDays)),
    0,
  ),
  tickets: v.boolean(),
  goesWithConnection: v.boolean(),
});

/**
 * Reads stored settings member by member: one that cannot be read gets its default, and never costs an entry, so days
 * that cannot be read become the most there can be. `undefined` is the defaults.
 */
export function readHistorySettings(stored: unknown): HistorySettings {
  if (stored === undefined) return defaultHistorySettings;
  const { days, codes, wholeDays, tickets, goesWithConnection } = historySettingsSchema.entries;
  const { codes: defaultCodes, tickets: defaultTickets } = defaultHistorySettings;
  const members = v.object({
    days: v.fallback(days, maxHistoryDays),
    codes: v.fallback(codes, defaultCodes),
    wholeDays: v.fallback(wholeDays, 0),
    tickets: v.fallback(tickets, defaultTickets),
    goesWithConnection: v.fallback(goesWithConnection, false),
  });
  return v.parse(members, typeof stored === 'object' && stored !== null ? stored : {});
}

/** Says what stored settings may be; `initial` are those of a new installation. */
export const HistorySettings = {
  initial: defaultHistorySettings,
  maxDays: maxHistoryDays,
  schema: historySettingsSchema,
  read: readHistorySettings,
};

/** Names a difference between two answers about one code. */
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
 * @param sameSpelling whether both answers are about the identical spelling; without it nothing appeared or vanished, since a
 * server may know only one spelling
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
    ...(was.item.id === is.item.id || was.itemUntold || is.itemUntold
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
