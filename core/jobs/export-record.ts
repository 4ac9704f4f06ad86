import {
  columnFacts,
  type FactValue,
  readFacts,
  type StoredFactName,
  type VerdictWord,
} from '#core/verdict/index';
import { type OutcomeSummary, purchaseIn, type PurchaseSummary } from '#core/check/index';
import { maskCode } from '#core/codes/index';
import type { Fault } from '#core/marketplaces/index';
import type { BulkJob, BulkRow } from '#core/jobs/job';
import { wordInJob } from '#core/jobs/table';
import { isOtherItem } from '#core/items/index';
import type { ItemId } from '#core/item-id';

/** The columns that are appended to the rows of a job's own file, in order. */
export const exportColumns = [
  'verdict',
  'verdictWord',
  'item',
  ...columnFacts,
  'connection',
  'checkedAt',
  'codeAsked',
] as const;

/** The texts of a CSV in the reader's language. */
export interface CellWords {
  /** Puts a verdict into words; another column has its stable name. */
  readonly verdict: (word: VerdictWord) => string;
  readonly fact: (value: FactValue) => string;
}

/**
 * Returns the cells of {@link exportColumns} for the codes of one row. If there are several codes, their values are
 * joined.
 */
export function exportCells(
  rows: readonly {
    readonly record: ExportRecord;
    readonly outcome: OutcomeSummary | undefined;
    readonly word: VerdictWord;
  }[],
  words: CellWords,
): string[] {
  const cellsOf = ({ record, outcome, word }: (typeof rows)[number]): string[] => [
    words.verdict(word),
    word,
    record.item ?? '',
    ...factCells(purchaseIn(outcome), words.fact),
    record.connection,
    record.checkedAt ?? '',
    record.foundSpelling ?? record.code,
  ];
  const cells = rows.map((row) => cellsOf(row));
  return exportColumns.map((_, at) => {
    const column = cells.map((row) => row[at] ?? '');
    return column.every((cell) => cell === '') ? '' : column.join('; ');
  });
}

/** Returns the cells of the facts in a CSV, in order: moments in ISO 8601, the license type as sent. */
export function factCells(
  purchase: PurchaseSummary | undefined,
  worded: CellWords['fact'],
): string[] {
  const facts = readFacts(purchase);
  return columnFacts.map((name) => {
    const value = facts[name];
    if (value === undefined) return '';
    const plain = plainOf(value);
    return typeof plain === 'string' ? plain : worded(value);
  });
}

/** One row of an exported job. Moments are ISO 8601 in UTC; `null` means unknown or not applicable. */
export interface ExportRecord extends PurchaseColumns, OutcomeColumns {
  readonly code: string;
  /** The verdict regardless of the expected item. */
  readonly verdict: VerdictWord;
  /** The headline in the page's language. */
  readonly sentence: string | null;
  readonly connection: string;
  /** Whether it is another item than the job expects; `null` if the job expects none. */
  readonly otherItem: boolean | null;
  readonly checkedAt: string | null;
  readonly line: number;
  readonly times: number;
  /** The corrected spelling that was found; `null` if the code was found as it is, or not at all. */
  readonly foundSpelling: string | null;
}

/** A fact in JSON. A count with a limit is an object. */
type PlainFact = string | number | boolean | { readonly count: number; readonly limit?: number };

interface PurchaseColumns extends Readonly<Record<StoredFactName, PlainFact | null>> {
  readonly itemId: ItemId | null;
  readonly item: string | null;
  readonly version: string | null;
  readonly currency: string | null;
}

interface OutcomeColumns {
  /** The server's message with a not-found. */
  readonly answer: string | null;
  readonly fault: Fault['kind'] | null;
}

export interface ExportOptions {
  readonly masked: boolean;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly connectionName: string;
  /** The headline of a row that has an outcome. */
  readonly sentence: string | null;
}

export function exportRecordOf(
  { state, expectedItemId }: Pick<BulkJob, 'state' | 'expectedItemId'>,
  { code, outcome, checkedAt, line, times, foundSpelling }: BulkRow,
  { masked, now, connectionName, sentence }: ExportOptions,
): ExportRecord {
  return {
    code: masked ? maskCode(code) : code,
    verdict: wordInJob({ outcome }, { state }, now),
    sentence,
    connection: connectionName,
    ...purchaseColumns(outcome),
    otherItem: expectedItemId === undefined ? null : isOtherItem(outcome, expectedItemId),
    ...outcomeColumns(outcome),
    checkedAt: isoOf(checkedAt),
    line,
    times,
    foundSpelling:
      foundSpelling === undefined ? null : masked ? maskCode(foundSpelling) : foundSpelling,
  };
}

function purchaseColumns(outcome: OutcomeSummary | undefined): PurchaseColumns {
  const purchase = purchaseIn(outcome);
  const { id = null, name = null, version = null } = purchase?.item ?? {};
  const facts = Object.entries(readFacts(purchase)).map(
    ([fact, value]) => [fact, value === undefined ? null : plainOf(value)] as const,
  );
  return {
    itemId: id,
    item: name,
    version,
    currency: purchase?.currency ?? null,
    ...(Object.fromEntries(facts) as Record<StoredFactName, PlainFact | null>),
  };
}

function plainOf(value: FactValue): PlainFact {
  if ('at' in value) return new Date(value.at).toISOString();
  if ('is' in value) return value.is;
  if ('tier' in value) return value.tier;
  if ('amount' in value) return value.amount;
  if ('text' in value) return value.text;
  return 'number' in value ? value.number : value;
}

function outcomeColumns(outcome: OutcomeSummary | undefined): OutcomeColumns {
  if (outcome === undefined) return { answer: null, fault: null };
  if (!outcome.ok) return { answer: null, fault: outcome.fault.kind };
  return { answer: outcome.value.kind === 'not-found' ? outcome.value.msg : null, fault: null };
}

function isoOf(moment: number | undefined): string | null {
  return moment === undefined ? null : new Date(moment).toISOString();
}
