import { type Catalogue, useI18n } from '#components/i18n';

import { groupName } from '#components/check/verdict/group-name';
import { useFactWords } from '#components/check/answer/fact-words';
import { useVerdictMessages } from '#components/check/verdict/verdict-messages';
import { canonicalCode } from '#core/codes/index';
import { byteOrderMark, writeCsv } from '#core/tables/index';
import { visibleText } from '#core/text/index';
import { useBulk } from '#stores/bulk/bulk';
import { enrichFile } from '#stores/bulk/enriched-file';
import { clockPort, saveFilePort, usePort } from '#stores/ports';
import {
  type BulkJob,
  type CodeRow,
  connectionsOf,
  exportCells,
  exportColumns,
  type ExportRecord,
  exportRecordOf,
  wordInJob,
} from '#core/jobs/index';
import { columnFacts } from '#core/verdict/index';

interface CsvOptions {
  readonly masked: boolean;
  /** Rewrites cells of the job's own file that a spreadsheet would run as a formula; our columns are always safe. */
  readonly safe: boolean;
}

/** Returns the title of a column of the job's own file, or its number if it has no title: Order; Column 2 */
export function ownTitle(t: Catalogue['t'], title: string, at: number): string {
  return title === '' ? t('desk.bulk.ownColumn', { number: at + 1 }) : visibleText(title);
}

/** Returns the title of one of our columns in a CSV: Verdict; Supported until */
export function columnName(t: Catalogue['t'], name: (typeof exportColumns)[number]): string {
  const isFact = columnFacts.some((fact) => fact === name);
  return t(isFact ? `answer.fact.${name}` : `desk.bulk.csvColumns.${name}`);
}

/** Names the saved file after the one that the codes came from: orders-checked-2026-11-27-10-15.csv */
function checkedName(source: string, now: number, kind: string): string {
  const minute = new Date(now).toISOString().slice(0, 16).replaceAll(/[T:]/g, '-');
  const stem = source
    .replace(/\.[a-z]{2,4}$/iu, '')
    .replaceAll(/[\\/:*?"<>|\p{Cc}\p{Bidi_C}]+/gu, '-');
  return `${stem === '' ? '' : `${stem.slice(0, 100)}-`}checked-${minute}.${kind}`;
}

/** Saves a job's codes as a file, with their verdicts as of that moment. */
export function useJobExport(): {
  /**
   * Saves every row of the file that the codes came from, with our columns appended; without such a file, the codes are
   * the rows. Resolves to true if it became UTF-8 because its own encoding could not hold a character.
   */
  saveCsv: (job: BulkJob, rows: readonly CodeRow[], options: CsvOptions) => Promise<boolean>;
  saveJson: (job: BulkJob, rows: readonly CodeRow[], masked: boolean) => void;
} {
  const { t } = useI18n();
  const { headline, nameOf } = useVerdictMessages();
  const wordsOf = useFactWords();
  const saveFile = usePort(saveFilePort);
  const clock = usePort(clockPort);
  const bulk = useBulk();

  function recordOf(job: BulkJob, row: CodeRow, masked: boolean, now: number): ExportRecord {
    const { connectionId, outcome } = row;
    const asked = connectionsOf(row).map(nameOf);
    return exportRecordOf(job, row, {
      masked,
      now,
      connectionName: asked.join(', '),
      sentence: outcome === undefined ? null : headline({ connectionId, outcome }, { asked }).title,
    });
  }

  function saveAsTable(
    { name }: BulkJob,
    now: number,
    content: string | readonly Uint8Array<ArrayBuffer>[],
    delimiter?: string,
  ): void {
    const kept = delimiter === undefined ? undefined : /\.(?<kind>csv|tsv|tab)$/iu.exec(name);
    const kind = kept?.groups?.['kind'] ?? (delimiter === '\t' ? 'tsv' : 'csv');
    const type = delimiter === '\t' ? 'text/tab-separated-values' : 'text/csv';
    saveFile({ name: checkedName(name, now, kind), type, content });
  }

  return {
    async saveCsv(job, rows, { masked, safe }) {
      const now = clock();
      const codeHeading = t('desk.bulk.csvColumns.code');
      const headings = exportColumns.map((name) => columnName(t, name));
      const cellsOf = (found: readonly CodeRow[]): string[] =>
        exportCells(
          found.map((row) => ({
            record: recordOf(job, row, masked, now),
            outcome: row.outcome,
            word: wordInJob(row, job, now),
          })),
          { verdict: (group) => groupName(t, group), fact: wordsOf },
        );
      const source = await bulk.sourceOf(job.id);
      if (source === undefined) {
        const lines = rows.map((row) => [recordOf(job, row, masked, now).code, ...cellsOf([row])]);
        saveAsTable(job, now, byteOrderMark + writeCsv([[codeHeading, ...headings], ...lines]));
        return false;
      }
      const rowOf = new Map(rows.map((row) => [canonicalCode(row.code), row]));
      const { content, isUtf8Instead } = await enrichFile(source, {
        codeHeading,
        headings,
        masked,
        safe,
        cellsFor: (codes) => cellsOf(codes.flatMap((code) => rowOf.get(canonicalCode(code)) ?? [])),
      });
      saveAsTable(job, now, content, source.layout.delimiter);
      return isUtf8Instead;
    },
    saveJson(job, rows, masked) {
      const now = clock();
      const checks = rows.map((row) => recordOf(job, row, masked, now));
      const content = JSON.stringify({ asOf: new Date(now).toISOString(), checks }, undefined, 1);
      saveFile({ name: checkedName(job.name, now, 'json'), type: 'application/json', content });
    },
  };
}
