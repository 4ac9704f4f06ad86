import { fillHistory } from '#bench/desk-records';
import { openFilledDesk } from '#bench/desk-typing';
import { deskGrowth } from '#bench/growth/desk';
import type { Growth } from '#bench/growth/growth';

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
