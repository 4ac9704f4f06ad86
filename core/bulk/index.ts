export type { CollectedCode } from '#core/bulk/collect-codes';
export { detectLayout, type Layout } from '#core/bulk/detect-layout';
export {
  createEnricher,
  createOwnColumns,
  type Enrichment,
  type JobSource,
  type OwnColumns,
  sourceLayoutOf,
} from '#core/bulk/enrich';
export { type CollectedCodes, createCodeReader } from '#core/bulk/read-codes';
