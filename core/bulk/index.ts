export { CodeRow } from '#core/bulk/code-rows';
export { detectLayout } from '#core/bulk/detect-layout';
export { JobSource } from '#core/bulk/enrich';
export { ExportRecord } from '#core/bulk/export-record';
export { afterFault, BulkJob, BulkRow, type JobsPort, type JobUpdate } from '#core/bulk/job';
export { bulkLimit, BulkPace } from '#core/bulk/progress';
export { createCodeReader } from '#core/bulk/read-codes';
export { arrangeBulkRows, countRows } from '#core/bulk/table';
