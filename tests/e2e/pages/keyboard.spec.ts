import type { Page } from '@playwright/test';

import { sampleCodes } from '#sandbox/seed/sample-codes';
import { expect, test } from '#tests/support/connected';
import { tabTo } from '#tests/support/pages/keyboard';
import { codeField } from '#tests/support/pages/popup-page';

const { supported, unknown } = sampleCodes('/market');
const clipboard = (page: Page): Promise<string> =>
  page.evaluate(() => navigator.clipboard.readText());

/** Tells what has the focus; empty when it was lost. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(() =>
    document.activeElement === document.body
      ? ''
      : `${document.activeElement?.textContent ?? ''}${document.activeElement?.ariaLabel ?? ''}`,
  );

test('by keyboard alone: add a connection, test it, delete it and bring it back, check a code with it, reply, and erase everything', async ({
  extension,
  sandbox,
}) => {
  const options = await extension.open('options.html');
  const { baseAddress, apiKey } = sandbox.connection('/demo', 'Fenwick');
  await expect(options.getByRole('button', { name: 'Add connection' })).toBeVisible();
  await tabTo(options, /^\s*Add connection/);
  await options.keyboard.press('Enter');
  await expect(options.getByLabel('Where do you sell?')).toBeFocused();
  await tabTo(options, /^\s*Base address/);
  await options.keyboard.insertText(baseAddress);
  await tabTo(options, /API key/);
  await options.keyboard.insertText(apiKey);
  await tabTo(options, /^\s*Name/);
  await options.keyboard.type('Fenwick');
  await tabTo(options, /^\s*Save/);
  await options.keyboard.press('Enter');
  const card = options.getByRole('article', { name: 'Fenwick', exact: true });
  await expect(codeField(options)).toBeFocused();
  await expect(card.getByText('fenwick-studio').first()).toBeVisible();

  await tabTo(options, /^\s*Test connection/);
  const asked = async (): Promise<number> =>
    (await sandbox.apiRequests()).filter(({ path }) => path.includes('account')).length;
  const before = await asked();
  await options.keyboard.press('Enter');
  await expect.poll(asked).toBeGreaterThan(before);
  await expect(card.getByText('fenwick-studio').first()).toBeVisible();
  await expect(card.getByRole('button', { name: 'Test connection' })).toBeFocused();

  await tabTo(options, /^\s*Delete/);
  await options.keyboard.press('Enter');
  await expect(card).toHaveCount(0);
  const undo = options.getByRole('button', { name: 'Undo' });
  await expect(undo).toBeFocused();
  await options.keyboard.press('Tab');
  await expect(options.getByRole('button', { name: 'Add connection' })).toBeFocused();
  await tabTo(options, /^\s*Undo/);
  await options.keyboard.press('Enter');
  await expect(card).toBeFocused();
  await expect(card).not.toContainText('no key');

  await extension.now.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const popup = await extension.open('popup.html');
  await expect(codeField(popup)).toBeFocused();
  await popup.keyboard.insertText(sampleCodes('/demo').supported);
  await popup.keyboard.press('Enter');
  const verdict = popup.locator('[data-verdict="supported"]:not([aria-busy])');
  await expect(verdict).toBeVisible();
  await tabTo(popup, /^\s*Preview/);
  await popup.keyboard.press('Enter');
  await popup.keyboard.press('Enter');
  await tabTo(popup, /Reply language/);
  await popup.keyboard.type('Deutsch');
  await expect(popup.getByText('Guten Tag,')).toBeVisible();
  await tabTo(popup, /^\s*Copy reply/);
  await popup.keyboard.press('Enter');
  await expect.poll(() => clipboard(popup)).toContain('Guten Tag,');
  await tabTo(popup, /^\s*Copy summary/);
  await popup.keyboard.press('Enter');
  await expect.poll(() => clipboard(popup)).toContain('Supported until');
  const checks = async (): Promise<number> =>
    (await sandbox.apiRequests()).filter(({ path }) => path.includes('validation')).length;
  const once = await checks();
  await tabTo(popup, /^\s*Refresh/);
  await popup.keyboard.press('Enter');
  await expect.poll(checks).toBe(once + 1);
  await expect(verdict).toBeVisible();
  await expect(verdict.getByRole('button', { name: 'Refresh' })).toBeFocused();

  await options.bringToFront();
  await tabTo(options, /^\s*Erase everything…/);
  await options.keyboard.press('Enter');
  await options.keyboard.press('Escape');
  await expect(options.getByRole('button', { name: 'Erase everything…' })).toBeFocused();
  await options.keyboard.press('Enter');
  await tabTo(options, /^\s*Erase everything now/);
  await options.keyboard.press('Enter');
  await expect(options.getByText('Connect your marketplace')).toBeVisible();
});

test('by keyboard alone: a bulk check, sorted, saved and filtered; one key each copies of a row, leads to the history and chooses the connection', async ({
  connect,
  extension,
}) => {
  await connect('/market', '/demo');
  await extension.now.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const desk = await extension.open('desk.html');
  const list = desk.locator('dialog[aria-label="Keyboard shortcuts"]');
  await expect(desk.getByLabel('Codes, or a file')).toBeFocused();
  await desk.keyboard.insertText(`${unknown}\n${supported}`);
  await expect(desk.getByRole('button', { name: 'Check 2 codes' })).toBeEnabled();
  await tabTo(desk, /^\s*Check 2 codes/);
  await desk.keyboard.press('Enter');
  await expect(desk.getByRole('heading', { level: 1 })).toBeFocused();
  await expect(desk.getByText('Finished', { exact: true }).first()).toBeVisible();
  await expect(list).toHaveCount(1);
  const grid = desk.getByRole('grid', { name: 'Codes of this bulk check' });
  const codes = grid.locator('.code');
  await tabTo(desk, /^\s*Verdict/);
  await desk.keyboard.press('Enter');
  await expect(codes).toHaveText([supported, unknown]);
  const [file] = await Promise.all([
    desk.waitForEvent('download'),
    tabTo(desk, /^\s*CSV/).then(() => desk.keyboard.press('Enter')),
  ]);
  expect(file.suggestedFilename()).toMatch(/\.csv$/u);
  await tabTo(desk, /^\s*Supported\s*1/);
  await desk.keyboard.press('Space');
  await expect(codes).toHaveText([supported]);
  await tabTo(desk, /^Codes of this bulk check/);
  await desk.keyboard.press('Enter');
  const row = desk.getByRole('dialog');
  await expect(row.getByRole('button', { name: 'Copy reply' })).toBeEnabled();
  await desk.keyboard.press('Alt+c');
  await expect.poll(() => clipboard(desk)).toContain('…');
  await desk.keyboard.press('Alt+r');
  await expect.poll(() => clipboard(desk)).toContain('Hello,');

  await desk.keyboard.press('?');
  await expect(list.getByText('Copy the reply')).toBeVisible();
  await desk.keyboard.press('Escape');
  await expect(list).toBeHidden();
  await expect(row.getByRole('button', { name: 'Copy reply' })).toBeVisible();
  await desk.keyboard.press('Escape');
  await expect(row).toHaveCount(0);
  await desk.keyboard.press('Alt+l');
  await expect(desk).toHaveURL(/#\/history$/u);
  await expect(desk.getByRole('heading', { name: 'History', level: 1 })).toBeVisible();
  await tabTo(desk, /^History settings/);
  await desk.keyboard.press('Enter');
  await tabTo(desk, /^\s*Erase history/);
  await desk.keyboard.press('Enter');
  await expect(desk.getByText('Nothing has been checked yet.')).toBeVisible();
  await expect(desk.getByRole('button', { name: 'Undo' })).toBeFocused();
  await desk.keyboard.press('Enter');
  await expect(desk.getByRole('grid', { name: 'Checked codes' })).toBeVisible();
  await expect.poll(() => focused(desk)).not.toBe('');

  await desk.goto(desk.url().replace(/#.*$/u, '#/bulk'));
  const connection = desk.getByRole('combobox', { name: 'Connection' });
  const named = connection.locator('option:checked');
  await expect(named).toHaveText('All');
  for (const name of ['market', 'demo', 'All']) {
    await desk.keyboard.press('Alt+n');
    await expect(named).toHaveText(name);
    await expect(desk.getByRole('status').filter({ hasText: name }).first()).toBeAttached();
  }
  const text = desk.getByLabel('Codes, or a file');
  await text.focus();
  await desk.keyboard.press('?');
  await expect(list).toBeVisible();
  await desk.keyboard.press('Escape');
  await expect(text).toHaveValue('');
  await desk.keyboard.type('a?');
  await expect(text).toHaveValue('a?');
  await expect(list).toBeHidden();
});

test('the first press of Tab leads past the navigation, and a view that is chosen there has the focus', async ({
  connect,
  extension,
}) => {
  await connect('/market');
  for (const name of ['desk.html#/history', 'options.html', 'verifier.html']) {
    const page = await extension.open(name);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.keyboard.press('Tab');
    const skip = page.getByRole('link', { name: 'Skip to content' });
    await expect(skip).toBeFocused();
    await expect(skip).toBeInViewport();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
    await page.keyboard.press('Tab');
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.closest('main') !== null))
      .toBe(true);
    expect(page.url()).toContain(name);
  }

  const desk = await extension.open('desk.html#/account');
  for (const title of ['Items', 'Report', 'Bulk check', 'Replies']) {
    const link = desk.getByRole('navigation').getByRole('link', { name: title, exact: true });
    await link.focus();
    await desk.keyboard.press('Enter');
    await expect(desk.getByRole('heading', { level: 1, name: title })).toBeFocused();
  }
});

test('a page of the settings that is chosen in the navigation, or a section of it, has the focus', async ({
  extension,
}) => {
  const options = await extension.open('options.html');
  for (const title of ['Key storage', 'Team setup', 'License servers', 'You']) {
    const link = options.getByRole('navigation').getByRole('link', { name: title, exact: true });
    await link.focus();
    await options.keyboard.press('Enter');
    await expect(
      options.getByRole('heading', { name: title === 'You' ? 'Settings' : title, exact: true }),
    ).toBeFocused();
  }
});
