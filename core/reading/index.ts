export {
  decodeSource,
  type RepairId,
  RepairTally,
  type SourceFault,
  type TextRepair,
} from '#core/reading/decode-source';
export { fileLimitBytes } from '#core/reading/file-limit';
export { symbolOf, undoHtml } from '#core/reading/html';
export { plainForm } from '#core/reading/plain-form';
export { indexUpTo, type Reading, readingOf, type Stretch, Undoing } from '#core/reading/reading';
export { readingsOf } from '#core/reading/readings';
export {
  type Transport,
  transportsOfCodes,
  transportsOfLicenses,
  transportsOfPages,
} from '#core/reading/transports';
