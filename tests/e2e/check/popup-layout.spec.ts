import type { Page } from '@playwright/test';

import { sampleCodes } from '#sandbox/seed/sample-codes';
import { checkCode } from '#scripts/running/agent';
import { accessibilityProblems } from '#tests/support/accessibility';
import { expect, test } from '#tests/support/connected';

const { lapsed, supported } = sampleCodes('/demo');
/** The largest popup that a browser shows. */
const popupSize = { width: 384, height: 600 };

const heightOf = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollHeight);
const overflowOf = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

test('all of a lapsed verdict fits the popup, with a wide font as well', async ({ connected }) => {
  const popup = await connected('/demo', '/market');
  await popup.setViewportSize(popupSize);
  await checkCode(popup, lapsed);
  await expect(popup.getByRole('button', { name: 'Copy reply' })).toBeVisible();
  expect(await heightOf(popup)).toBeLessThanOrEqual(popupSize.height);
  await popup.evaluate(() => {
    document.documentElement.style.setProperty('--font', '"DejaVu Sans", sans-serif');
  });
  expect(await heightOf(popup)).toBeLessThanOrEqual(popupSize.height);
});

test('all of a lapsed verdict fits the popup in languages with long words, kept replies too', async ({
  connect,
  extension,
}) => {
  await connect('/demo', '/market');
  for (const language of ['de', 'fr', 'vi'])
    await test.step(language, async () => {
      const options = await extension.open('options.html');
      await options.locator('select:has(option[value="de"])').first().selectOption(language);
      await expect(options.locator('html')).toHaveAttribute('lang', language);
      await options.close();
      const popup = await extension.open('popup.html');
      await popup.setViewportSize(popupSize);
      for (const isSecond of [false, true]) {
        await popup.locator('#code').fill(lapsed);
        await popup.locator('#code').press('Enter');
        await expect(popup.locator('[data-verdict="lapsed"]:not([aria-busy])')).toBeVisible();
        // Where it was asked, when, and that the reply is a kept one.
        if (isSecond) await expect(popup.locator('.answer-foot > p > span > *')).toHaveCount(3);
        await expect(popup.locator('[data-shortcut="reply"]')).toBeVisible();
        expect(await heightOf(popup)).toBeLessThanOrEqual(popupSize.height);
        await popup.reload();
      }
      await popup.close();
    });
});

test('popup, panel and options are whole at 360 px, at 200 %, from right to left and in forced colours', async ({
  connect,
  extension,
}) => {
  await connect('/demo', '/market');
  for (const path of ['popup.html', 'sidepanel.html', 'options.html'])
    await test.step(path, async () => {
      const page = await extension.open(path);
      if (path !== 'options.html') await checkCode(page, supported);
      for (const direction of ['ltr', 'rtl']) {
        await page.evaluate((dir) => (document.documentElement.dir = dir), direction);
        for (const width of [360, 640]) {
          await page.setViewportSize({ width, height: 640 });
          await expect.poll(() => overflowOf(page), `${direction} at ${String(width)} px`).toBe(0);
        }
        await page.setViewportSize({ width: 360, height: 640 });
        expect(await accessibilityProblems(page)).toEqual([]);
      }
      await page.emulateMedia({ forcedColors: 'active' });
      // What is told by a background alone is lost there.
      await expect(page.locator('button:visible').first()).toBeVisible();
      expect(await overflowOf(page)).toBe(0);
      await page.close();
    });
});

test('shortcuts work from the code field of the popup, and the settings switch them off', async ({
  connected,
  extension,
}) => {
  const popup = await connected('/demo', '/market');
  await checkCode(popup, supported);
  await popup.keyboard.press('Alt+n');
  await expect(popup.getByRole('combobox', { name: 'Connection' })).not.toHaveValue('all');
  await expect(popup.locator('[data-verdict="supported"]:not([aria-busy])')).toBeVisible();
  await popup.keyboard.press('Alt+l');
  await expect(popup.locator('.recent-checks button').first()).toBeFocused();
  const help = popup.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await popup.keyboard.press('?');
  await expect(help).toBeVisible();
  await popup.keyboard.press('Escape');
  await expect(help).toBeHidden();
  // Beside a verdict as well.
  await checkCode(popup, supported);
  await popup.getByRole('button', { name: 'Keyboard shortcuts' }).click();
  await expect(help).toBeVisible();
  await popup.keyboard.press('Escape');
  const options = await extension.open('options.html');
  await options.getByRole('switch', { name: /^Keyboard shortcuts/ }).uncheck();
  await popup.reload();
  await popup.locator('.recent-checks button').first().focus();
  await popup.keyboard.press('?');
  await expect(popup.getByRole('dialog')).toHaveCount(0);
});
