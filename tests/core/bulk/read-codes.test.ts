import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { detectLayout, type Layout } from '#core/bulk/detect-layout';
import { type CollectedCodes, createCodeReader } from '#core/bulk/read-codes';

const one = '86781236-23d0-4b3c-7dfa-c1c147e0dece';
const two = '4e2e8b4d-c3e4-457a-8873-d20a7b8c74df';
const table: Layout = {
  kind: 'table',
  delimiter: ';',
  above: 0,
  headings: ['order', 'code'],
  column: 1,
  columns: [],
};

function read(layout: Layout, ...pieces: readonly string[]): CollectedCodes {
  const reader = createCodeReader(layout, 1);
  for (const piece of pieces) reader.push(piece);
  return reader.end();
}

describe('the codes of a text', () => {
  test('stand in their column of a table, below the headings', () => {
    expect(read(table, `order;code\n${two};${one}\n3;none\n4;${one.toUpperCase()}\n`)).toEqual({
      codes: [{ code: one, line: 2, times: 2 }],
      duplicates: 1,
      withoutCode: 1,
      passedOver: [{ line: 3, text: 'none', kind: 'nothing' }],
      blank: 0,
      truncated: false,
      openQuote: undefined,
    });
  });

  test('are no words without a digit where the other cells have a known form', () => {
    const text = `order;code\n1;${one}\n2;not-a-code\n3;${two}\n4;QX-11A-77\n`;
    const { codes, passedOver } = read(detectLayout(text), text);
    expect(codes.map(({ code }) => code)).toEqual([one, two, 'QX-11A-77']);
    expect(passedOver).toEqual([{ line: 3, text: 'not-a-code', kind: 'nothing' }]);
    const odd = 'order;code\n1;QX-ABC-DE\n2;QX-BCD-EF\n';
    expect(read(detectLayout(odd), odd).codes).toHaveLength(2);
  });

  test.each([', ', ',', '; ', ' | '])('are all read where a cell holds several: %j', (between) => {
    const cell = ['QX-11A-77', 'QX-22B-88'].join(between);
    const text = `order\tlicense keys\n1\t${cell}\n2\tQX-33C-99, see the mail\n`;
    const { codes, passedOver } = read(detectLayout(text), text);
    expect(codes.map(({ code }) => code)).toEqual(['QX-11A-77', 'QX-22B-88']);
    expect(passedOver).toEqual([{ line: 3, text: 'QX-33C-99, see the mail', kind: 'nothing' }]);
  });

  test('and what is no code add up to the rows of a table', () => {
    const cells = ['CSC-BXHDTZGLJGVN', one, '', ' ', 'see the mail', two, one];
    const text = `order;code\n${cells.map((cell, at) => `${String(at)};${cell}`).join('\n')}\n`;
    const { codes, duplicates, withoutCode, blank } = read(table, text);
    expect(codes.map(({ code }) => code)).toEqual(['CSC-BXHDTZGLJGVN', one, two]);
    expect([codes.length, duplicates, withoutCode, blank]).toEqual([3, 1, 1, 2]);
  });

  test('stand in the first line too where that has one of an unusual form in their column', () => {
    const odd = one.replace('0', 'O');
    const text = `1;${odd}\n2;${one}\n3;${two}\n`;
    expect(read(detectLayout(text), text).codes.map(({ code }) => code)).toEqual([odd, one, two]);
  });

  test('stand below a title, a note to Excel and the headings, none of which is passed over', () => {
    const text = `sep=;\nSales\n\norder;code\n1;${one}\n2;${two}\n`;
    const { codes, passedOver } = read(detectLayout(text), text);
    expect(codes.map(({ code }) => code)).toEqual([one, two]);
    expect(passedOver).toEqual([]);
  });

  test('are all read below a quote that is never closed, and its line is told', () => {
    const text = `order;code\n1;${one}\n"2;none\n3;${two}\n`;
    expect(read(table, text)).toMatchObject({
      codes: [{ code: one }, { code: two, line: 4 }],
      withoutCode: 1,
      openQuote: 3,
    });
  });

  test('stand on the lines of a list', () => {
    expect(read({ kind: 'list' }, `${one}\n\n${two}`).codes).toEqual([
      { code: one, line: 1, times: 1 },
      { code: two, line: 3, times: 1 },
    ]);
  });

  test('are found in prose when they are broken over two lines', () => {
    const text = `Hello,\nmy code is ${one.slice(0, 24)}\n${one.slice(24)} thanks`;
    expect(read({ kind: 'prose' }, text).codes.map(({ code }) => code)).toEqual([one]);
  });

  test('are found when the break in a code falls between two pieces', () => {
    const pieces = [`my code is ${one.slice(0, 24)}\n`, `${one.slice(24)} thanks`];
    expect(read({ kind: 'prose' }, ...pieces).codes.map(({ code }) => code)).toEqual([one]);
  });

  test('of another form that stand alone on a line of prose are told of', () => {
    const text = `Hello, my codes are ${one}\n\nLIC-MK9R-YDZS-ED3J-JSTF\nthanks, Ada\n${two.slice(0, 23)}\n${two.slice(23)}\n`;
    const { codes, passedOver, withoutCode } = read({ kind: 'prose' }, text);
    expect(codes.map(({ code }) => code)).toEqual([one, two]);
    expect(withoutCode).toBe(1);
    expect(passedOver).toEqual([{ line: 3, text: 'LIC-MK9R-YDZS-ED3J-JSTF', kind: 'odd' }]);
  });

  test('of another form, or nearly of a known one, are told of wherever they stand in prose', () => {
    const near = `${two.slice(0, 34)}O`;
    const text = `Hello, my codes are ${one} and\nLIC-MK9R-YDZS-ED3J-JSTF, or ${near}.\nThanks, Ada\n`;
    const { codes, passedOver } = read({ kind: 'prose' }, text);
    expect(codes.map(({ code }) => code)).toEqual([one]);
    expect(passedOver).toEqual([
      { line: 2, text: `LIC-MK9R-YDZS-ED3J-JSTF, ${near}`, kind: 'odd' },
    ]);
  });

  test.each([
    'Order INV-2026-0012 of 2026-11-01T10-20-30-99',
    `Transaction ID: ${two.toUpperCase()}`,
    'https://example.com/LIC-MK9R-YDZS-ED3J-JSTF',
    'Message-ID: <CAF-MK9R-YDZS-ED3J-JSTF@mail.example.com>',
  ])('are not told of where they are something else: %s', (line) => {
    const { passedOver } = read({ kind: 'prose' }, `Hello, my code is ${one}.\n${line}\n`);
    expect(passedOver).toEqual([]);
  });

  test('are all found in long prose, whichever section they stand in', () => {
    const filler = 'Nothing of interest stands here.\n'.repeat(1500);
    const parts = [one, two].map((code) => `${filler}\n\nThe code is ${code}.\n`);
    const text = [...parts, ...parts].join('\n');
    expect(read({ kind: 'prose' }, text)).toMatchObject({ duplicates: 2, withoutCode: 0 });
  });

  test('that are repeated in one paragraph of prose are counted as duplicates', () => {
    const text = `Hello, my code is ${one}, I repeat: ${one}, and ${two}.\n`;
    const { codes, duplicates } = read({ kind: 'prose' }, text);
    expect(codes.map(({ times }) => times)).toEqual([2, 1]);
    expect(duplicates).toBe(1);
  });

  test.each([
    ['HTML', (code: string) => `<p>Purchase code: <b>${code}</b></p>`, ''],
    ['JSON', (code: string) => `{"buyer":"Mara","purchase_code":"${code}"}`, ','],
    ['words', (code: string) => `A customer wrote that ${code} is the code.`, ' '],
  ])('are all found in one line of %s, however long', (_, wrapped, between) => {
    const codes = Array.from(
      { length: 20_000 },
      (__, at) => `86781236-23d0-4b3c-7dfa-${at.toString(16).padStart(12, '0')}`,
    );
    const text = codes.map(wrapped).join(between);
    expect(text.length).toBeGreaterThan(1_048_576);
    expect(read({ kind: 'prose' }, text).codes.map(({ code }) => code)).toEqual(codes);
  });
});

test('how a text is cut into pieces makes no difference', () => {
  const layouts: readonly Layout[] = [table, { kind: 'list' }, { kind: 'prose' }];
  const words = fc.constantFrom(
    one,
    two,
    one.slice(0, 24),
    one.slice(24),
    ';',
    '"',
    ' ',
    'Ä',
    '😀',
  );
  const breaks = fc.constantFrom('\n', '\r\n', '\r', '\n\n');
  fc.assert(
    fc.property(
      fc.constantFrom(...layouts),
      fc.array(fc.oneof(words, breaks), { maxLength: 40 }),
      fc.array(fc.nat(60), { maxLength: 20 }),
      (layout, parts, sizes) => {
        const text = parts.join('');
        const pieces: string[] = [];
        let at = 0;
        for (const size of sizes) pieces.push(text.slice(at, (at += size)));
        pieces.push(text.slice(at));
        expect(read(layout, ...pieces)).toEqual(read(layout, text));
      },
    ),
  );
});
