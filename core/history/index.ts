export {
  changesBetween,
  type HistoryEntry,
  type HistoryPort,
  HistorySettings,
} from '#core/history/entry';
export { monthReportOf } from '#core/history/month-report';
export {
  checksOf,
  type HistoryCheck,
  type HistoryCode,
  type HistoryRow,
  historyTable,
} from '#core/history/table';
