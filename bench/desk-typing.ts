import type { Page } from '@playwright/test';

import type { Measurement, Samples } from '#bench/measurement';
import type { BenchSetup } from '#bench/setup';
import { openPage } from '#scripts/extension';

/** The longest a key may take, in milliseconds: a person notices no delay below it. */
const maxKeyMs = 50;
const limit = 'what is felt as instant';

/** Measures from a key in the search field to the redrawn table. */
export const tableTyping: Measurement = {
  name: 'table of 10,000 rows, a key in its search',
  limit,
  aim: { ratio: 1 },
  measure: ({ extension }) =>
    onFilledPage(extension, 'desk.html', '#/bulk/many', fillJobs, 'Search codes'),
};

/** Measures the same for the item cards of a large shop. */
export const itemsTyping: Measurement = {
  name: 'page of 2,000 items, a key in its search',
  limit,
  aim: { ratio: 1 },
  measure: ({ extension }) =>
    onFilledPage(extension, 'desk.html', '#/items/many', fillItems, 'Search items'),
};

async function onFilledPage(
  extension: BenchSetup['extension'],
  path: string,
  route: string,
  fill: () => Promise<void>,
  field: string,
): Promise<Samples> {
  // The first load creates the database, which is filled and then read by a reload.
  const page = await openPage(extension, `${path}${route}`);
  await page.waitForTimeout(1000);
  await page.evaluate(fill);
  await page.reload();
  await page.locator('[role=row], .item-card').nth(5).waitFor();
  const ours = await typed(page, field);
  await page.close();
  return { limit: ours.map(() => maxKeyMs), ours };
}

async function typed(page: Page, field: string): Promise<number[]> {
  const search = page.getByLabel(field);
  await search.focus();
  const taken: number[] = [];
  for (const key of ['i', 't', 'e', 'm', ' ', '1', '7', 'Backspace', 'Backspace', '4', '2']) {
    await page.evaluate(() => {
      window.keyTook = undefined;
      addEventListener(
        'keydown',
        () => {
          const began = performance.now();
          requestAnimationFrame(() =>
            setTimeout(() => (window.keyTook = performance.now() - began)),
          );
        },
        { capture: true, once: true },
      );
    });
    await page.keyboard.press(key);
    const took = await page.waitForFunction(() => window.keyTook);
    taken.push((await took.jsonValue()) ?? 0);
  }
  return taken;
}

declare global {
  interface Window {
    /** Milliseconds from the `keydown` event to the next painted frame. */
    keyTook?: number | undefined;
  }
}

/** Runs in the page: stores one job of 10,000 rows. */
async function fillJobs(): Promise<void> {
  const open = indexedDB.open('counterfoil');
  await new Promise((resolve) => (open.onsuccess = resolve));
  const transaction = open.result.transaction(['jobs', 'rows'], 'readwrite');
  const job = { id: 'many', name: 'Many', createdAt: Date.now(), connectionIds: ['many'] };
  transaction.objectStore('jobs').put({ ...job, state: 'done' });
  for (let index = 0; index < 10_000; index += 1) {
    const item = { id: index % 200, name: `Item ${String(index % 200)}`, version: '1.0' };
    const purchase = { item, licenseType: 'Regular', price: 9, currency: 'EUR', date: 0 };
    transaction.objectStore('rows').put({
      ...{ jobId: 'many', index, connectionId: 'many', line: index + 1, times: 1 },
      code: `5eed0000-0000-4000-8000-${String(index).padStart(12, '0')}`,
      checkedAt: Date.now(),
      outcome: {
        ok: true,
        value: {
          kind: 'purchase',
          purchase: { ...purchase, downloaded: true, supportedUntil: Date.now() + index * 60_000 },
        },
      },
    });
  }
  await new Promise((resolve) => (transaction.oncomplete = resolve));
  open.result.close();
}

/** Runs in the page: stores 2,000 items. */
async function fillItems(): Promise<void> {
  const open = indexedDB.open('counterfoil');
  await new Promise((resolve) => (open.onsuccess = resolve));
  const transaction = open.result.transaction(['listings', 'items'], 'readwrite');
  const fetchedAt = Date.now();
  transaction.objectStore('listings').put({ connectionId: 'many', fetchedAt, unreadable: 0 });
  for (let id = 1; id <= 2000; id += 1) {
    const item = {
      ...{ id, name: `Item ${String(id)}`, description: 'Words. '.repeat(100), version: '1.0' },
      ...{ category: `Category ${String(id % 12)}`, subCategory: '', options: ['PHP 8.x'] },
      ...{ tags: ['one', 'two', `tag ${String(id % 50)}`], media: { screenshots: [] } },
      ...{ price: { regular: 9, extended: 99 }, currency: 'EUR', publishedAt: 0 },
    };
    transaction
      .objectStore('items')
      .put({ connectionId: 'many', id, item, fetchedAt, lookedUp: false });
  }
  await new Promise((resolve) => (transaction.oncomplete = resolve));
  open.result.close();
}
