import type { BulkJob, BulkRow } from '#core/bulk/job';
import {
  exactRowVerdictOf,
  isOtherItem,
  isRowVerdict,
  type RowGroup,
  type RowVerdict,
  rowVerdictOf,
} from '#core/bulk/table';
import type { ExactVerdict } from '#core/check/verdict';
import { maskCode } from '#core/check/code-spelling';
import type { OutcomeSummary, PurchaseSummary } from '#core/check/check-report';
import type { FaultKind } from '#core/marketplaces/fault';
import type { ItemId } from '#core/marketplaces/resources';

/** Lists the columns that are appended to the rows of a job's own file, in order. */
export const enrichedColumns = [
  'verdict',
  'verdictWord',
  'item',
  'license',
  'supportedUntil',
  'connection',
  'checkedAt',
  'codeAsked',
] as const;

/**
 * Returns the cells of {@link enrichedColumns} for the codes of one row; those of several codes are joined.
 * @param worded says a verdict in the language of whoever reads the file; the stable word of it stands beside
 */
export function enrichedCells(
  records: readonly ExportRecord[],
  worded: (word: RowGroup | ExactVerdict) => string,
): string[] {
  const cellOf = (record: ExportRecord, column: (typeof enrichedColumns)[number]): string => {
    const { verdict } = record;
    const counts = isRowVerdict(verdict) || verdict === 'untold';
    const word = counts && record.otherItem === true ? 'other-item' : verdict;
    if (column === 'verdict') return worded(word);
    if (column === 'verdictWord') return word;
    return column === 'codeAsked' ? (record.foundAs ?? record.code) : (record[column] ?? '');
  };
  return enrichedColumns.map((column) => {
    const cells = records.map((record) => cellOf(record, column));
    return cells.every((cell) => cell === '') ? '' : cells.join('; ');
  });
}

/** Holds one row of an exported job. Moments are ISO 8601 in UTC; `null` means unknown or not applicable. */
export interface ExportRecord extends PurchaseColumns, OutcomeColumns {
  readonly code: string;
  /** The verdict at the moment of the export. */
  readonly verdict: RowVerdict | ExactVerdict;
  /** The headline in the page's language. */
  readonly sentence: string | null;
  readonly connection: string;
  /** Whether it is another item than the job expects; `null` when it expects none. */
  readonly otherItem: boolean | null;
  readonly checkedAt: string | null;
  readonly line: number;
  readonly times: number;
  /** The corrected spelling that was found; `null` when the code was found as it is, or not at all. */
  readonly foundAs: string | null;
}

interface PurchaseColumns {
  readonly itemId: ItemId | null;
  readonly item: string | null;
  readonly version: string | null;
  readonly license: string | null;
  readonly price: number | null;
  readonly currency: string | null;
  readonly bought: string | null;
  readonly supportedUntil: string | null;
  readonly downloaded: boolean | null;
}

interface OutcomeColumns {
  /** The server's message with a not-found. */
  readonly answer: string | null;
  readonly fault: FaultKind | null;
}

/** Holds what an export record needs besides its row. */
export interface ExportOptions {
  /** Whether codes are masked. */
  readonly masked: boolean;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly connectionName: string;
  /** The headline of a row that has an outcome. */
  readonly sentence: string | null;
}

/** Builds the export record of one row. */
export function exportRecordOf(
  { expectedItemId }: Pick<BulkJob, 'expectedItemId'>,
  { code, outcome, checkedAt, line, times, foundAs }: BulkRow,
  { masked, now, connectionName, sentence }: ExportOptions,
): ExportRecord {
  return {
    code: masked ? maskCode(code) : code,
    verdict: exactRowVerdictOf(outcome, now) ?? rowVerdictOf(outcome, now),
    sentence,
    connection: connectionName,
    ...purchaseColumns(outcome),
    otherItem: expectedItemId === undefined ? null : isOtherItem(outcome, expectedItemId),
    ...outcomeColumns(outcome),
    checkedAt: isoOf(checkedAt),
    line,
    times,
    foundAs: foundAs === undefined ? null : masked ? maskCode(foundAs) : foundAs,
  };
}

const noPurchase: PurchaseColumns = {
  itemId: null,
  item: null,
  version: null,
  license: null,
  price: null,
  currency: null,
  bought: null,
  supportedUntil: null,
  downloaded: null,
};

function purchaseColumns(outcome: OutcomeSummary | undefined): PurchaseColumns {
  if (outcome?.ok !== true || outcome.value.kind !== 'purchase') return noPurchase;
  const { item, licenseType, price, currency, date, supportedUntil, downloaded }: PurchaseSummary =
    outcome.value.purchase;
  return {
    itemId: item.id,
    item: item.name,
    version: item.version,
    license: licenseType,
    price: price ?? null,
    currency,
    bought: isoOf(date),
    supportedUntil: isoOf(supportedUntil),
    downloaded: downloaded ?? null,
  };
}

function outcomeColumns(outcome: OutcomeSummary | undefined): OutcomeColumns {
  if (outcome === undefined) return { answer: null, fault: null };
  if (!outcome.ok) return { answer: null, fault: outcome.fault.kind };
  return { answer: outcome.value.kind === 'not-found' ? outcome.value.msg : null, fault: null };
}

function isoOf(moment: number | undefined): string | null {
  return moment === undefined ? null : new Date(moment).toISOString();
}
