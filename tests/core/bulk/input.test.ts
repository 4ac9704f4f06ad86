import { describe, expect, it } from 'vitest';

import { detectEncoding } from '#core/tables/index';
import { type CodeCollector, type CodeSource, createCodeCollector } from '#core/bulk/collect-codes';
import { detectLayout } from '#core/bulk/detect-layout';
import { createCodeReader } from '#core/bulk/read-codes';

const one = '86781236-23d0-4b3c-7dfa-c1c147e0dece';
const two = '4e2e8b4d-c3e4-457a-8873-d20a7b8c74df';

describe('what was handed over', () => {
  it.each([
    [';', `Order;Code;Mail\n1;${one};a\n2;${two};b`, 1],
    [',', `${one},1\n${two},2`, 0],
    ['\t', `id\tnote\tpurchase\n1\tx, y\t${one}\n2\tz, w\t${two}`, 2],
    ['|', `a|${one}\nb|${two}`, 1],
  ])('is a table cut by %j, and its column of codes is found', (delimiter, text, column) => {
    expect(detectLayout(text)).toMatchObject({ kind: 'table', delimiter, column });
  });

  it('is a table whose heading alone tells the column, where codes are odd', () => {
    const text = 'id,license key\n1,ABC-1\n2,ABC-2\n3,ABC-3\n4,ABC-4';
    expect(detectLayout(text)).toMatchObject({ kind: 'table', column: 1 });
  });

  it.each([
    `${one}, ${two}`,
    `${one};${two};${one}`,
    `["${one}","${two}"]`,
    `${one}, ${two}, ${one}\n${two}, ${one}, ${two}`,
  ])('is no table where every cell is a code: %j', (text) => {
    const layout = detectLayout(text);
    expect(layout.kind).not.toBe('table');
    const reader = createCodeReader(layout, 0);
    reader.push(text);
    expect(reader.end().codes.map(({ code }) => code)).toEqual([one, two]);
  });

  it('is a table of one row where one of its cells is a code', () => {
    expect(detectLayout(`${one},Ada,2026-11-01`)).toMatchObject({ kind: 'table', column: 0 });
  });

  it('prefers the column that is named for codes among two that hold some', () => {
    const text = `item id,purchase code\n${two},${one}\n${one},${two}`;
    expect(detectLayout(text)).toMatchObject({ column: 1 });
  });

  const hex = (at: number): string => `B47E19C3-5D02A8F6-71C9E04B-D83F52${String(10 + at)}`;
  const hexForm = ['HHHHHHHH-HHHHHHHH-HHHHHHHH-HHHHHHHH'];

  it.each([
    ['every', 1],
    ['every third', 3],
    ['every ninth', 9],
  ])('has its codes where %s row has one, whatever other columns are called', (_, each) => {
    const rows = Array.from(
      { length: 18 },
      (_row, at) => `s${String(at)}Ab12Cd34==,2026-03-01,,${at % each === 0 ? hex(at) : ''},1`,
    );
    const head = 'Purchase ID,Purchase Date,Discount Code,License Key,License Key Uses';
    const text = [head, ...rows, 'Totals,,,,'].join('\n');
    expect(detectLayout(text, hexForm)).toMatchObject({ column: 3 });
    // No connection knows the form of these codes: their heading tells.
    expect(detectLayout(text)).toMatchObject({ column: 3 });
  });

  it.each(['Purchase ID', 'purchaseId', 'license_id', 'Discount code', 'Installation ID', 'UUID'])(
    'has no column of codes where only %s has their form',
    (heading) => {
      const text = `${heading},Name\n${one},a\n${two},b\n${one},c\n${two},d`;
      expect(detectLayout(text)).toMatchObject({ kind: 'table', column: undefined });
    },
  );

  it.each(['Kaufcode', 'Código de compra', '購入コード', 'Purchase code', 'license_key'])(
    'is asked by the cells first: a column called %s without a code in it is none',
    (heading) => {
      const text = `${heading},Reference\nnone,${one}\nnone,${two}\nnone,${one}`;
      expect(detectLayout(text)).toMatchObject({ column: 1 });
    },
  );

  it.each(['Kaufcode', 'Código de compra', '購入コード', 'Purchase code', 'license_key'])(
    'has codes of any form below %s, where no column has a known one',
    (heading) => {
      const text = `Order code,${heading}\n20261101,QX-11A-77\n20261102,QX-12B-78`;
      expect(detectLayout(text)).toMatchObject({ column: 1 });
    },
  );

  it('is read with the separator that gives more columns, where two part all lines evenly', () => {
    const text = ['Order;No, Code, Item', `7;1, ${one}, Theme`, `8;2, ${two}, Theme`].join('\n');
    expect(detectLayout(text)).toMatchObject({ delimiter: ',', column: 1 });
    const turned = text.replaceAll(/[;,]/gu, (mark) => (mark === ';' ? ',' : ';'));
    expect(detectLayout(turned)).toMatchObject({ delimiter: ';', column: 1 });
  });

  it.each([
    ['sep=;\n', ';'],
    ['SEP=,\r\n', ','],
    ['"sep=\t"\n', '\t'],
    ['\uFEFF"sep=;"\n', ';'],
  ])('is a table below a note to Excel: %j', (note, delimiter) => {
    const rows = [
      ['Ticket', 'Code'],
      ['1', one],
      ['2', two],
    ];
    const table = note + rows.map((cells) => cells.join(delimiter)).join('\n');
    expect(detectLayout(table)).toMatchObject({ delimiter, headings: rows[0], column: 1 });
    // One column alone is a table too, which is given back with the separator that the note names.
    const list = note + ['Code', one, two].join('\n');
    expect(detectLayout(list)).toMatchObject({ delimiter, headings: ['Code'], column: 0 });
  });

  it.each([
    ['in lines of their own', 'Sales of Acme\nMade on 2026-11-01\n\n'],
    ['padded to the width of the table', 'Sales of Acme,,,,\nFrom:,2026-10-01,,,\n'],
  ])('has titles above its headings, %s', (_, titles) => {
    const text = `${titles}Ticket,Code,Note,Mail,Day\n1,${one},n,a,b\n2,${two},n,a,b\n`;
    const layout = detectLayout(text);
    expect(layout).toMatchObject({ kind: 'table', above: 2, column: 1 });
    expect(layout).toMatchObject({ headings: ['Ticket', 'Code', 'Note', 'Mail', 'Day'] });
  });

  it('is a table whose heading names codes, beside one that names the numbers of devices', () => {
    const text =
      'Device,Serial number,License key\nA,K7XQ2M9WPV,QX-11A-77\nB,L1HF17S01ZX,QX-12B-78';
    expect(detectLayout(text)).toMatchObject({ kind: 'table', column: 2 });
    expect(detectLayout('Device,Serial number\nA,QX-11A-77\nB,QX-12B-78')).toMatchObject({
      column: 1,
    });
  });

  it('is a list of codes of any form, numbered or with marks', () => {
    for (const text of [
      '1) QX-11A-77\n2) QX-12B-78\n10) QX-13C-79',
      '- QX-11A-77\n- QX-12B-78\n* QX-13C-79',
    ]) {
      const layout = detectLayout(text);
      expect(layout).toEqual({ kind: 'list' });
      const reader = createCodeReader(layout, 0);
      reader.push(text);
      expect(reader.end().codes.map(({ code }) => code)).toEqual([
        'QX-11A-77',
        'QX-12B-78',
        'QX-13C-79',
      ]);
    }
  });

  it.each([
    JSON.stringify([
      { license_key: one, device: two },
      { license_key: two, device: one },
    ]),
    `\uFEFF{"license_key":"${one}","device":1}\n{"license_key":"${two}","device":2}`,
  ])('is no table if it is JSON, whatever commas it has: %j', (text) => {
    expect(detectLayout(text)).toEqual({ kind: 'prose' });
  });

  it('has a title above headings that name codes of any form', () => {
    const text = 'Sales of Acme,,\nTicket,License key,Day\n1,QX-11A-770,Mo\n2,QX-12B-780,Tu\n';
    expect(detectLayout(text)).toMatchObject({ above: 1, column: 1 });
  });

  it('has no codes below the name of a machine, where keys of another form stand beside it', () => {
    const text = `Key,Machine\nQXAA-11A0-77BB,${one}\nQXAA-12B0-78BB,${two}\n`;
    expect(detectLayout(text)).toMatchObject({ column: 0 });
  });

  it.each([
    ['headings of one column alone', `Code,,\n${one},a,b\n${two},a,b\n`],
    ['headings that are two cells short', `Ticket,Code\n1,${one},,a\n2,${two},,b\n`],
    ['a first row with a code alone', `${one},,\n${two},a,b\n${one},a,b\n`],
  ])('has nothing above %s', (_, text) => {
    expect(detectLayout(text)).not.toMatchObject({ above: 1 });
  });

  it('is prose where a greeting stands above sentences with commas', () => {
    const text = `Hi\nI bought it, thanks\nmy code is ${one}, and ${two}\nbye, Ada`;
    expect(detectLayout(text)).toEqual({ kind: 'prose' });
  });

  it('is a table without a column of codes where none stands out', () => {
    const layout = detectLayout('a,b\n1,2\n3,4\n5,6\n7,8');
    expect(layout).toMatchObject({ kind: 'table', column: undefined });
  });

  it('takes a first line that holds a code for data', () => {
    expect(detectLayout(`1;${one}\n2;${two}`)).toMatchObject({ headings: [] });
  });

  it('is a list where each line is one token', () => {
    expect(detectLayout(`${one}\n${two}\n`)).toEqual({ kind: 'list' });
  });

  it.each([
    `Hallo, hier meine Codes:\n${one}, ${two}`,
    `Hallo, hier meine Codes: ${one}, ${two}`,
    `Purchase code(s): ["${one}","${two}"]\n\nThanks, Ann`,
    `Hello, my code is ${one}`,
    'Hello, my code is LIC-MK9R-YDZS-ED3J-JSTF, thank you',
    `License keys: 1) NK4T-8R2B-WQ71-H6ZM\n2) B7QX-2LM9-TT40-WD3E`,
  ])('is prose where words say what follows: %j', (text) => {
    expect(detectLayout(text)).toEqual({ kind: 'prose' });
  });

  it.each([
    ['a heading ends with a colon', `Customer;Purchase code:\nAda;${one}\nBo;${two}\nCy;${one}`],
    ['its first row alone names its code', `Ada;Code: ${one}\nBo;${two}\nCy;${one}`],
    ['each row names its code', `Ada;Code: ${one}\nBo;Code: ${two}\nCy;Code: ${one}`],
  ])('is a table, though %s', (_, text) => {
    expect(detectLayout(text)).toMatchObject({ kind: 'table', column: 1 });
  });

  it('is prose where it is a mail', () => {
    const text = `Hello,\nmy code is ${one}, thanks, and\nanother one ${two}.\nBye, Ada`;
    expect(detectLayout(text)).toEqual({ kind: 'prose' });
  });
});

