export type Delimiter = ',' | ';' | '\t' | '|';

/** One record of a file, and the line it began on, from 1. */
export interface DelimitedRecord {
  readonly cells: readonly string[];
  readonly line: number;
}

/** Takes a text piece by piece, cut anywhere, and gives the records that are whole by then. */
export interface DelimitedReader {
  push(text: string): DelimitedRecord[];
  /** What the last piece left over: a last record without a line break, also one whose quote was never closed. */
  end(): DelimitedRecord[];
}

/** Longer cells are cut, in UTF-16 units: a quote that is never closed must not swallow a file of 50 MB. */
const maxCellLength = 65_536;

/**
 * Reads CSV and TSV as they come (RFC 4180, and what departs from it): any line break, quotes only where a cell begins with
 * one, a doubled quote for a quote, a byte order mark passed over. Empty lines are no records. Without a delimiter each line
 * is one cell, quotes and all.
 */
export function createDelimitedReader(delimiter: Delimiter | undefined): DelimitedReader {
  let cells: string[] = [];
  let cell = '';
  /** `start`: nothing of the cell yet. `quoted`: inside quotes. `closing`: after a quote that may be half of a doubled one. */
  let state: 'start' | 'plain' | 'quoted' | 'closing' = 'start';
  let line = 1;
  let began = 1;
  let afterReturn = false;
  let first = true;

  function endCell(): void {
    cells.push(cell);
    cell = '';
    state = 'start';
  }

  function endRecord(records: DelimitedRecord[]): void {
    endCell();
    if (cells.length > 1 || cells[0]?.trim() !== '') records.push({ cells, line: began });
    cells = [];
  }

  function add(text: string): void {
    cell += text.slice(0, maxCellLength - cell.length);
  }

  function push(piece: string): DelimitedRecord[] {
    const records: DelimitedRecord[] = [];
    let at = 0;
    if (first && piece !== '') {
      first = false;
      if (piece.startsWith('\uFEFF')) at = 1;
    }
    const text = piece;
    while (at < text.length) {
      const sign = text.charAt(at);
      if (sign === '\n' && afterReturn) {
        afterReturn = false;
        at += 1;
        continue;
      }
      afterReturn = false;
      const isBreak = sign === '\n' || sign === '\r';
      if (isBreak) {
        line += 1;
        afterReturn = sign === '\r';
      }
      if (state === 'quoted') {
        if (sign === '"') {
          state = 'closing';
          at += 1;
        } else if (isBreak) {
          add('\n');
          at += 1;
        } else {
          const end = stretch(text, at, '"');
          add(text.slice(at, end));
          at = end;
        }
        continue;
      }
      if (state === 'closing' && sign === '"') {
        add('"');
        state = 'quoted';
        at += 1;
      } else if (isBreak) {
        endRecord(records);
        began = line;
        at += 1;
      } else if (sign === delimiter) {
        endCell();
        at += 1;
      } else if (sign === '"' && state === 'start' && delimiter !== undefined) {
        state = 'quoted';
        at += 1;
      } else {
        state = 'plain';
        const end = stretch(text, at + 1, delimiter);
        add(text.slice(at, end));
        at = end;
      }
    }
    return records;
  }

  return {
    push,
    end() {
      const records: DelimitedRecord[] = [];
      if (cell !== '' || cells.length > 0) endRecord(records);
      return records;
    },
  };
}

/** The end of a run without line breaks and without `stop`. */
function stretch(text: string, from: number, stop: string | undefined): number {
  let at = from;
  while (at < text.length) {
    const sign = text.charAt(at);
    if (sign === '\n' || sign === '\r' || sign === stop) return at;
    at += 1;
  }
  return at;
}
