import { expect, test } from 'vitest';

import { createOwnColumns, type SourceLayout } from '#core/bulk/enrich';

const code = '8678c3cd-2a21-4afa-b5d1-0f1b4e2d9c70';
const other = '11111111-2222-4333-8444-555555555555';

function ownOf(layout: Partial<SourceLayout>, records: readonly (readonly string[])[]) {
  const own = createOwnColumns({
    delimiter: ',',
    column: 1,
    hasHeadings: true,
    patterns: [],
    ...layout,
  });
  for (const cells of records) own.add(cells);
  return own.end();
}

test('all columns beside the one of codes are kept, by any spelling of the code', () => {
  const { titles, cellsOf } = ownOf({}, [
    ['Order', 'Code', ' Customer', 'Note'],
    ['17', code.toUpperCase(), ' Ada ', 'x'],
    ['18', other],
  ]);
  expect(titles).toEqual(['Order', 'Customer', 'Note']);
  expect(cellsOf(code)).toEqual(['17', 'Ada', 'x']);
  expect(cellsOf(other)).toEqual(['18']);
  expect(cellsOf('99999999-2222-4333-8444-555555555555')).toEqual([]);
});

test('a code that stands in several rows has the cells of the first', () => {
  const { cellsOf } = ownOf({ hasHeadings: false, column: 0 }, [
    [code, 'first'],
    [code, 'second'],
  ]);
  expect(cellsOf(code)).toEqual(['first']);
});

test('of a file with very many columns the first thirty are kept', () => {
  const many = Array.from({ length: 40 }, (_, at) => `Column ${String(at)}`);
  expect(ownOf({ column: 0 }, [many, [code, ...many]]).titles).toEqual(many.slice(1, 31));
});

test('a table of one column and a list have none, and one without headings has them untitled', () => {
  expect(ownOf({ column: 0 }, [['Code'], [code]]).titles).toEqual([]);
  expect(ownOf({ delimiter: undefined as never, column: 0 }, [[code, 'x']]).titles).toEqual([]);
  expect(ownOf({ hasHeadings: false }, [['1', code, '3', '4']]).titles).toEqual(['', '', '']);
});
