import type { Page } from '@playwright/test';

import { sampleCodes } from '#sandbox/seed/sample-codes';
import { checkCode } from '#scripts/running/agent';
import { problemsInLightAndDark } from '#tests/support/accessibility';
import { expect, test } from '#tests/support/connected';
import { codeField } from '#tests/support/pages/popup-page';

const codes = sampleCodes('/demo');

/** Opens the list of places and types into it. */
async function find(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('combobox', { name: 'Find or go to' })).toBeFocused();
  await page.keyboard.type(text);
}
const option = (page: Page, name: RegExp | string) => page.getByRole('option', { name }).first();

test('Ctrl K leads from every page to a page, a setting, a reply, an item and a code of the history, and checks one', async ({
  connected,
  extension,
}) => {
  const popup = await connected('/demo');
  await checkCode(popup, codes.lapsed);

  await test.step('in the popup a code is checked in its place', async () => {
    await find(popup, codes.supported);
    await expect(option(popup, /^Check 1 code/u)).toHaveAttribute('aria-selected', 'true');
    expect(await problemsInLightAndDark(popup)).toEqual([]);
    await popup.keyboard.press('Enter');
    await expect(popup.locator('[data-verdict="supported"]')).toBeVisible();
    await expect(codeField(popup)).toBeFocused();
    await expect(codeField(popup)).toHaveValue(codes.supported);
  });

  const page = await extension.open('verifier.html');
  await test.step('from the verifier to a setting', async () => {
    await expect(page.getByRole('button', { name: 'Find or go to' })).toBeVisible();
    await find(page, 'key sto');
    await expect(option(page, /^Key storage/u)).toBeVisible();
    expect(await problemsInLightAndDark(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.waitForURL(/options\.html#key-storage$/u);
  });

  await test.step('from the settings to a reply', async () => {
    await expect(page.getByRole('button', { name: 'Find or go to' })).toBeVisible();
    const openReply = async (): Promise<void> => {
      await find(page, 'not found');
      await expect(page.getByRole('group', { name: 'Replies' })).toContainText('Not found');
      await page.keyboard.press('Enter');
    };
    await openReply();
    await page.waitForURL(/desk\.html#\/reply\/not-found$/u);
    const opened = page.locator('.reply-list [aria-current]');
    await expect(page.locator('.reply-edit')).toBeVisible();
    const named = await opened.textContent();
    // Chosen a second time it opens again, though the address has stayed.
    await page.locator('.reply-list button:not([aria-current])').last().click();
    await expect(opened).not.toHaveText(named ?? '');
    await openReply();
    await expect(opened).toHaveText(named ?? '');
  });

  await test.step('on the desk to a code, by its whole one, and to an item', async () => {
    await find(page, codes.lapsed);
    await expect(option(page, /^Check 1 code/u)).toBeVisible();
    await expect(page.getByRole('group', { name: 'History' })).toContainText('Support ended');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(/desk\.html#\/history\/code\/[\da-f]+$/u);
    expect(page.url()).not.toContain(codes.lapsed);
    await expect(page.getByRole('dialog')).toContainText('Support ended');
    await page.keyboard.press('Escape');

    await page.goto(page.url().replace(/#.*/u, '#/items'));
    await expect(page.getByRole('link', { name: /Ledgerline/u })).toBeVisible();
    await find(page, 'ledgerline');
    await option(page, /^Ledgerline/u).click();
    await page.waitForURL(/desk\.html#\/items\/[\w-]+\/\w+$/u);
  });

  await test.step('in a narrow window it stays within it', async () => {
    await page.setViewportSize({ width: 360, height: 640 });
    await find(page, '');
    const box = await page.getByRole('dialog', { name: 'Find or go to' }).boundingBox();
    expect(box?.x).toBeGreaterThanOrEqual(0);
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(360);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
  });
});
