import { createApp, h, nextTick, reactive } from 'vue';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';

import { createCatalogue } from '#components/i18n';
import DataTable from '#components/ui/DataTable.vue';
import SortSelect from '#components/ui/SortSelect.vue';
import type { TableColumn } from '#components/ui/table-column';
import { type Sort, sortRows } from '#core/sort';

interface Fruit {
  readonly name: string;
  readonly count: number;
}
type SortKey = 'name' | 'count';
type Key = SortKey | 'seller' | 'note';

const columns: readonly TableColumn<Key, SortKey>[] = [
  { key: 'name', title: 'Name', width: '1fr', narrow: '1fr', sortable: true },
  { key: 'count', title: 'Count', width: '80px', sortable: true },
  { key: 'seller', title: 'Seller', width: '120px' },
  { key: 'note', title: 'Note', width: '80px' },
];

let state: {
  rows: Fruit[];
  sort: Sort<SortKey> | undefined;
  opened: string[];
  keepsPlace: boolean;
  isKeyed: boolean;
};
let unmount: () => void;

function fruits(count: number): Fruit[] {
  return Array.from({ length: count }, (_, index) => ({
    name: `fruit ${String(index).padStart(5, '0')}`,
    count: (index * 7) % count,
  }));
}

beforeEach(async () => {
  await page.viewport(1000, 800);
  state = reactive({
    rows: fruits(1000),
    sort: undefined,
    opened: [],
    keepsPlace: false,
    isKeyed: true,
  });
  const root = document.createElement('div');
  document.body.append(root);
  const app = createApp({
    render: () => [
      h(SortSelect<Key, SortKey>, {
        columns,
        sort: state.sort,
        'onUpdate:sort': (sort: Sort<SortKey> | undefined) => {
          state.sort = sort;
        },
      }),
      h(
        DataTable<Fruit, Key, SortKey>,
        {
          rows: sortRows(state.rows, state.sort, (row, key) =>
            key === 'count' ? row.count : row.name,
          ),
          columns,
          label: 'Fruits',
          isHeading: ({ name }: Fruit) => name.startsWith('heading'),
          keyOf: state.isKeyed ? ({ name }: Fruit) => name : undefined,
          keepsPlace: state.keepsPlace,
          sort: state.sort,
          'onUpdate:sort': (sort: Sort<SortKey> | undefined) => {
            state.sort = sort;
          },
          onOpen: ({ name }: Fruit) => {
            state.opened.push(name);
          },
        },
        {
          name: ({ row }: { row: Fruit }) => row.name,
          count: ({ row }: { row: Fruit }) => row.count.toLocaleString('en'),
          seller: () => 'Orchard and Sons',
          note: () => 'note',
          empty: () => 'No fruit',
        },
      ),
    ],
  });
  app.use(createCatalogue('en', { table: { sortBy: 'Sort by' } }));
  app.mount(root);
  window.scrollTo(0, 0);
  unmount = () => {
    app.unmount();
    root.remove();
  };
});

afterEach(() => {
  unmount();
});

const grid = page.getByRole('grid', { name: 'Fruits' });
const heading = (name: string) => page.getByRole('columnheader', { name });

function activeRow(): HTMLElement | null {
  return document.getElementById(grid.element().getAttribute('aria-activedescendant') ?? '');
}

test('Tab reaches each heading that sorts, and Enter and Space sort by it', async () => {
  await userEvent.tab();
  await expect.element(grid).toHaveFocus();
  await userEvent.tab();
  await expect.element(page.getByRole('button', { name: 'Name' })).toHaveFocus();
  await userEvent.tab();
  await expect.element(page.getByRole('button', { name: 'Count' })).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expect.element(heading('Count')).toHaveAttribute('aria-sort', 'ascending');
  await userEvent.keyboard(' ');
  await expect.element(heading('Count')).toHaveAttribute('aria-sort', 'descending');
  await expect.element(heading('Name')).toHaveAttribute('aria-sort', 'none');
  await userEvent.keyboard('{Enter}');
  await expect.element(heading('Count')).toHaveAttribute('aria-sort', 'none');
  expect(state.opened).toEqual([]);
});

