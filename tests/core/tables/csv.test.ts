import fc from 'fast-check';
import { expect, test } from 'vitest';

import { writeCsv } from '#core/tables/csv';
import { isFormula, readLeniently, separators } from '#tests/core/text/lenient-csv';

/** A plain RFC 4180 reader, to hold the writer against. */
function read(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  while (at < text.length) {
    let cell = '';
    if (text[at] === '"') {
      for (at += 1; ; at += 1) {
        if (text[at] !== '"') cell += text[at] ?? '';
        else if (text[at + 1] === '"') cell += text[(at += 1)] ?? '';
        else break;
      }
      at += 1;
    } else
      for (; at < text.length && !',\r'.includes(text[at] ?? ''); at += 1) cell += text[at] ?? '';
    row.push(cell);
    if (text[at] === ',') at += 1;
    else {
      at += 2;
      rows.push(row);
      row = [];
    }
  }
  return rows;
}

test.each([
  ['=1+1', "'=1+1"],
  ['  =1+1', "'  =1+1"],
  ['+49 30', "'+49 30"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['＝1', "'＝1"],
  ['\u200B=1', "'\u200B=1"],
  ['\tx', `"'\tx"`],
  ['\rx', `"'\rx"`],
  ['\nx', `"'\nx"`],
  ['a=b', 'a=b'],
  ['shop.example.com', 'shop.example.com'],
  ['say "hi", now', '"say ""hi"", now"'],
  ['a;=1+1;b', `"a;'=1+1;b"`],
  ['a; \u200B@SUM(A1)', `"a;' \u200B@SUM(A1)"`],
  ['a\tb\t-1', `"a\tb\t'-1"`],
  ['a\n＋1', `"a\n'＋1"`],
  ['a; b', '"a; b"'],
])('text %j is written as %j', (text, written) => {
  expect(writeCsv([[text]])).toBe(`${written}\r\n`);
});

test.each([
  ['x;"=1+1;', `"x;'""=1+1;"`],
  ['"=1+1', `"'""=1+1"`],
  ['a;" \u2060"@x', `"a;'"" \u2060""@x"`],
  ['a,"=1', `"a,'""=1"`],
  ['a\t"\u00AD-1', `"a\t'""\u00AD-1"`],
  ['a;\u3164=1', `"a;'\u3164=1"`],
  ['a;\uFE0F＋1', `"a;'\uFE0F＋1"`],
])('text %j with quotes or undrawn characters before a sign is written as %j', (text, written) => {
  expect(writeCsv([[text]])).toBe(`${written}\r\n`);
});

test('numbers stay numbers, and what is absent stays empty', () => {
  expect(writeCsv([[-5, 1.5, true, null, undefined, 'x']])).toBe('-5,1.5,true,,,x\r\n');
});

const spikes = fc.stringMatching(/^[ \t\r\n=+\-@＝",;'a\u200B\u3164]{0,8}$/u);
const rowsOf = (cell: fc.Arbitrary<string>): fc.Arbitrary<string[][]> =>
  fc.array(fc.array(cell, { minLength: 2, maxLength: 5 }), { maxLength: 5 });
const tables = fc.oneof(rowsOf(fc.string({ unit: 'binary' })), rowsOf(spikes));

test('whatever is written is read back', () => {
  const bare = (rows: string[][]): string[][] =>
    rows.map((row) => row.map((cell) => cell.replaceAll("'", '')));
  fc.assert(
    fc.property(tables, (table) => {
      expect(bare(read(writeCsv(table)))).toEqual(bare(table));
    }),
  );
});

test.each(separators)('a lenient reader at %j meets no formula', (separator) => {
  fc.assert(
    fc.property(tables, fc.constantFrom('heeded', 'ignored'), (table, quotes) => {
      expect(readLeniently(writeCsv(table), separator, quotes).filter(isFormula)).toEqual([]);
    }),
    { numRuns: 500 },
  );
});
