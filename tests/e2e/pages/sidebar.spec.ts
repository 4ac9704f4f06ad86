import { expect, test } from '#tests/support/ticket';

test('one sidebar leads from page to page in the same tab, in a narrow window too', async ({
  extension,
}) => {
  const page = await extension.open('desk.html');
  const { context } = extension.now;
  const tabs = context.pages().length;
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 800 });
    for (const [name, file] of [
      ['License verifier', 'verifier.html'],
      ['Settings', 'options.html'],
      ['Desk', 'desk.html'],
    ] as const) {
      const nav = page.getByRole('navigation');
      await expect(page.locator('a[target="_blank"][href*=".html"]')).toHaveCount(0);
      await nav.getByRole('link', { name, exact: true }).click();
      await page.waitForURL(new RegExp(`/${file}`, 'u'));
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