test('a heading that does not sort has no aria-sort and no button', () => {
  expect(heading('Note').element().hasAttribute('aria-sort')).toBe(false);
  expect(heading('Note').element().querySelector('button')).toBeNull();
});

test('the arrows, Home, End and the page keys move the active row, and Enter opens it', async () => {
  (grid.element() as HTMLElement).focus();
  expect(activeRow()?.textContent).toContain('fruit 00000');
  await userEvent.keyboard('{ArrowDown}{ArrowDown}{ArrowUp}');
  expect(activeRow()?.textContent).toContain('fruit 00001');
  await userEvent.keyboard('{End}');
  await expect.poll(() => activeRow()?.textContent).toContain('fruit 00999');
  await userEvent.keyboard('{PageUp}');
  const afterPage = Number(activeRow()?.getAttribute('aria-rowindex'));
  expect(afterPage).toBeLessThan(995);
  await userEvent.keyboard('{PageDown}{Home}{PageDown}');
  expect(Number(activeRow()?.getAttribute('aria-rowindex'))).toBeGreaterThan(5);
  await userEvent.keyboard('{Home}{Enter}');
  expect(state.opened).toEqual(['fruit 00000']);
});

test('the active row is in the page, wherever the grid is scrolled and however short it gets', async () => {
  const element = grid.element();
  for (const top of [20_000, 39_000, 0]) {
    element.scrollTop = top;
    await expect.poll(() => element.querySelectorAll('[role=row]').length).toBeLessThan(60);
    await expect
      .poll(() => page.getByText(`fruit ${String(top / 40).padStart(5, '0')}`).query())
      .not.toBeNull();
    expect(activeRow()?.textContent).toContain('fruit 00000');
    expect(element.querySelectorAll('[aria-selected=true]')).toHaveLength(1);
  }
  (element as HTMLElement).focus();
  await userEvent.keyboard('{End}');
  state.rows = fruits(3);
  await expect.poll(() => activeRow()?.textContent).toContain('fruit 00002');
  state.rows = [];
  await expect.poll(() => element.hasAttribute('aria-activedescendant')).toBe(false);
  await userEvent.keyboard('{Enter}');
  expect(state.opened).toEqual([]);
});

test('a press on a row opens it and leaves the focus on the grid', async () => {
  await page.getByText('fruit 00003').click();
  expect(state.opened).toEqual(['fruit 00003']);
  await expect.element(grid).toHaveFocus();
  expect(activeRow()?.textContent).toContain('fruit 00003');
});

test('a chosen row stays chosen, marked and in view when the table is sorted, and none is once it is filtered out', async () => {
  (grid.element() as HTMLElement).focus();
  await userEvent.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}');
  const chosen = (): string | null | undefined => activeRow()?.textContent;
  await expect.poll(chosen).toContain('fruit 00003');
  const name = page.getByRole('button', { name: /^Name/u });
  await name.click();
  await name.click();
  await expect.poll(chosen).toContain('fruit 00003');
  const row = page.getByText('fruit 00003', { exact: true });
  await expect.element(row).toBeInViewport();
  expect(activeRow()?.classList).toContain('chosen');
  const { bottom } = grid.element().getBoundingClientRect();
  await expect.poll(() => row.element().getBoundingClientRect().bottom).toBeLessThanOrEqual(bottom);
  state.rows = state.rows.filter((each) => !each.name.endsWith('3'));
  await expect.poll(chosen).not.toContain('fruit 00003');
  expect(activeRow()?.classList).not.toContain('chosen');
});

