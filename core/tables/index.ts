export {
  createUtf8Check,
  detectEncoding,
  encodeText,
  hasByteOrderMark,
  type TextEncodingName,
} from '#core/tables/character-encoding';
export { byteOrderMark, type Cell, inQuotes, writeCell, writeCsv } from '#core/tables/csv';
export { createRawReader, type Delimiter, type RawRecord } from '#core/tables/delimited';
export { type Workbook, workbookOf } from '#core/tables/workbook';
