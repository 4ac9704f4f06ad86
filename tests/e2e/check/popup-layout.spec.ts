import type { Page } from '@playwright/test';

import { minuteMs } from '#core/time/index';
import { sampleCodes } from '#sandbox/seed/sample-codes';
import { checkCode } from '#scripts/running/agent';
import { expect, test } from '#tests/support/connected';

const { lapsed, supported } = sampleCodes('/demo');
/** The largest popup that a browser shows. */
const popupSize = { width: 384, height: 600 };

const heightOf = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollHeight);

/** Sets the clock of a page, and of no other page of the browser, once it is loaded anew. */
const moveClock = (page: Page, by: number): Promise<unknown> =>
  page.addInitScript((milliseconds) => {
    const { now } = Date;
    Date.now = () => now() + milliseconds;
  }, by);

/** Opens the preview of the reply and closes it: the button of its menu stays where it is, and the verdict in sight. */
async function expectPreviewInPlace(popup: Page): Promise<void> {
  const [menu, bar] = [popup.locator('.reply-bar [aria-haspopup]'), popup.locator('.reply-bar')];
  const topOf = async (selector: string): Promise<number> =>
    (await popup.locator(selector).first().boundingBox())?.y ?? Number.NaN;
  const before = await topOf('.reply-bar [aria-haspopup]');
  await menu.first().click();
  await bar.locator('[popover] > button').first().click();
  const preview = await popup.locator('.reply-preview').boundingBox();
  const why = await popup.locator('.verdict-card-why').boundingBox();
  expect(await topOf('.reply-bar [aria-haspopup]')).toBe(before);
  await expect(menu.first()).toBeFocused();
  expect(preview?.height).toBeGreaterThan(150);
  expect(preview?.y).toBeGreaterThanOrEqual((why?.y ?? Infinity) + (why?.height ?? 0));
  expect((preview?.y ?? Infinity) + (preview?.height ?? 0)).toBeLessThan(before);
  await bar.locator('.reply-choices > button').click();
  await expect(popup.locator('.reply-preview')).toBeHidden();
  await expect(menu.first()).toBeFocused();
  expect(await topOf('.reply-bar [aria-haspopup]')).toBe(before);
}

test('all of a lapsed verdict fits the popup, in languages with long words, with a wide font, and of a kept reply too; a preview of the reply moves no button; why there is no newer one stays in sight; shortcuts work from its code field, and the settings switch them off', async ({
  connected,
  extension,
  sandbox,
}) => {
  const popup = await connected('/demo', '/market');
  await popup.setViewportSize(popupSize);
  const options = await extension.open('options.html');
  for (const language of ['en', 'de', 'fr', 'vi', 'ar'])
    await test.step(language, async () => {
      await options.locator('select:has(option[value="de"])').first().selectOption(language);
      await expect(options.locator('html')).toHaveAttribute('lang', language);
      // Of a kept reply the age is told.
      if (language === 'de') await moveClock(popup, 2 * minuteMs);
      await popup.reload();
      await popup.locator('#code').fill(lapsed);
      await popup.locator('#code').press('Enter');
      await expect(popup.locator('[data-verdict="lapsed"]:not([aria-busy])')).toBeVisible();
      if (language !== 'en') await expect(popup.locator('.answer-foot[data-cached]')).toBeVisible();
      await expect(popup.locator('[data-shortcut="reply"]')).toBeVisible();
      expect(await heightOf(popup)).toBeLessThanOrEqual(popupSize.height);
      await expectPreviewInPlace(popup);
      // Its last line is in sight still once that says why there is no newer answer.
      const foot = popup.locator('.answer-foot');
      await sandbox.injectFault('/demo', { fault: 'html-500', times: 9 });
      await foot.getByRole('button').click();
      await expect(foot.locator('[data-not-refreshed]')).toBeVisible();
      await sandbox.removeFaults();
      const { y, height } = (await foot.boundingBox()) ?? { y: 0, height: Infinity };
      expect(y + height).toBeLessThanOrEqual(popupSize.height);
      if (language !== 'en') return;
      await popup.evaluate(() => {
        document.documentElement.style.setProperty('--font', '"DejaVu Sans", sans-serif');
      });
      expect(await heightOf(popup)).toBeLessThanOrEqual(popupSize.height);
    });

  await options.locator('select:has(option[value="de"])').first().selectOption('en');
  await expect(options.locator('html')).toHaveAttribute('lang', 'en');
  await popup.close();
  await test.step('shortcuts', async () => {
    await expectShortcuts(await extension.open('popup.html'), options);
  });
});

async function expectShortcuts(popup: Page, options: Page): Promise<void> {
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
  await options.getByRole('switch', { name: /^Keyboard shortcuts/ }).uncheck();
  await popup.reload();
  await popup.locator('.recent-checks button').first().focus();
  await popup.keyboard.press('?');
  await expect(popup.getByRole('dialog')).toHaveCount(0);
}
