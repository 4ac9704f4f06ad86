import type { Page } from '@playwright/test';

import { openFilledDesk, typed } from '#bench/desk-typing';
import { median } from '#bench/finding';
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
