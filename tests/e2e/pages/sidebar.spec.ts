import { expect, test } from '#tests/support/ticket';

/** Each page, and the width at which the link to it is clicked. */
const ways = [
  ['License verifier', 'verifier.html', 1280],
  ['Settings', 'options.html', 360],
  ['Desk', 'desk.html', 1280],
  ['License verifier', 'verifier.html', 360],
] as const;

test('one sidebar leads from page to page in the same tab, in a narrow window too', async ({
  extension,
}) => {
  const page = await extension.open('desk.html');
  const { context } = extension.now;
  const tabs = context.pages().length;
  const nav = page.getByRole('navigation');
  for (const [name, file, clickedAt] of ways) {
    await page.setViewportSize({ width: clickedAt, height: 800 });
    await nav.getByRole('link', { name, exact: true }).click();
    await page.waitForURL(new RegExp(`/${file}`, 'u'));
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 800 });
      await expect(page.locator('a[target="_blank"][href*=".html"]')).toHaveCount(0);
      const current = nav.locator('[aria-current="page"]');
      await expect(current).toHaveCount(1);
      await expect(current).toBeInViewport();
      await expect(nav.getByRole('link', { name, exact: true })).toHaveAttribute(
        'aria-current',
        /page|true/u,
      );
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
        width,
      );
    }
  }
  expect(context.pages()).toHaveLength(tabs);
});
