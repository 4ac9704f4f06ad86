import { columnName } from '#components/bulk/job-export';
import { useFactWords } from '#components/check/answer/fact-words';
import { groupName } from '#components/check/verdict/group-name';
import { useFormats } from '#components/formats';
import { useI18n } from '#components/i18n';
import { purchaseIn } from '#core/check/index';
import type { HistoryCode } from '#core/history/index';
import { exportColumns, factCells } from '#core/jobs/index';
import { succeed } from '#core/result';
import { byteOrderMark, writeCsv } from '#core/tables/index';
import { visibleText } from '#core/text/index';
import { clockPort, saveFilePort, usePort } from '#stores/ports';

/** Returns a function that saves codes of the history as a CSV, each with its number of checks. */
export function useHistoryCsv(): (codes: readonly HistoryCode[]) => void {
  const { t } = useI18n();
  const formats = useFormats();
  const wordsOf = useFactWords();
  const clock = usePort(clockPort);
  const saveFile = usePort(saveFilePort);

  return (codes) => {
    const content = writeCsv([
      [
        t('desk.bulk.csvColumns.checkedAt'),
        t('desk.bulk.csvColumns.code'),
        ...exportColumns
          .filter((name) => name !== 'checkedAt' && name !== 'codeAsked')
          .map((name) => columnName(t, name)),
        t('desk.report.checks'),
        t('desk.history.ticket'),
        t('desk.history.note'),
      ],
      ...codes.map((code) => {
        const purchase = purchaseIn(succeed(code.answer));
        return [
          formats.iso(code.checkedAt),
          visibleText(code.code),
          groupName(t, code.group),
          code.group,
          purchase?.item.name,
          ...factCells(purchase, wordsOf),
          code.connectionNames.join(', '),
          code.checks.length,
          code.ticket,
          code.note,
        ];
      }),
    ]);
    const name = `history-${formats.iso(clock()).slice(0, 10)}.csv`;
    saveFile({ name, type: 'text/csv', content: byteOrderMark + content });
  };
}
