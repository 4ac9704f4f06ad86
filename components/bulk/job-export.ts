import { useI18n } from 'vue-i18n';

import { useVerdictMessages } from '#components/check/verdict-messages';
import { type ExportRecord, exportColumns, exportRecordOf } from '#core/bulk/export-record';
import type { BulkJob, BulkRow } from '#core/bulk/job';
import { byteOrderMark, writeCsv, type Cell } from '#core/text/csv';
import { clockPort, saveFilePort, usePort } from '#stores/ports';

/** Saves rows as CSV that a spreadsheet cannot run, or as JSON. Verdicts are of the moment of saving. */
export function useJobExport(): {
  saveCsv: (job: BulkJob, rows: readonly BulkRow[], masked: boolean) => void;
  saveJson: (job: BulkJob, rows: readonly BulkRow[], masked: boolean) => void;
} {
  const { t } = useI18n();
  const { headline, nameOf } = useVerdictMessages();
  const saveFile = usePort(saveFilePort);
  const clock = usePort(clockPort);

  function recordOf(job: BulkJob, row: BulkRow, masked: boolean, now: number): ExportRecord {
    const { connectionId, outcome } = row;
    return exportRecordOf(job, row, {
      ...{ masked, now },
      connectionName: nameOf(connectionId),
      sentence: outcome === undefined ? null : headline({ connectionId, outcome }).title,
    });
  }

  function fileName(now: number, extension: string): string {
    const minute = new Date(now).toISOString().slice(0, 16).replaceAll(/[T:]/g, '-');
    return `checked-${minute}.${extension}`;
  }

  return {
    saveCsv(job, rows, masked) {
      const now = clock();
      const lines = function* (): Generator<Cell[]> {
        yield exportColumns.map((name) => t(`desk.bulk.csvColumns.${name}`));
        for (const row of rows) {
          const record = recordOf(job, row, masked, now);
          yield exportColumns.map((name) => record[name]);
        }
      };
      const content = byteOrderMark + writeCsv(lines());
      saveFile({ name: fileName(now, 'csv'), type: 'text/csv', content });
    },
    saveJson(job, rows, masked) {
      const now = clock();
      const checks = rows.map((row) => recordOf(job, row, masked, now));
      const content = JSON.stringify({ asOf: new Date(now).toISOString(), checks }, undefined, 1);
      saveFile({ name: fileName(now, 'json'), type: 'application/json', content });
    },
  };
}
