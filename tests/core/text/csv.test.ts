import fc from 'fast-check';
import { expect, test } from 'vitest';

import { startsFormula, writeCsv } from '#core/text/csv';

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

test('numbers stay numbers, and what is absent stays empty', () => {
  expect(writeCsv([[-5, 1.5, true, null, undefined, 'x']])).toBe('-5,1.5,true,,,x\r\n');
});

test('whatever is written is read back, with nothing that starts a formula', () => {
  const rows = fc.array(fc.array(fc.string({ unit: 'binary' }), { minLength: 2, maxLength: 5 }));
  const spiky = fc.array(
    fc.array(fc.stringMatching(/^[ \t\r\n=+\-@＝",;'a]{0,6}$/u), { minLength: 2, maxLength: 5 }),
  );
  fc.assert(
    fc.property(fc.oneof(rows, spiky), (table) => {
      const back = read(writeCsv(table));
      const bare = (rows: string[][]): string[][] =>
        rows.map((row) => row.map((cell) => cell.replaceAll(/(?<=^|[;\t\r\n])'/gu, '')));
      expect(bare(back)).toEqual(bare(table));
      for (const cell of back.flat()) {
        expect(startsFormula(cell)).toBe(false);
        for (const part of cell.split(/[;\t\r\n]/u)) expect(startsFormula(part)).toBe(false);
      }
    }),
  );
});