describe('codes', () => {
  it('are folded, whatever their spelling, and counted', () => {
    const collector = createCodeCollector('line');
    for (const [at, text] of [one, one.toUpperCase(), ` ${two} `, ''].entries())
      collector.add(text, at + 1);
    expect(collector.codes).toEqual([
      { code: one, line: 1, times: 2 },
      { code: two, line: 3, times: 1 },
    ]);
    expect(collector.withoutCode).toBe(0);
  });

  it('of unusual forms are asked about in a column, words are not', () => {
    const collector = createCodeCollector('line');
    for (const text of ['LIC-2024-XYZ-99', 'PurchaseCode', 'n/a']) collector.add(text, 1);
    expect(collector.codes.map(({ code }) => code)).toEqual(['LIC-2024-XYZ-99']);
    expect(collector.withoutCode).toBe(2);
  });

  it('without a digit are asked about where they look like codes, and in a column whatever they look like', () => {
    const read = (from: CodeSource, ...texts: readonly string[]): CodeCollector => {
      const collector = createCodeCollector(from);
      for (const [at, text] of texts.entries()) collector.add(text, at + 1);
      return collector;
    };
    const texts = ['CSC-BXHDTZGLJGVN', 'customers', 'PURCHASE-CODE', '', 'n/a'];
    const line = read('line', ...texts);
    expect(line.codes.map(({ code }) => code)).toEqual(['CSC-BXHDTZGLJGVN']);
    expect([line.withoutCode, line.blank]).toEqual([3, 0]);
    const column = read('column', ...texts);
    expect(column.codes.map(({ code }) => code)).toEqual(texts.slice(0, 3));
    expect([column.withoutCode, column.blank]).toEqual([1, 1]);
    expect(column.passedOver).toEqual([{ line: 5, text: 'n/a', kind: 'nothing' }]);
    expect(read('heading', ...texts).codes).toEqual([]);
  });

  it('that are nearly one, or break off, are asked about where nothing stands beside them', () => {
    for (const from of ['column', 'line'] as const) {
      const collector = createCodeCollector(from);
      const near = [two.replace('8b', '8B').replace('e4-', 'O4-'), two.slice(0, 13)];
      for (const text of [...near, ...near.map((code) => `Purchase code: ${code} …`)])
        collector.add(text, 1);
      expect(collector.codes.map(({ code }) => code)).toEqual(near);
      expect(collector.withoutCode).toBe(2);
    }
  });

  it('of unusual forms are left alone in prose', () => {
    const collector = createCodeCollector('prose');
    collector.add('LIC-2024-XYZ-99', 1);
    expect(collector.codes).toEqual([]);
  });
});

