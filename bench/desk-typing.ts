import type { Page } from '@playwright/test';

import type { Measurement, Samples } from '#bench/measurement';
import type { Stage } from '#bench/setup';
import { openPage } from '#scripts/extension';

/** The longest a key may take, in milliseconds: what a person still feels as at once. */
const aKey = 50;
const limit = 'what is felt as at once';

/** From a key in the search field to the table drawn anew. */
export const tableTyping: Measurement = {
  name: 'table of 10,000 rows, a key in its search',
  limit,
  aim: { ratio: 1 },
  measure: ({ extension }) =>
    onFilledPage(extension, 'desk.html', '#/bulk/many', fillJobs, 'Search codes'),
};

/** The same among the cards of a large shop. */
export const itemsTyping: Measurement = {
  name: 'page of 2,000 items, a key in its search',
  limit,
  aim: { ratio: 1 },
  measure: ({ extension }) =>
    onFilledPage(extension, 'desk.html', '#/items/many', fillItems, 'Search items'),
};

async function onFilledPage(
  extension: Stage['extension'],
  path: string,
  room: string,
  fill: () => Promise<void>,
  field: string,
): Promise<Samples> {
  // Once opened, the page has made its stores; filled, it is opened again.
  const page = await openPage(extension, `${path}${room}`);
  await page.waitForTimeout(1000);
  await page.evaluate(fill);
  await page.reload();
  await page.locator('[role=row], .item-card').nth(5).waitFor();
  const ours = await typed(page, field);
  await page.close();
  return { limit: ours.map(() => aKey), ours };
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
    /** From a key's coming down to the next frame's being drawn, in milliseconds. */
    keyTook?: number | undefined;
  }
}

/** Runs in the page. */
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

/** Runs in the page. */
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
