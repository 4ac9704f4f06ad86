import type { Page } from '@playwright/test';

import { fillHistory, fillItems, fillJob, openFilledDesk, typed } from '#bench/desk';
import { type Cost, type Growth, withHeap } from '#bench/growth/growth';
import { median } from '#bench/measurement';
import type { BenchSetup } from '#bench/setup';
import { openPage } from '#scripts/running/extension';

/** A page of the desk with a list that can be filled. */
interface FilledDesk {
  readonly name: string;
  readonly unit: string;
  readonly sizes: readonly number[];
  readonly route: string;
  /** The accessible name of the field that searches the list. */
  readonly search: string;
  readonly fill: (page: Page, size: number) => Promise<void>;
}

/** Returns two measurements of one list: opening its page, and a key in its search. */
function deskGrowth({ name, unit, sizes, route, search, fill }: FilledDesk): Growth[] {
  const on = async (
    { extension }: BenchSetup,
    size: number,
    measure: (page: Page) => Promise<Cost>,
  ): Promise<Cost> => {
    const page = await openFilledDesk(extension, route, (opened) => fill(opened, size));
    const cost = await measure(page);
    await page.close();
    return cost;
  };
  return [
    {
      name: `${name}, open`,
      unit,
      sizes,
      measure: (setup, size) => on(setup, size, (page) => withHeap(page, () => reload(page))),
    },
    {
      name: `${name}, a key in its search`,
      unit,
      sizes,
      measure: (setup, size) =>
        on(setup, size, async (page) => ({ milliseconds: median(await typed(page, search)) })),
    },
  ];
}

/** Returns the milliseconds from the start of the navigation to the first rows. */
async function reload(page: Page): Promise<number> {
  await page.reload();
  const drawn = await page.waitForFunction(() =>
    document.querySelectorAll('[role=row], .item-card').length > 5 ? performance.now() : undefined,
  );
  return (await drawn.jsonValue()) ?? 0;
}

const entries = { unit: 'entries', sizes: [1_000, 10_000, 100_000] };

/** Measures from a click on a check to what was said of the same code before. */
const earlierChecks: Growth = {
  name: 'history, earlier checks of a code',
  ...entries,
  measure: async ({ extension }, size) => {
    const page = await openFilledDesk(extension, '#/history', (opened) =>
      opened.evaluate(fillHistory, size),
    );
    const milliseconds = await page.evaluate(async () => {
      const begun = performance.now();
      const shown = new Promise<void>((resolve) => {
        const observer = new MutationObserver(() => {
          if (document.querySelector('dialog[open]') === null) return;
          observer.disconnect();
          resolve();
        });
        observer.observe(document, { subtree: true, childList: true, attributes: true });
      });
      document.querySelectorAll<HTMLElement>('[role=row]')[3]?.click();
      await shown;
      return performance.now() - begun;
    });
    await page.close();
    return { milliseconds };
  },
};

/** Measures the history's page and search, and finding the earlier checks of one code. */
export const historyGrowth: readonly Growth[] = [
  ...deskGrowth({
    name: 'history',
    ...entries,
    route: '#/history',
    search: 'Search, or paste',
    fill: (page, size) => page.evaluate(fillHistory, size),
  }),
  earlierChecks,
];

export const itemsGrowth = deskGrowth({
  name: 'items',
  unit: 'items',
  sizes: [200, 2_000, 20_000],
  route: '#/items/many',
  search: 'Search items',
  fill: (page, size) => page.evaluate(fillItems, size),
});

const rows = { unit: 'rows', sizes: [200, 2_000, 20_000] };

/** Measures a list of codes from the chosen file to the button that starts the check. */
const intake: Growth = {
  name: 'bulk, intake of a CSV',
  ...rows,
  measure: async ({ extension }, size) => {
    const desk = await openPage(extension, 'desk.html#/bulk');
    const lines = Array.from(
      { length: size },
      (_, at) => `${String(at)},5eed0000-0000-4000-8000-${String(at).padStart(12, '0')},Lena`,
    );
    const buffer = Buffer.from(['id,code,name', ...lines].join('\n'));
    const button = desk.getByRole('button', { name: `Check ${size.toLocaleString('en')} codes` });
    const cost = await withHeap(desk, async () => {
      const begun = performance.now();
      const file = { name: 'codes.csv', mimeType: 'text/csv', buffer };
      await desk.locator('input[type=file]').setInputFiles(file);
      await button.waitFor();
      return performance.now() - begun;
    });
    await desk.close();
    return cost;
  },
};

/** Measures the CSV of a finished check, to the download. */
const exported: Growth = {
  name: 'bulk, export',
  ...rows,
  measure: async ({ extension }, size) => {
    const desk = await openFilledDesk(extension, '#/bulk/many', (page) =>
      page.evaluate(fillJob, { count: size }),
    );
    const cost = await withHeap(desk, async () => {
      const download = desk.waitForEvent('download');
      const begun = performance.now();
      await desk.getByRole('button', { name: 'CSV' }).click();
      await (await download).path();
      return performance.now() - begun;
    });
    await desk.close();
    return cost;
  },
};

const left = 4;
/** The worker is asked about jobs with a UUID alone. */
const id = '5eed0000-0000-4000-8000-00000000b01c';

/** Measures going on with a check of which only a few rows have no answer: finding them, asking, and the last draw. */
const resumed: Growth = {
  name: `bulk, the last ${String(left)} rows after a restart`,
  ...rows,
  measure: async ({ extension, codes }, size) => {
    const desk = await openFilledDesk(extension, `#/bulk/${id}`, async (page) => {
      const connectionId = await connectionOf(page);
      await page.evaluate(fillJob, {
        count: size,
        id,
        connectionId,
        waiting: codes.slice(0, left),
      });
    });
    const begun = performance.now();
    await desk.getByRole('button', { name: 'Resume' }).click();
    await desk.locator('.job-figures', { hasText: 'Finished' }).waitFor();
    const milliseconds = performance.now() - begun;
    await desk.close();
    return { milliseconds };
  },
};

function connectionOf(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const opening = indexedDB.open('counterfoil');
    await new Promise((resolve) => (opening.onsuccess = resolve));
    const reading = opening.result.transaction('lists').objectStore('lists').get('connections');
    await new Promise((resolve) => (reading.onsuccess = resolve));
    opening.result.close();
    return (reading as IDBRequest<{ id: string }[]>).result[0]?.id ?? '';
  });
}

/** Measures the desk's bulk check at each of its stages. */
export const bulkGrowth: readonly Growth[] = [
  intake,
  ...deskGrowth({
    name: 'bulk table',
    ...rows,
    route: '#/bulk/many',
    search: 'Search codes',
    fill: (page, size) => page.evaluate(fillJob, { count: size }),
  }),
  exported,
  resumed,
];