describe('the encoding of a file', () => {
  const bytes = (...values: number[]): Uint8Array<ArrayBuffer> => new Uint8Array(values);
  it.each([
    ['utf-16le', 'a byte order mark', bytes(0xff, 0xfe, 0x61, 0)],
    ['utf-16be', 'a byte order mark', bytes(0xfe, 0xff, 0, 0x61)],
    ['utf-16le', 'its zeros', bytes(0x61, 0, 0x62, 0, 0x63, 0)],
    ['utf-16be', 'its zeros', bytes(0, 0x61, 0, 0x62, 0, 0x63)],
    ['utf-8', 'being valid', new TextEncoder().encode('é, ü')],
    [
      'utf-8',
      'being valid but for a character cut off',
      new TextEncoder().encode('é€').slice(0, -1),
    ],
    ['windows-1252', 'being nothing else', bytes(0x63, 0x61, 0x66, 0xe9, 0x20, 0x61, 0x62, 0x63)],
  ])('is %s by %s', (name, _, head) => {
    expect(detectEncoding(head, true)).toBe(name);
  });

  it('is windows-1252 where nothing comes after the beginning of a character', () => {
    const head = bytes(0x52, 0x65, 0x6e, 0xe9, 0x0d, 0x0a);
    expect(detectEncoding(head, false)).toBe('windows-1252');
    expect(detectEncoding(new TextEncoder().encode('é€').slice(0, -1), false)).toBe('windows-1252');
  });
});
