import { expect, type Page } from '@playwright/test';

import { accessibilityProblems } from '#tests/support/accessibility';

/** How a page is looked at. */
const ways = {
  'in light': {},
  'in dark': { colorScheme: 'dark' },
  'in forced colours': { forcedColors: 'active' },
  'from right to left': { dir: 'rtl' },
} as const;

/**
 * Looks at the page in light, in dark, in forced colours and from right to left, each at 360 px and at 640 px, which is
 * what 200 % leaves of 1280 px. Expects that axe finds nothing, and that nothing is wider than the page. Leaves it from
 * right to left.
 */
export async function expectAccessible(page: Page): Promise<void> {
  for (const way of Object.keys(ways) as (keyof typeof ways)[]) {
    const { dir, ...media }: { dir?: string; colorScheme?: 'dark'; forcedColors?: 'active' } =
      ways[way];
    await page.emulateMedia({ colorScheme: 'light', forcedColors: 'none', ...media });
    if (dir !== undefined)
      await page.locator('html').evaluate((html, to) => {
        html.setAttribute('dir', to);
      }, dir);
    for (const width of [360, 640]) {
      await page.setViewportSize({ width, height: 800 });
      await expect
        .poll(
          () => page.evaluate(() => document.documentElement.scrollWidth),
          `${way} at ${String(width)} px`,
        )
        .toBeLessThanOrEqual(width);
      const picture = process.env['PICTURES'];
      if (picture !== undefined)
        await page.screenshot({
          path: `${picture}/${way.replaceAll(' ', '-')}-${String(width)}.png`,
          fullPage: true,
        });
    }
    const isRecoloured = 'colorScheme' in media || 'forcedColors' in media;
    const rules = isRecoloured ? 'drawn' : 'all';
    expect(await accessibilityProblems(page, rules), way).toEqual([]);
  }
}