test('a chosen row stays chosen by itself, where the table has no names for its rows', async () => {
  state.isKeyed = false;
  await page.getByText('fruit 00003').click();
  await page.getByRole('button', { name: 'Name' }).click();
  await page.getByRole('button', { name: /^Name/u }).click();
  await expect.poll(() => activeRow()?.textContent).toContain('fruit 00003');
  expect(activeRow()?.classList).toContain('chosen');
});

test('the first row stays chosen while others come before it, wherever the focus is', async () => {
  state.keepsPlace = true;
  await page.getByText('fruit 00000').click();
  (grid.element() as HTMLElement).blur();
  state.rows = [{ name: 'new', count: 0 }, ...state.rows];
  await expect.element(page.getByText('new')).toBeVisible();
  expect(activeRow()?.textContent).toContain('fruit 00000');
  expect(activeRow()?.classList).toContain('chosen');
});

test('of rows that are filtered away, the next one that stays becomes the active one, and the last where none is left', async () => {
  state.keepsPlace = true;
  const all = fruits(10);
  state.rows = all;
  await page.getByText('fruit 00008').click();
  state.rows = all.filter((_, at) => [0, 5, 9].includes(at));
  await expect.element(page.getByText('fruit 00008')).not.toBeInTheDocument();
  expect(activeRow()?.textContent).toContain('fruit 00009');
  state.keepsPlace = false;
  await nextTick();
  state.rows = all.slice(0, 2);
  await expect.element(page.getByText('fruit 00009')).not.toBeInTheDocument();
  expect(activeRow()?.textContent).toContain('fruit 00001');
});

test('a row that nobody has chosen is the first after a sort too', async () => {
  await page.getByRole('button', { name: 'Name' }).click();
  await page.getByRole('button', { name: /^Name/u }).click();
  await expect.poll(() => activeRow()?.textContent).toContain('fruit 00999');
});

test('every row says its place, and the grid how many there are', () => {
  expect(grid.element().getAttribute('aria-rowcount')).toBe('1001');
  expect(activeRow()?.getAttribute('aria-rowindex')).toBe('2');
});

/** The vertical place of a cell within its row. */
function lineOf(cell: Element): number {
  const row = cell.closest('[role=row]')?.getBoundingClientRect();
  return cell.getBoundingClientRect().top - (row?.top ?? 0);
}

test.each([
  [360, 3],
  [640, 2],
])('at %i px a row has %i lines, and nothing is left out', async (width, lines) => {
  await page.viewport(width, 800);
  const row = grid.getByRole('row').nth(1);
  await expect.element(row.getByText('fruit 00000')).toBeVisible();
  const cells = (): HTMLElement[] => row.getByRole('gridcell').elements() as HTMLElement[];
  const lineOfCell = (at: number): number => lineOf(cells()[at] ?? document.body);
  await expect.poll(() => lineOfCell(1) - lineOfCell(0)).toBeGreaterThan(10);
  const isBelow = (): boolean => lineOfCell(3) - lineOfCell(1) > 10;
  await expect.poll(isBelow).toBe(lines === 3);
  const [name, count, , note] = cells();
  if (!name || !count || !note) throw new Error('A cell is missing.');
  expect(note.getBoundingClientRect().right).toBeLessThanOrEqual(width);
  expect(name.getBoundingClientRect().bottom).toBeLessThanOrEqual(
    count.getBoundingClientRect().top + 1,
  );
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
});

test('in a narrow table every heading stands over its values, blank ones too', async () => {
  await page.viewport(640, 800);
  state.rows = [{ name: 'x', count: 2 ** 200 }];
  const row = grid.getByRole('row').nth(1);
  await expect.element(row.getByText('Orchard and Sons')).toBeVisible();
  const lefts = (cells: Element[]) =>
    cells.map((cell) => Math.round(cell.getBoundingClientRect().left));
  await expect
    .poll(() => lefts(row.getByRole('gridcell').elements()))
    .toEqual(lefts(grid.getByRole('columnheader').elements()));
  const [, count] = row.getByRole('gridcell').elements();
  expect(count?.scrollWidth).toBeGreaterThan(count?.clientWidth ?? Infinity);
});

