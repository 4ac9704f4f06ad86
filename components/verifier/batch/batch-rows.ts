import { groupOf, type ResultGroup, resultGroups } from '#components/verifier/result/groups';
import { type HeadlineMessages, useHeadlineMessages } from '#components/verifier/result/messages';
import { type Sort, sortRows } from '#core/sort';
import { type BatchRow, useBatch } from '#stores/verifier/index';
import { useI18n } from '#components/i18n';
import { useFormats } from '#components/formats';
import { byteOrderMark, writeCsv } from '#core/tables/index';
import { saveFilePort, usePort } from '#stores/ports';

export type BatchSortKey = 'standing' | 'name' | 'domain';

/**
 * Returns the rows whose file name, domain, product or license id contains this text, always as a new array: rows are
 * added to the same one, which a computed value would take for unchanged.
 */
export function searchBatchRows(rows: readonly BatchRow[], wanted: string): BatchRow[] {
  const needle = wanted.trim().toLowerCase();
  return rows.filter((row) => needle === '' || searchTextOf(row).includes(needle));
}

/**
 * Returns the rows of a group, or all, sorted. Rows arrive as workers finish; without a sort they stand as they were
 * handed over.
 */
export function arrangeBatchRows(
  rows: readonly BatchRow[],
  group: ResultGroup | undefined,
  sort: Sort<BatchSortKey> | undefined,
): BatchRow[] {
  const shown = rows
    .filter((row) => group === undefined || groupOf(row) === group)
    .sort((a, b) => a.index - b.index);
  return sortRows(shown, sort, (row, key) =>
    key === 'standing' ? resultGroups.indexOf(groupOf(row)) : (row[key] ?? '').toLowerCase(),
  );
}

function searchTextOf({ name, domain, product, licenseId }: BatchRow): string {
  return `${name}\n${domain ?? ''}\n${product ?? ''}\n${licenseId ?? ''}`.toLowerCase();
}

/**
 * Returns a function that writes the sentence of a row of the table. The row's standing and its sentence describe one
 * license of the file; the sentence also says how many more licenses and installations the file holds.
 * @param part the headline's text to begin with
 */
export function useRowSentence(): (
  row: BatchRow,
  part: (headline: HeadlineMessages) => string,
) => string {
  const { t } = useI18n();
  const formats = useFormats();
  const batch = useBatch();
  const headlineOf = useHeadlineMessages();
  return ({ headline, others }, part) => {
    const sentence = part(headlineOf(headline, batch.judgedAt)).trim();
    return others === undefined
      ? sentence
      : `${sentence} (${t('verifier.batch.others', { count: formats.number(others) })})`;
  };
}

const columns = [
  'file',
  'standing',
  'headline',
  'domain',
  'product',
  'licenseId',
  'failed',
  'warned',
] as const;

/** Saves the rows shown as CSV that a spreadsheet cannot run, or as JSON. Both state the moment of the verdicts. */
export function useBatchExport(): {
  saveCsv: (rows: readonly BatchRow[]) => void;
  saveJson: (rows: readonly BatchRow[]) => void;
} {
  const { t } = useI18n();
  const rowSentence = useRowSentence();
  const saveFile = usePort(saveFilePort);
  const batch = useBatch();

  const asOf = (): string => new Date(batch.judgedAt).toISOString();
  const fileName = (ending: string): string =>
    `verified-${asOf().slice(0, 16).replaceAll(/[T:]/g, '-')}.${ending}`;
  const recordOf = (row: BatchRow): Record<(typeof columns)[number] | 'test', string> => ({
    file: row.name,
    standing: row.standing,
    headline: rowSentence(row, ({ whole }) => whole),
    domain: row.domain ?? '',
    product: row.product ?? '',
    licenseId: row.licenseId ?? '',
    failed: row.failed.join(' '),
    warned: row.warned.join(' '),
    test: row.headline?.test === true ? 'true' : '',
  });

  return {
    saveCsv(rows) {
      const head = [
        ...columns.map((name) => t(`verifier.batch.csvColumn.${name}`)),
        t('verifier.batch.csvColumn.asOf'),
        t('verifier.batch.csvColumn.test'),
      ];
      const lines = function* (): Generator<string[]> {
        yield head;
        for (const row of rows) {
          const record = recordOf(row);
          yield [...columns.map((name) => record[name]), asOf(), record.test];
        }
      };
      saveFile({
        name: fileName('csv'),
        type: 'text/csv',
        content: byteOrderMark + writeCsv(lines()),
      });
    },
    saveJson(rows) {
      const content = JSON.stringify({ asOf: asOf(), documents: rows.map(recordOf) }, undefined, 1);
      saveFile({ name: fileName('json'), type: 'application/json', content });
    },
  };
}
