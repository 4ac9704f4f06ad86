import { useI18n } from '#components/i18n';

import { useRowSentence } from '#components/verifier/batch/row-sentence';
import { byteOrderMark, writeCsv } from '#core/text/csv';
import { saveFilePort, usePort } from '#stores/ports';
import { type BatchRow, useBatch } from '#stores/verifier/batch';

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

/** Saves the rows shown as CSV that a spreadsheet cannot run, or as JSON. Both tell as of when. */
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
