import type { Page } from '@playwright/test';

import type { Measurement, Samples } from '#bench/measurement';
import type { BenchSetup } from '#bench/setup';
import { fillItems, fillJob } from '#bench/desk-records';
import { openPage } from '#scripts/running/extension';

/** The longest a key may take, in milliseconds: a person notices no delay below it. */
const maxKeyMs = 50;
const limit = 'what is felt as instant';

/** Measures from a key in the search field to the redrawn table. */
export const tableTyping: Measurement = {
  name: 'table of 10,000 rows, a key in its search',
  limit,
  goal: { ratio: 1 },
  measure: ({ extension }) =>
    onFilledPage(
      extension,
      '#/bulk/many',
      (page) => page.evaluate(fillJob, { count: 10_000 }),
      'Search codes',
    ),
};

/** Measures the same for the item cards of a large shop. */
export const itemsTyping: Measurement = {
  name: 'page of 2,000 items, a key in its search',
  limit,
  goal: { ratio: 1 },
  measure: ({ extension }) =>
    onFilledPage(
      extension,
      '#/items/many',
      (page) => page.evaluate(fillItems, 2000),
      'Search items',
    ),
};

async function onFilledPage(
  extension: BenchSetup['extension'],
  route: string,
  fill: (page: Page) => Promise<void>,
  field: string,
): Promise<Samples> {
  const page = await openFilledDesk(extension, route, fill);
  const ours = await typed(page, field);
  await page.close();
  return { limit: ours.map(() => maxKeyMs), ours };
}

/** Opens a page of the desk whose database is filled before it reads it. */
export async function openFilledDesk(
  extension: BenchSetup['extension'],
  route: string,
  fill: (page: Page) => Promise<void>,
): Promise<Page> {
  // The first load creates the database, which is filled and then read by a reload.
  const page = await openPage(extension, `desk.html${route}`);
  await page.waitForTimeout(1000);
  await fill(page);
  await page.reload();
  await page.locator('[role=row], .item-card').nth(5).waitFor();
  return page;
}

/** Returns the milliseconds that each of some keys took, from `keydown` to the painted frame. */
export async function typed(page: Page, field: string): Promise<number[]> {
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
