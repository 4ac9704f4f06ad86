import { useI18n } from 'vue-i18n';

import { useVerdictMessages } from '#components/check/verdict-messages';
import type { BulkJob, BulkRow } from '#core/bulk/job';
import { isOtherItem, standingOf } from '#core/bulk/table';
import { byteOrderMark, writeCsv, type Cell } from '#core/text/csv';
import { maskCode } from '#core/check/mask-code';
import { clockPort, usePort } from '#stores/ports';
import { saveFilePort } from '#stores/verifier/ports';

const columns = [
  'code',
  'verdict',
  'sentence',
  'connection',
  'itemId',
  'item',
  'otherItem',
  'version',
  'license',
  'price',
  'currency',
  'bought',
  'supportedUntil',
  'downloaded',
  'answer',
  'fault',
  'checkedAt',
  'line',
  'times',
] as const;
type Exported = Record<(typeof columns)[number], Cell>;

/** Rows as a file: CSV that a spreadsheet cannot run, or JSON. Verdicts are of the moment of writing, which both say. */
export function useJobExport(): {
  saveCsv: (job: BulkJob, rows: readonly BulkRow[], masked: boolean) => void;
  saveJson: (job: BulkJob, rows: readonly BulkRow[], masked: boolean) => void;
} {
  const { t } = useI18n();
  const { headline, nameOf } = useVerdictMessages();
  const saveFile = usePort(saveFilePort);
  const now = usePort(clockPort);

  function recordOf(job: BulkJob, row: BulkRow, masked: boolean): Exported {
    const { outcome, connectionId } = row;
    const answer = outcome?.ok === true ? outcome.value : undefined;
    const purchase = answer?.kind === 'purchase' ? answer.purchase : undefined;
    return {
      code: masked ? maskCode(row.code) : row.code,
      verdict: standingOf(outcome, now()),
      sentence: outcome === undefined ? null : headline({ connectionId, outcome }).title,
      connection: nameOf(connectionId),
      itemId: purchase?.item.id ?? null,
      item: purchase?.item.name ?? null,
      otherItem: job.expectedItemId === undefined ? null : isOtherItem(outcome, job.expectedItemId),
      version: purchase?.item.version ?? null,
      license: purchase?.licenseType ?? null,
      price: purchase?.price ?? null,
      currency: purchase?.currency ?? null,
      bought: isoOf(purchase?.date),
      supportedUntil: isoOf(purchase?.supportedUntil),
      downloaded: purchase?.downloaded ?? null,
      answer: answer?.kind === 'not-found' ? answer.msg : null,
      fault: outcome?.ok === false ? outcome.fault.kind : null,
      checkedAt: isoOf(row.checkedAt),
      line: row.line,
      times: row.times,
    };
  }

  const nameFor = (ending: string): string =>
    `checked-${new Date(now()).toISOString().slice(0, 16).replaceAll(/[T:]/g, '-')}.${ending}`;

  return {
    saveCsv(job, rows, masked) {
      const lines = function* (): Generator<Cell[]> {
        yield columns.map((name) => t(`desk.bulk.csvColumns.${name}`));
        for (const row of rows) {
          const record = recordOf(job, row, masked);
          yield columns.map((name) => record[name]);
        }
      };
      const content = byteOrderMark + writeCsv(lines());
      saveFile({ name: nameFor('csv'), type: 'text/csv', content });
    },
    saveJson(job, rows, masked) {
      const checks = rows.map((row) => recordOf(job, row, masked));
      const content = JSON.stringify({ asOf: isoOf(now()), checks }, undefined, 1);
      saveFile({ name: nameFor('json'), type: 'application/json', content });
    },
  };
}

function isoOf(moment: number | undefined): string | null {
  return moment === undefined ? null : new Date(moment).toISOString();
}
