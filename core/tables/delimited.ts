export type Delimiter = ',' | ';' | '\t' | '|';

/** One record of a file in its original form, so that it can be written back unchanged. */
export interface RawRecord {
  /** Empty for an empty line, and for a first line that only tells Excel the separator (`sep=;`). */
  readonly cells: readonly string[];
  /** The line it begins on, from 1. */
  readonly line: number;
  /** The text without its final line break, including quotes and the line breaks inside them. */
  readonly text: string;
  /** The line break as in the file; empty at the end of the file. */
  readonly lineBreak: '' | '\n' | '\r' | '\r\n';
  /** Whether a cell begins with a quote that is never closed: that quote is read as an ordinary character. */
  readonly isOpen: boolean;
}

/** Reads a text in pieces, which may be cut anywhere, and returns the records that are complete. */
export interface RecordReader {
  push(text: string): RawRecord[];
  /** Returns the last record, if it has no line break. */
  end(): RawRecord[];
}

/** The longest quoted cell, in UTF-16 units. Without a limit, an unclosed quote would keep a whole file in memory. */
const maxQuotedLength = 1_048_576;

/**
 * Creates a reader of CSV and TSV (RFC 4180 and common departures): any line break, quotes only at the start of a cell,
 * a doubled quote for a quote. A quote that is closed on a later line, but not at the end of a cell, is an ordinary
 * character. The records' texts and line breaks joined are the whole file. Never throws.
 * @param delimiter undefined reads each line as one cell, quotes included
 */
export function createRawReader(delimiter: Delimiter | undefined): RecordReader {
  /** The text that is not yet read, and the reader's position in it. */
  let rest = '';
  let at = 0;
  let text = '';
  let cells: string[] = [];
  let cell = '';
  let isCellBegun = false;
  let isOpen = false;
  let line = 1;
  let recordLine = 1;

  function take(end: number): void {
    text += rest.slice(at, end);
    at = end;
  }

  function addToCell(piece: string): void {
    cell += piece;
    isCellBegun = true;
  }

  function endCell(): void {
    cells.push(cell);
    cell = '';
    isCellBegun = false;
  }

  function endRecord(lineBreak: RawRecord['lineBreak']): RawRecord {
    endCell();
    const isEmpty = cells.length === 1 && cells[0]?.trim() === '';
    const holdsNothing = isEmpty || (recordLine === 1 && noteToExcel.test(cells.join('')));
    const kept = holdsNothing ? [] : cells;
    const record = { cells: kept, line: recordLine, text, lineBreak, isOpen };
    at += lineBreak.length;
    line += 1;
    recordLine = line;
    text = '';
    cells = [];
    isOpen = false;
    return record;
  }

  function read(isLast: boolean): RawRecord[] {
    const records: RawRecord[] = [];
    if (text === '' && line === 1 && rest.startsWith('\uFEFF')) take(1);
    while (at < rest.length) {
      if (!isCellBegun && delimiter !== undefined && rest[at] === '"') {
        const end = endOfQuoted(rest, at, delimiter, isLast);
        if (end === undefined) break;
        isOpen ||= end < 0;
        if (end > 0) {
          const quoted = rest.slice(at + 1, end - 1).replaceAll(/\r\n?/g, '\n');
          line += quoted.split('\n').length - 1;
          addToCell(quoted.replaceAll('""', '"'));
          take(end);
          continue;
        }
      }
      const end = endOfRun(rest, at, delimiter);
      if (end > at) addToCell(rest.slice(at, end));
      take(end);
      if (end === rest.length) break;
      if (rest[end] === delimiter) {
        endCell();
        take(end + 1);
      } else if (rest.startsWith('\r\n', end)) records.push(endRecord('\r\n'));
      else if (rest[end] === '\n') records.push(endRecord('\n'));
      else if (isLast || end + 1 < rest.length) records.push(endRecord('\r'));
      else break;
    }
    rest = rest.slice(at);
    at = 0;
    return records;
  }

  return {
    push(piece) {
      rest += piece;
      return read(false);
    },
    end() {
      const records = read(true);
      const isBegun = isCellBegun || cells.length > 0 || text !== '';
      return isBegun ? [...records, endRecord('')] : records;
    },
  };
}

/** The note for Excel, in any case, with or without quotes or padding to the width of a table. */
const noteToExcel = /^"?sep=.?"?$/isu;

/**
 * Returns the end of a quoted cell; -1 if its first character is an ordinary one, undefined if more text is needed to
 * decide.
 */
function endOfQuoted(
  text: string,
  from: number,
  delimiter: string,
  isLast: boolean,
): number | undefined {
  let quote = text.indexOf('"', from + 1);
  while (quote >= 0 && text[quote + 1] === '"') quote = text.indexOf('"', quote + 2);
  const length = (quote < 0 ? text.length : quote) - from;
  if (length > maxQuotedLength) return -1;
  if (!isLast && (quote < 0 || quote + 1 === text.length)) return undefined;
  if (quote < 0) return -1;
  const next = text[quote + 1] ?? '\n';
  const isClosed = next === delimiter || next === '\n' || next === '\r';
  return isClosed || !/[\r\n]/.test(text.slice(from, quote)) ? quote + 1 : -1;
}

/** Returns the end of a run without line breaks and without `stop`. */
function endOfRun(text: string, from: number, stop: string | undefined): number {
  let at = from;
  while (at < text.length) {
    const character = text[at];
    if (character === '\n' || character === '\r' || character === stop) return at;
    at += 1;
  }
  return at;
}
