/** Names the character between two cells. */
export type Delimiter = ',' | ';' | '\t' | '|';

/** Holds one record of a file and the line it begins on, from 1. */
export interface DelimitedRecord {
  readonly cells: readonly string[];
  readonly line: number;
}

/** Holds one record of a file as it is written there, so that it can be written again unchanged; an empty line has no cells. */
export interface RawRecord extends DelimitedRecord {
  /** Without its line break; quotes, and line breaks inside of them, included. */
  readonly text: string;
  /** As in the file; empty at its end. */
  readonly lineBreak: '' | '\n' | '\r' | '\r\n';
  /** Whether a quote is never closed: the file ends inside a cell. */
  readonly isOpen: boolean;
}

/** Reads a text in pieces, cut anywhere, and returns the records that are complete. */
export interface RecordReader<R> {
  push(text: string): R[];
  /** Returns a last record without a line break, also one whose quote was never closed. */
  end(): R[];
}

/** Longer cells are cut, in UTF-16 units, so that an unclosed quote does not hold a whole file in memory. */
const maxCellLength = 65_536;

/**
 * Creates a reader of CSV and TSV (RFC 4180 and common departures): any line break, quotes only at the start of a cell, a doubled
 * quote for a quote. Skips a byte order mark and empty lines; cuts cells at 65,536 UTF-16 units. Never throws.
 * @param delimiter undefined reads each line as one cell, quotes included
 */
export function createDelimitedReader(
  delimiter: Delimiter | undefined,
): RecordReader<DelimitedRecord> {
  const tokenizer = createTokenizer(delimiter, false);
  const read = (records: readonly RawRecord[]): DelimitedRecord[] =>
    records.flatMap(({ cells, line }) => (cells.length === 0 ? [] : { cells, line }));
  return { push: (text) => read(tokenizer.push(text)), end: () => read(tokenizer.end()) };
}

/**
 * Creates a reader that keeps each record's text and returns empty lines as well: the records with their line breaks, joined, are
 * the text.
 * @param delimiter undefined makes each line a record
 */
export function createRawReader(delimiter: Delimiter | undefined): RecordReader<RawRecord> {
  return createTokenizer(delimiter, true);
}

function createTokenizer(
  delimiter: Delimiter | undefined,
  keepsText: boolean,
): RecordReader<RawRecord> {
  let text = '';
  let cells: string[] = [];
  let cell = '';
  /** `start`: before the cell. `quoted`: inside quotes. `closing`: after a quote that may be half of a doubled one. */
  let state: 'start' | 'plain' | 'quoted' | 'closing' = 'start';
  let line = 1;
  let recordLine = 1;
  let isAfterReturn = false;
  let isFirst = true;

  function endCell(): void {
    cells.push(cell);
    cell = '';
  }

  function endRecord(lineBreak: RawRecord['lineBreak']): RawRecord {
    const isOpen = state === 'quoted';
    endCell();
    const isEmpty = cells.length === 1 && cells[0]?.trim() === '';
    const record = { cells: isEmpty ? [] : cells, line: recordLine, text, lineBreak, isOpen };
    text = '';
    cells = [];
    state = 'start';
    isAfterReturn = false;
    recordLine = line;
    return record;
  }

  function add(piece: string): void {
    cell += piece.slice(0, maxCellLength - cell.length);
  }

  return {
    push(piece) {
      const records: RawRecord[] = [];
      let at = 0;
      const take = (end: number): string => {
        const taken = piece.slice(at, end);
        if (keepsText) text += taken;
        at = end;
        return taken;
      };
      if (isFirst && piece !== '') {
        isFirst = false;
        if (piece.startsWith('\uFEFF')) take(1);
      }
      while (at < piece.length) {
        const character = piece.charAt(at);
        const isBreak = character === '\n' || character === '\r';
        if (isAfterReturn && state !== 'quoted') {
          const isPair = character === '\n';
          records.push(endRecord(isPair ? '\r\n' : '\r'));
          if (isPair) at += 1;
        } else if (isBreak) {
          const isSecond = isAfterReturn && character === '\n';
          if (!isSecond) line += 1;
          isAfterReturn = character === '\r';
          if (state === 'quoted') {
            take(at + 1);
            if (!isSecond) add('\n');
          } else {
            at += 1;
            if (!isAfterReturn) records.push(endRecord('\n'));
          }
        } else if (state === 'quoted') {
          isAfterReturn = false;
          const end = endOfRun(piece, at, '"');
          if (end > at) add(take(end));
          else {
            state = 'closing';
            take(at + 1);
          }
        } else if (character === delimiter) {
          endCell();
          state = 'start';
          take(at + 1);
        } else if (character === '"' && state === 'closing') {
          add(take(at + 1));
          state = 'quoted';
        } else if (character === '"' && state === 'start' && delimiter !== undefined) {
          state = 'quoted';
          take(at + 1);
        } else {
          state = 'plain';
          add(take(endOfRun(piece, at + 1, delimiter)));
        }
      }
      return records;
    },
    end() {
      if (isAfterReturn && state !== 'quoted') return [endRecord('\r')];
      const isBegun = state !== 'start' || cells.length > 0 || text !== '';
      return isBegun ? [endRecord('')] : [];
    },
  };
}

/** Returns the end of a run without line breaks and without `stop`. */
function endOfRun(text: string, from: number, stop: string | undefined): number {
  let at = from;
  while (at < text.length) {
    const character = text.charAt(at);
    if (character === '\n' || character === '\r' || character === stop) return at;
    at += 1;
  }
  return at;
}
