import fc from 'fast-check';
import { expect, test } from 'vitest';

import { createDelimitedReader, type Delimiter } from '#core/bulk/delimited';
import { createRecordSplitter, type RawRecord } from '#core/bulk/split-records';

/** Splits a text that arrives in pieces of these sizes. */
function split(
  text: string,
  delimiter: Delimiter | undefined,
  cuts: readonly number[],
): RawRecord[] {
  const splitter = createRecordSplitter(delimiter);
  const records: RawRecord[] = [];
  let at = 0;
  for (const cut of cuts) {
    records.push(...splitter.push(text.slice(at, at + cut)));
    at += cut;
  }
  return [...records, ...splitter.push(text.slice(at)), ...splitter.end()];
}

test('a record is as it was written, with its quotes and its line break', () => {
  expect(split('a;"x\r\ny""z"\r\n\nb', ';', [])).toEqual([
    { text: 'a;"x\r\ny""z"', lineBreak: '\r\n', isOpen: false },
    { text: '', lineBreak: '\n', isOpen: false },
    { text: 'b', lineBreak: '', isOpen: false },
  ]);
});

test('a quote that is never closed is told', () => {
  expect(split('a,"b\nc', ',', [])).toEqual([{ text: 'a,"b\nc', lineBreak: '', isOpen: true }]);
});

const anyText = fc.string({
  unit: fc.constantFrom('a', ' ', ';', ',', '"', '\r', '\n'),
  maxLength: 40,
});
const anyDelimiter = fc.constantFrom<Delimiter | undefined>(',', ';', undefined);

test('wherever the text is cut, the records are the text, and hold the cells that the reader reads', () => {
  fc.assert(
    fc.property(
      anyText,
      anyDelimiter,
      fc.array(fc.nat({ max: 9 }), { maxLength: 8 }),
      (text, delimiter, cuts) => {
        const records = split(text, delimiter, cuts);
        expect(records.map((record) => record.text + record.lineBreak).join('')).toBe(text);
        const cellsOf = (piece: string): (readonly string[])[] => {
          const reader = createDelimitedReader(delimiter);
          return [...reader.push(piece), ...reader.end()].map(({ cells }) => cells);
        };
        expect(records.flatMap((record) => cellsOf(record.text))).toEqual(cellsOf(text));
      },
    ),
    { numRuns: 1000 },
  );
});
