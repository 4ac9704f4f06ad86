import { groupOf, type ResultGroup, resultGroups } from '#components/verifier/result/groups';
import { type HeadlineMessages, useHeadlineMessages } from '#components/verifier/result/messages';
import { type Sort, sortRows } from '#core/sort';
import { type BatchRow, useBatch } from '#stores/verifier/index';
import { useI18n } from '#components/i18n';
import { useFormats } from '#components/formats';
import { visibleText } from '#core/text/index';
import { byteOrderMark, writeCsv } from '#core/tables/index';
import { saveFilePort, usePort } from '#stores/ports';

export type BatchSortKey = 'standing' | 'name' | 'domain';

/**
 * Returns the rows whose file name, domain, product or license id contains this text. The array is always a new one:
 * rows are added to the given array in place, so a computed value that returned it would count as unchanged.
 */
export function searchBatchRows(rows: readonly BatchRow[], wanted: string): BatchRow[] {
  const needle = wanted.trim().toLowerCase();
  return rows.filter((row) => needle === '' || searchTextOf(row).includes(needle));
}

/**
 * Returns the rows of a group, or all, sorted. Rows arrive as workers finish; unsorted rows have the order in which
 * their files were given.
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
    key === 'standing'
      ? resultGroups.indexOf(groupOf(row))
      : ((key === 'domain' ? domainOf(row) : row.name) ?? '').toLowerCase(),
  );
}

/** Returns the domain of a row, proven or not; the row's mark says which. */
export function domainOf({ domain, unproven }: BatchRow): string | undefined {
  return domain ?? unproven?.domain;
}

function searchTextOf(row: BatchRow): string {
  const { name, product, licenseId, unproven } = row;
  const facts = [product, licenseId, unproven?.product, unproven?.licenseId];
  return [name, domainOf(row), ...facts].join('\n').toLowerCase();
}

/** Returns a function that words the unproven facts of a row, one text per fact. */
export function useUnprovenFacts(): (row: BatchRow) => readonly string[] {
  const { t } = useI18n();
  const formats = useFormats();
  const words = (text: string | undefined): string[] =>
    text === undefined ? [] : [visibleText(text)];
  // A date stays on the same line as its name.
  const moment = (name: string, at: number | undefined): string[] =>
    at === undefined
      ? []
      : [
          `${t(`verifier.claims.name.${name}`)}: ${formats.shortDate(at)}`.replaceAll(
            ' ',
            '\u00A0',
          ),
        ];
  return ({ unproven = {} }) => [
    ...words(unproven.product),
    ...words(unproven.licenseId),
    ...moment('next_validation_at', unproven.nextValidationAt),
    ...moment('expires_at', unproven.expiresAt),
  ];
}

/**
 * Returns a function that writes the sentence of a row. Standing and sentence describe one license of the file; the
 * sentence also says how many more licenses and installations the file holds.
 * @param part the part of the headline that the sentence begins with
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

/** Saves the shown rows as CSV that no spreadsheet can run, or as JSON. Both state the moment of the verdicts. */
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