test('on a phone one select sorts, in place of headings that could not stand over their values', async () => {
  await page.viewport(320, 800);
  const select = page.getByRole('combobox', { name: 'Sort by' });
  await select.selectOptions('Count ↓');
  await expect.element(heading('Count')).toHaveAttribute('aria-sort', 'descending');
  await expect.poll(() => grid.getByRole('row').nth(1).element().textContent).toContain('999');
  await select.selectOptions('Sort by');
  await expect.element(heading('Count')).toHaveAttribute('aria-sort', 'none');
  expect(grid.getByRole('row').first().element().getBoundingClientRect().height).toBe(0);
  await page.viewport(1000, 800);
  await expect.element(select).not.toBeInTheDocument();
  await expect.element(page.getByRole('button', { name: 'Count' })).toBeVisible();
});

test('what stands in place of the rows is in the table, and goes with the first row', async () => {
  const empty = grid.getByRole('gridcell', { name: 'No fruit' });
  await expect.element(empty).not.toBeInTheDocument();
  state.rows = [];
  await expect.element(empty).toBeVisible();
  state.rows = fruits(1);
  await expect.element(empty).not.toBeInTheDocument();
});

test('the active row is scrolled into view whole in a narrow table', async () => {
  await page.viewport(360, 800);
  await expect
    .poll(() => grid.getByRole('row').nth(1).element().getBoundingClientRect().height)
    .toBeGreaterThan(50);
  (grid.element() as HTMLElement).focus();
  await userEvent.keyboard('{End}');
  await expect.poll(() => activeRow()?.textContent).toContain('fruit 00999');
  const bottom = (): number => activeRow()?.getBoundingClientRect().bottom ?? Infinity;
  await expect.poll(bottom).toBeLessThanOrEqual(800);
});

test('on a phone a heading is lower than the rows it heads, and every row stands below the one before it', async () => {
  await page.viewport(400, 800);
  state.rows = state.rows.map((row, at) =>
    at % 10 === 0 ? { ...row, name: `heading ${String(at)}` } : row,
  );
  const rows = page.getByRole('row');
  await expect.poll(() => rows.nth(1).element().textContent).toContain('heading 0');
  await expect.poll(() => rows.nth(2).element().getBoundingClientRect().height).toBeGreaterThan(50);
  const boxes = rows
    .elements()
    .slice(1)
    .map((row) => row.getBoundingClientRect());
  expect(boxes[0]?.height).toBeLessThan(boxes[1]?.height ?? 0);
  for (const [at, { bottom }] of boxes.slice(0, -1).entries())
    expect(boxes[at + 1]?.top).toBe(bottom);
  (page.getByRole('grid').element() as HTMLElement).focus();
  await userEvent.keyboard('{End}');
  await expect
    .poll(() => rows.elements().at(-1)?.getBoundingClientRect().bottom)
    .toBeLessThanOrEqual(800);
  await expect.element(rows.last()).toHaveAttribute('aria-rowindex', '1001');
});

test('rows that are drawn anew do not hold back whoever scrolls', async () => {
  const element = grid.element();
  await expect.element(grid.getByRole('row').nth(1)).toBeVisible();
  element.scrollTop = 400;
  // Before the browser has told of it.
  state.rows = state.rows.map((row) => ({ ...row, count: row.count + 1 }));
  await nextTick();
  expect(element.scrollTop).toBe(400);
});

