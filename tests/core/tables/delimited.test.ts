import { describe, expect, it } from 'vitest';
import fc from 'fast-check';

import { createRawReader, type Delimiter, type RawRecord } from '#core/tables/delimited';
import { writeCsv } from '#core/tables/csv';

function readAll(text: string, delimiter: Delimiter | undefined): (readonly string[])[] {
  return cellsOf(split(text, delimiter, []));
}

function cellsOf(records: readonly RawRecord[]): (readonly string[])[] {
  return records.map(({ cells }) => cells).filter((cells) => cells.length > 0);
}

describe('delimited text', () => {
  it.each([
    [
      'plain cells',
      'a,b\nc,d\n',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      'any line break',
      'a,b\r\nc,d\re,f\n',
      [
        ['a', 'b'],
        ['c', 'd'],
        ['e', 'f'],
      ],
    ],
    [
      'a last record without a break',
      'a,b\nc,d',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    ['empty cells', ',a,\n', [['', 'a', '']]],
    ['quotes, doubled quotes and breaks in them', '"a,""b""\nc",d', [['a,"b"\nc', 'd']]],
    ['a quote inside a cell', 'a"b,c', [['a"b', 'c']]],
    ['text after a closing quote', '"a"b,c', [['ab', 'c']]],
    [
      'a quote that is never closed as a sign of its cell',
      'x,"a\nb,c',
      [
        ['x', '"a'],
        ['b', 'c'],
      ],
    ],
    [
      'one that another cell’s quote would close',
      '"a,b\n"c",d',
      [
        ['"a', 'b'],
        ['c', 'd'],
      ],
    ],
    ['a note to Excel as nothing', 'sep=,\na,b', [['a', 'b']]],
    ['a note in quotes, after a byte order mark', '\uFEFF"sep=,"\r\na,b', [['a', 'b']]],
    ['a note that was padded, in capitals', 'SEP=;,,\na,b', [['a', 'b']]],
    [
      'a note further down as a cell',
      'a,b\nsep=;,c',
      [
        ['a', 'b'],
        ['sep=;', 'c'],
      ],
    ],
    ['a byte order mark', '\uFEFFa,b', [['a', 'b']]],
    [
      'empty lines as nothing',
      'a,b\n\n  \nc,d',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
  ])('reads %s', (_, text, records) => {
    expect(readAll(text, ',')).toEqual(records);
  });

  it('takes each line as one cell where there is no delimiter', () => {
    expect(readAll('"a", b\nc', undefined)).toEqual([['"a", b'], ['c']]);
  });

  it('tells the line that a record began on', () => {
    const records = split('a;"b\nc"\r\nd;e\n\nf;g', ';', []);
    expect(records.map(({ line }) => line)).toEqual([1, 3, 4, 5]);
  });

  it('reads the same wherever the text is cut', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', ',', '"', '\n', '\r', 'é'),
      maxLength: 60,
    });
    fc.assert(
      fc.property(text, fc.array(fc.nat(60), { maxLength: 5 }), (whole, cuts) => {
        const places = [0, ...cuts.toSorted((a, b) => a - b)];
        const sizes = places.slice(1).map((to, at) => to - (places[at] ?? 0));
        expect(split(whole, ',', sizes)).toEqual(split(whole, ',', []));
      }),
      { examples: [['a\r\na', [2]]] },
    );
  });

  it('reads back what our own CSV writer wrote', () => {
    // The writer puts a quote mark before what a spreadsheet would take for a formula.
    const cell = fc
      .string({ maxLength: 12 })
      .filter((text) => !/[\t\r\uFEFF=+\-@＝＋－＠]|^\n/u.test(text));
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constant('x'), cell), { minLength: 1 }), (rows) => {
        expect(readAll(writeCsv(rows), ',')).toEqual(rows);
      }),
    );
  });
});

/** Splits a text that arrives in pieces of these sizes. */
function split(
  text: string,
  delimiter: Delimiter | undefined,
  cuts: readonly number[],
): RawRecord[] {
  const reader = createRawReader(delimiter);
  const records: RawRecord[] = [];
  let at = 0;
  for (const cut of cuts) {
    records.push(...reader.push(text.slice(at, at + cut)));
    at += cut;
  }
  return [...records, ...reader.push(text.slice(at)), ...reader.end()];
}

it('a record is as it was written, with its quotes and its line break', () => {
  expect(split('a;"x\r\ny""z"\r\n\nb', ';', [])).toEqual([
    {
      text: 'a;"x\r\ny""z"',
      lineBreak: '\r\n',
      isOpen: false,
      cells: ['a', 'x\ny"z'],
      line: 1,
    },
    { text: '', lineBreak: '\n', isOpen: false, cells: [], line: 3 },
    { text: 'b', lineBreak: '', isOpen: false, cells: ['b'], line: 4 },
  ]);
});

it('a quote that is never closed is told, and keeps no line from being read', () => {
  expect(split('a,"b\nc', ',', [])).toMatchObject([
    { text: 'a,"b', isOpen: true, cells: ['a', '"b'], line: 1 },
    { text: 'c', isOpen: false, cells: ['c'], line: 2 },
  ]);
});

it('a quote that is not closed within a million letters is one that is never closed', () => {
  const line = `${'x'.repeat(99)}\n`;
  const records = split(`a,"${line.repeat(12_000)}b,"c"\n`, ',', Array<number>(9).fill(131_072));
  expect(records).toHaveLength(12_001);
  expect(records[0]).toMatchObject({ isOpen: true });
  expect(records.at(-1)).toMatchObject({ cells: ['b', 'c'], line: 12_001 });
});

it('a note to Excel is kept as it is written', () => {
  expect(split('"sep=;"\r\na;b', ';', [])).toMatchObject([
    { text: '"sep=;"', lineBreak: '\r\n', cells: [] },
    { cells: ['a', 'b'], line: 2 },
  ]);
});

const anyText = fc.string({
  unit: fc.constantFrom('a', ' ', ';', ',', '"', '\r', '\n'),
  maxLength: 40,
});
const anyDelimiter = fc.constantFrom<Delimiter | undefined>(',', ';', undefined);

it('wherever the text is cut, the records are the text, and hold the cells that the reader reads', () => {
  fc.assert(
    fc.property(
      anyText,
      anyDelimiter,
      fc.array(fc.nat({ max: 9 }), { maxLength: 8 }),
      (text, delimiter, cuts) => {
        const records = split(text, delimiter, cuts);
        expect(records.map((record) => record.text + record.lineBreak).join('')).toBe(text);
        const read = records.map(({ cells }) => cells).filter((cells) => cells.length > 0);
        expect(read).toEqual(readAll(text, delimiter));
        expect(records.flatMap((record) => readAll(record.text, delimiter))).toEqual(read);
      },
    ),
    { numRuns: 1000 },
  );
});
