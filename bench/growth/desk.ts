import type { Page } from '@playwright/test';

import { fillHistory, fillItems } from '#bench/desk-records';
import { openFilledDesk, typed } from '#bench/desk-typing';
import { median } from '#bench/measurement';
import type { Cost, Growth } from '#bench/growth/growth';
import { withHeap } from '#bench/growth/heap';
import type { BenchSetup } from '#bench/setup';

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
export function deskGrowth({ name, unit, sizes, route, search, fill }: FilledDesk): Growth[] {
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

const unit = 'entries';
const sizes = [1_000, 10_000, 100_000];

/** Measures from a click on a check to what was said of the same code before. */
const earlierChecks: Growth = {
  name: 'history, earlier checks of a code',
  unit,
  sizes,
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
    unit,
    sizes,
    route: '#/history',
    search: 'Search, or paste',
    fill: (page, size) => page.evaluate(fillHistory, size),
  }),
  earlierChecks,
];

/** Measures the page of a shop's items. */
export const itemsGrowth = deskGrowth({
  name: 'items',
  unit: 'items',
  sizes: [200, 2_000, 20_000],
  route: '#/items/many',
  search: 'Search items',
  fill: (page, size) => page.evaluate(fillItems, size),
});
