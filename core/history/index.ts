export { changesBetween, type HistoryEntry, type HistoryPort } from '#core/history/entry';
export { type MonthReport, monthReportOf } from '#core/history/month-report';
export {
  checksOf,
  type HistoryCheck,
  type HistoryCode,
  type HistoryRow,
  historyTable,
} from '#core/history/table';
