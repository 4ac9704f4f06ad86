import type { Page } from '@playwright/test';

import { fillJob } from '#bench/desk-records';
import { openFilledDesk } from '#bench/desk-typing';
import { deskGrowth } from '#bench/growth/desk';
import type { Growth } from '#bench/growth/growth';
import { withHeap } from '#bench/growth/heap';
import { openPage } from '#scripts/running/extension';

const unit = 'rows';
const sizes = [200, 2_000, 20_000];

/** Measures a list of codes from the chosen file to the button that starts the check. */
const intake: Growth = {
  name: 'bulk, intake of a CSV',
  unit,
  sizes,
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
  unit,
  sizes,
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
  unit,
  sizes,
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

/** Returns the id of the stored connection. */
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
    unit,
    sizes,
    route: '#/bulk/many',
    search: 'Search codes',
    fill: (page, size) => page.evaluate(fillJob, { count: size }),
  }),
  exported,
  resumed,
];
