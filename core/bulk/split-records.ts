import { type Delimiter, endOfRun } from '#core/bulk/delimited';

/** Holds one record of a file as it is written there, so that it can be written again unchanged. */
export interface RawRecord {
  /** Without its line break; quotes, and line breaks inside of them, included. */
  readonly text: string;
  /** As in the file; empty at its end. */
  readonly lineBreak: '' | '\n' | '\r' | '\r\n';
  /** Whether a quote is never closed: the file ends inside a cell. */
  readonly isOpen: boolean;
}

/** Splits a text in pieces, cut anywhere, and returns the records that are complete. */
export interface RecordSplitter {
  push(text: string): RawRecord[];
  end(): RawRecord[];
}

/**
 * Creates a splitter that ends records where `createDelimitedReader` does, and returns empty lines as well: the records with
 * their line breaks, joined, are the text.
 * @param delimiter undefined makes each line a record
 */
export function createRecordSplitter(delimiter: Delimiter | undefined): RecordSplitter {
  let record = '';
  let state: 'start' | 'plain' | 'quoted' | 'closing' = 'start';
  let isAfterReturn = false;

  function endRecord(lineBreak: RawRecord['lineBreak']): RawRecord {
    const ended = { text: record, lineBreak, isOpen: state === 'quoted' };
    record = '';
    state = 'start';
    isAfterReturn = false;
    return ended;
  }

  function push(text: string): RawRecord[] {
    const records: RawRecord[] = [];
    let at = 0;
    const take = (end: number): void => {
      record += text.slice(at, end);
      at = end;
    };
    while (at < text.length) {
      const character = text.charAt(at);
      if (isAfterReturn) {
        const isPair = character === '\n';
        records.push(endRecord(isPair ? '\r\n' : '\r'));
        if (isPair) at += 1;
      } else if (state === 'quoted') {
        const end = text.indexOf('"', at);
        if (end >= 0) state = 'closing';
        take(end < 0 ? text.length : end + 1);
      } else if (character === '\n') {
        records.push(endRecord('\n'));
        at += 1;
      } else if (character === '\r') {
        isAfterReturn = true;
        at += 1;
      } else if (character === delimiter) {
        state = 'start';
        take(at + 1);
      } else if (character === '"' && (state === 'closing' || (state === 'start' && delimiter))) {
        state = 'quoted';
        take(at + 1);
      } else {
        state = 'plain';
        take(endOfRun(text, at + 1, delimiter));
      }
    }
    return records;
  }

  return {
    push,
    end() {
      if (isAfterReturn) return [endRecord('\r')];
      return record === '' ? [] : [endRecord('')];
    },
  };
}
