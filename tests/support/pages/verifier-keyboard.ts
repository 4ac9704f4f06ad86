import { expect, type Page } from '@playwright/test';

import { tabTo } from '#tests/support/pages/keyboard';

/**
 * Pins a key, pastes a state, asks about another time, opens a file, saves the report and copies the reply, by keyboard
 * alone.
 */
export async function workByKeyboard(
  page: Page,
  publicKey: string,
  state: string,
): Promise<string> {
  await tabTo(page, /Public key/);
  await page.keyboard.insertText(publicKey);
  await tabTo(page, /Pin key/);
  await page.keyboard.press('Enter');
  await expect(page.getByText('Is this the license server’s fingerprint?')).toBeFocused();
  await tabTo(page, /^\s*Confirm/);
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Public key')).toBeFocused();

  await tabTo(page, /License text/);
  await page.keyboard.insertText(state);
  const result = page.locator('[data-standing]');
  await expect(result).toHaveAttribute('data-standing', 'activated');
  await tabTo(page, /And at this time\?/);
  const handle = page.getByRole('slider', { name: 'And at this time?' });
  await expect(handle).toBeFocused();
  await page.keyboard.press('End');
  await expect(result).toHaveAttribute('data-standing', 'denied');
  await expect(handle).toHaveAttribute('aria-valuetext', /^At /);
  for (let presses = 0; presses < 3; presses += 1) await page.keyboard.press('PageDown');
  await expect(result).toHaveAttribute('data-standing', 'validation-due');
  await page.keyboard.press('Escape');
  await expect(result).toHaveAttribute('data-standing', 'activated');
  await expect(handle).toHaveAttribute('aria-valuetext', /^Now /);

  await page.getByLabel('License text').focus();
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    tabTo(page, /^\s*Choose files/).then(() => page.keyboard.press('Enter')),
  ]);
  await chooser.setFiles({
    name: 'state.json',
    mimeType: 'text/plain',
    buffer: Buffer.from(state),
  });
  await expect(result).toContainText('state.json');
  await tabTo(page, /Save or print the report/);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem', { name: 'Save report' })).toBeFocused();
  const [report] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
  expect(report.suggestedFilename()).toMatch(/\.report\.md$/u);
  await tabTo(page, /Copy reply/);
  await page.keyboard.press('Enter');
  await expect(page.getByText('Copied', { exact: true })).toBeAttached();
  return page.evaluate(() => navigator.clipboard.readText());
}
