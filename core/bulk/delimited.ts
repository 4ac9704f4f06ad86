/** Names the character between two cells. */
export type Delimiter = ',' | ';' | '\t' | '|';

/** Holds one record of a file and the line it begins on, from 1. */
export interface DelimitedRecord {
  readonly cells: readonly string[];
  readonly line: number;
}

/** Reads a text in pieces, cut anywhere, and returns the records that are complete. */
export interface DelimitedReader {
  push(text: string): DelimitedRecord[];
  /** Returns a last record without a line break, also one whose quote was never closed. */
  end(): DelimitedRecord[];
}

/** Longer cells are cut, in UTF-16 units, so that an unclosed quote does not hold a whole file in memory. */
const maxCellLength = 65_536;

/**
 * Creates a reader of CSV and TSV (RFC 4180 and common departures): any line break, quotes only at the start of a cell, a doubled
 * quote for a quote. Skips a byte order mark and empty lines; cuts cells at 65,536 UTF-16 units. Never throws.
 * @param delimiter undefined reads each line as one cell, quotes included
 */
export function createDelimitedReader(delimiter: Delimiter | undefined): DelimitedReader {
  let cells: string[] = [];
  let cell = '';
  /** `start`: before the cell. `quoted`: inside quotes. `closing`: after a quote that may be half of a doubled one. */
  let state: 'start' | 'plain' | 'quoted' | 'closing' = 'start';
  let line = 1;
  let recordLine = 1;
  let afterReturn = false;
  let first = true;

  function endCell(): void {
    cells.push(cell);
    cell = '';
    state = 'start';
  }

  function endRecord(records: DelimitedRecord[]): void {
    endCell();
    if (cells.length > 1 || cells[0]?.trim() !== '') records.push({ cells, line: recordLine });
    cells = [];
  }

  function add(text: string): void {
    cell += text.slice(0, maxCellLength - cell.length);
  }

  function push(text: string): DelimitedRecord[] {
    const records: DelimitedRecord[] = [];
    let at = 0;
    if (first && text !== '') {
      first = false;
      if (text.startsWith('\uFEFF')) at = 1;
    }
    while (at < text.length) {
      const character = text.charAt(at);
      if (character === '\n' && afterReturn) {
        afterReturn = false;
        at += 1;
        continue;
      }
      afterReturn = false;
      const isBreak = character === '\n' || character === '\r';
      if (isBreak) {
        line += 1;
        afterReturn = character === '\r';
      }
      if (state === 'quoted') {
        if (character === '"') {
          state = 'closing';
          at += 1;
        } else if (isBreak) {
          add('\n');
          at += 1;
        } else {
          const end = endOfRun(text, at, '"');
          add(text.slice(at, end));
          at = end;
        }
        continue;
      }
      if (state === 'closing' && character === '"') {
        add('"');
        state = 'quoted';
        at += 1;
      } else if (isBreak) {
        endRecord(records);
        recordLine = line;
        at += 1;
      } else if (character === delimiter) {
        endCell();
        at += 1;
      } else if (character === '"' && state === 'start' && delimiter !== undefined) {
        state = 'quoted';
        at += 1;
      } else {
        state = 'plain';
        const end = endOfRun(text, at + 1, delimiter);
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

/** Returns the end of a run without line breaks and without `stop`. */
export function endOfRun(text: string, from: number, stop: string | undefined): number {
  let at = from;
  while (at < text.length) {
    const character = text.charAt(at);
    if (character === '\n' || character === '\r' || character === stop) return at;
    at += 1;
  }
  return at;
}
