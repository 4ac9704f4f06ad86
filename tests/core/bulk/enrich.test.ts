import { describe, expect, test } from 'vitest';

import { createRawReader } from '#core/tables/index';
import { createEnricher, type Enrichment } from '#core/bulk/enrich';
import { code, otherCode } from '#tests/stores/check/samples';

const table: Enrichment['layout'] = { delimiter: ';', column: 1, hasHeadings: true, patterns: [] };
const list: Enrichment['layout'] = { column: 0, hasHeadings: false, patterns: [] };

/** Enriches a text with one column, which holds how each of a record's codes ends. */
function enriched(text: string, changes: Partial<Enrichment> = {}): string {
  const layout = changes.layout ?? table;
  const reader = createRawReader(layout.delimiter);
  const records = [...reader.push(text), ...reader.end()];
  const enrich = createEnricher({
    layout,
    codeHeading: 'Code',
    headings: ['Verdict'],
    masked: false,
    safe: false,
    width: Math.max(1, ...records.map((record) => record.cells.length)),
    cellsFor: (codes) => [codes.map((each) => each.slice(-4)).join('; ')],
    ...changes,
  });
  return records.map(enrich).join('');
}

describe('a table', () => {
  test('keeps its own cells, quotes, order and line breaks, and gets ours', () => {
    const text = `Order;"Purchase ""code""";Mail\r\n1;"${code}";"a;b"\n2; ${otherCode} ;=c\r\n`;
    expect(enriched(text)).toBe(
      `Order;"Purchase ""code""";Mail;Verdict\r\n1;"${code}";"a;b";dece\n2; ${otherCode} ;=c;5555\r\n`,
    );
  });

  test('has ragged rows padded, so that ours stand below their headings', () => {
    expect(enriched(`a;b\n1;${code};x;y\n2\n3;${otherCode}`)).toBe(
      `a;b;;;Verdict\n1;${code};x;y;dece\n2;;;;\n3;${otherCode};;;5555`,
    );
  });

  test('returns empty lines, rows without a code and repeated codes, each in its place', () => {
    expect(enriched(`a;b\n\n1;${code}\n2;none\n3;${code.toUpperCase()}\n`)).toBe(
      `a;b;Verdict\n\n1;${code};dece\n2;none;\n3;${code.toUpperCase()};DECE\n`,
    );
  });

  test('has the codes of one row joined, in quotes where its separator stands between them', () => {
    expect(enriched(`a;b\n1;${code} ${otherCode}\n`)).toBe(
      `a;b;Verdict\n1;${code} ${otherCode};"dece; 5555"\n`,
    );
  });

  test('without headings gets none', () => {
    const layout = { ...table, hasHeadings: false };
    expect(enriched(`1;${code}\n2;${otherCode}\n`, { layout })).toBe(
      `1;${code};dece\n2;${otherCode};5555\n`,
    );
  });

  test('with a quote that is never closed has it as a sign of its cell, so that no spreadsheet swallows a row', () => {
    expect(enriched(`a;b\n"1;${code}\n2;${otherCode}`)).toBe(
      `a;b;Verdict\n"""1";"${code}";dece\n2;${otherCode};5555`,
    );
  });

  test('made safe stays as it is wherever a spreadsheet runs nothing of it', () => {
    const text = `a;"b"\n-1.50;"${code}"\n"-";${otherCode}\n`;
    expect(enriched(text, { safe: true })).toBe(
      `a;"b";Verdict\n-1.50;"${code}";dece\n"-";${otherCode};5555\n`,
    );
  });

  test('keeps a note to Excel first, alone', () => {
    expect(enriched(`sep=;\r\na;b\r\n1;${code}\r\n`)).toBe(
      `sep=;\r\na;b;Verdict\r\n1;${code};dece\r\n`,
    );
  });

  test('keeps a title above the headings where it was, and runs nothing of it either', () => {
    const text = `Sales\n=now();\n\na;b\n1;${code}\n`;
    expect(enriched(text, { layout: { ...table, above: 2 }, safe: true })).toBe(
      `Sales\n'=now();\n\na;b;Verdict\n1;${code};dece\n`,
    );
  });

  test('has our cells made safe always, its own only on demand', () => {
    const cellsFor = (): string[] => ['=1+1'];
    const text = `a;b\n@x;${code}\n`;
    expect(enriched(text, { cellsFor })).toBe(`a;b;Verdict\n@x;${code};'=1+1\n`);
    expect(enriched(text, { cellsFor, safe: true })).toBe(`a;b;Verdict\n'@x;${code};'=1+1\n`);
  });

  test('separated by bars has cells with a bar in quotes', () => {
    const layout = { ...table, delimiter: '|' } as const;
    expect(enriched(`a|b\n1|${code}\n`, { layout, cellsFor: () => ['x|y'] })).toBe(
      `a|b|Verdict\n1|${code}|"x|y"\n`,
    );
  });

  test('has its codes masked on demand, in every column', () => {
    const masked = enriched(`a;b\n"see ${otherCode}";LIC-2026-00071\n3;${code}\n`, {
      masked: true,
    });
    expect(masked).not.toContain(code);
    expect(masked).not.toContain(otherCode);
    expect(masked).not.toContain('LIC-2026-00071');
    expect(masked).toContain('"see 1111');
  });

  test.each([
    ['dashes of another kind', 'LIC–2026–00071', 'LI…71'],
    ['an invisible character', 'LIC-2026-\u200B00071', 'LI…71'],
    ['full-width letters', 'ＬＩＣ-2026-00071', 'LI…71'],
    [
      'an invisible character in a code without dashes',
      '8678123623d04b3c\u200B7dfac1c147e0dece',
      '8678…dece',
    ],
    ['an invisible character in the common form', code.replace('-', '\u200B-'), '8678…dece'],
  ])('has a code with %s masked', (_, typed, masked) => {
    const cellsFor = (): string[] => [''];
    for (const safe of [false, true])
      expect(enriched(`a;b\n1;<${typed}>\n`, { masked: true, safe, cellsFor })).toBe(
        `a;b;Verdict\n1;<${masked}>;\n`,
      );
  });

  test('has a code masked wherever the column’s code stands again, in any spelling', () => {
    const cellsFor = (): string[] => [''];
    const text = 'a;b\nLIC–2026–00071, LIC-2026-00071;LIC-2026-00071\n';
    expect(enriched(text, { masked: true, cellsFor })).toBe('a;b;Verdict\nLI…71, LI…71;LI…71;\n');
  });
});

describe('a list', () => {
  test('becomes a table with a column for the codes first', () => {
    expect(enriched(`${code}\n\nhello, you\n${otherCode}`, { layout: list })).toBe(
      `Code,Verdict\n${code},dece\n\n"hello, you",\n${otherCode},5555`,
    );
  });

  test('with a heading keeps it', () => {
    expect(enriched(`Keys\r\n${code}\r\n`, { layout: list })).toBe(
      `Keys,Verdict\r\n${code},dece\r\n`,
    );
  });
});