test('a long table fills what the window leaves, a short one has no scroll bar of its own', async () => {
  const grid = page.getByRole('grid', { name: 'Fruits' });
  const heightOf = (): number => grid.element().getBoundingClientRect().height;
  const bottomOf = (): number => grid.element().getBoundingClientRect().bottom;
  await expect.poll(bottomOf).toBeGreaterThan(660);
  expect(bottomOf()).toBeLessThan(800);
  // Its lower edge is within a row, which says that there are more.
  expect((heightOf() - 2) % 40).toBe(20);
  const above = document.createElement('div');
  above.style.height = '200px';
  document.body.prepend(above);
  await expect.poll(heightOf).toBeLessThan(560);
  expect(bottomOf()).toBeLessThan(800);
  // All rows of a short one have room there.
  state.rows = fruits(10);
  await expect.poll(heightOf).toBe(442);
  // These would have room in a window without what is above them.
  state.rows = fruits(15);
  await expect.poll(heightOf).toBeGreaterThan(450);
  expect(bottomOf()).toBeLessThan(800);
  state.rows = fruits(1000);
  await expect.poll(heightOf).toBeLessThan(560);
  above.style.height = '600px';
  await expect.poll(heightOf).toBeGreaterThan(640);
  await page.viewport(1000, 500);
  await expect.poll(heightOf).toBeLessThan(500);
  above.remove();
});

test('on a phone the page scrolls a table of any length, of which few rows are in it', async () => {
  await page.viewport(360, 700);
  state.rows = fruits(10_000);
  const element = grid.element();
  await expect.poll(() => document.documentElement.scrollHeight).toBeGreaterThan(500_000);
  expect(element.scrollHeight).toBe(element.clientHeight);
  const isInView = (name: string): boolean => {
    const { top = -1, bottom = -1 } = page.getByText(name).query()?.getBoundingClientRect() ?? {};
    return top >= 0 && bottom <= 700;
  };
  const rowHeight = grid.getByRole('row').nth(2).element().getBoundingClientRect().height;
  const top = element.getBoundingClientRect().top + window.scrollY;
  for (const at of [5000, 9000, 0]) {
    window.scrollTo(0, top + at * rowHeight);
    await expect.poll(() => isInView(`fruit ${String(at).padStart(5, '0')}`)).toBe(true);
    expect(element.querySelectorAll('[role=row]').length).toBeLessThan(60);
  }
  (element as HTMLElement).focus();
  for (const [key, name] of [
    ['{End}', 'fruit 09999'],
    ['{Home}', 'fruit 00000'],
    ['{PageDown}{PageDown}{PageUp}', 'fruit 00006'],
  ] as const) {
    await userEvent.keyboard(key);
    await expect.poll(() => activeRow()?.textContent).toContain(name);
    await expect.poll(() => isInView(name)).toBe(true);
  }
  await page.viewport(1000, 800);
  await expect.poll(() => element.clientHeight).toBeLessThan(800);
  expect(element.scrollHeight).toBe(400_040);
  expect(document.documentElement.scrollHeight).toBeLessThan(900);
});

test('in a low window the page scrolls a table, and its headings stay in view', async () => {
  await page.viewport(740, 360);
  const top = (): number => grid.getByRole('row').first().element().getBoundingClientRect().top;
  await expect.poll(() => document.documentElement.scrollHeight).toBeGreaterThan(30_000);
  window.scrollTo(0, 20_000);
  await expect.poll(top).toBe(0);
  await expect.element(page.getByRole('button', { name: 'Count' })).toBeVisible();
});

test('rows that come before those in view on a phone leave these where they are', async () => {
  await page.viewport(360, 700);
  state.keepsPlace = true;
  await expect.poll(() => document.documentElement.scrollHeight).toBeGreaterThan(30_000);
  window.scrollTo(0, 9000);
  const placeOf = (name: string): number | undefined =>
    page.getByText(name).query()?.getBoundingClientRect().top;
  await expect.poll(() => placeOf('fruit 00106')).toBeDefined();
  const before = placeOf('fruit 00106');
  state.rows = [{ name: 'new', count: 1 }, { name: 'heading', count: 1 }, ...state.rows];
  await nextTick();
  expect(placeOf('fruit 00106')).toBe(before);
  // Nor does the browser move them once more.
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  expect(placeOf('fruit 00106')).toBe(before);
});
