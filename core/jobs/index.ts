export { awaitedOf, type CodeRow, codeRowsOf, connectionsOf } from '#core/jobs/code-rows';
export {
  exportCells,
  exportColumns,
  type ExportRecord,
  exportRecordOf,
  factCells,
} from '#core/jobs/export-record';
export {
  afterFault,
  type BulkJob,
  type BulkRow,
  type BulkWait,
  type FaultPause,
  isInDoubt,
  type JobsPort,
  type JobUpdate,
  maxJobName,
  type PauseReason,
  rowsFor,
  shownStateOf,
} from '#core/jobs/job';
export {
  bulkLimit,
  minutesToWait,
  rateOf,
  type Standstill,
  standstillsAt,
  roundTimeLeft,
  timeLeft,
} from '#core/jobs/progress';
export {
  arrangeBulkRows,
  type BulkSortKey,
  countRows,
  inKeptOrder,
  likelyVerdicts,
  unaskedIn,
  wordInJob,
} from '#core/jobs/table';
