import type { Page } from '@playwright/test';

import { sampleCodes } from '#sandbox/seed/sample-codes';
import { expect, test } from '#tests/support/connected';
import { startBulkCheck } from '#tests/support/pages/desk-page';
import { tabTo } from '#tests/support/pages/keyboard';

const { supported } = sampleCodes('/market');
const clipboard = (page: Page): Promise<string> =>
  page.evaluate(() => navigator.clipboard.readText());

test('by keyboard alone: add a connection, test it, delete it and bring it back', async ({
  extension,
  sandbox,
}) => {
  const options = await extension.open('options.html');
  const { baseAddress, apiKey } = sandbox.connection('/demo', 'Fenwick');
  await tabTo(options, /^\s*Add connection/);
  await options.keyboard.press('Enter');
  await expect(options.getByLabel('Name', { exact: true })).toBeFocused();
  await options.keyboard.type('Fenwick');
  await tabTo(options, /Base address/);
  await options.keyboard.insertText(baseAddress);
  await tabTo(options, /API key/);
  await options.keyboard.insertText(apiKey);
  await tabTo(options, /^\s*Save/);
  await options.keyboard.press('Enter');
  const card = options.getByRole('article', { name: 'Fenwick', exact: true });
  await expect(card).toBeFocused();
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
  await expect(options.getByRole('button', { name: 'Add connection' })).toBeFocused();
  await tabTo(options, /^\s*Undo/);
  await options.keyboard.press('Enter');
  await expect(card).toBeFocused();
  await expect(card).not.toContainText('no key');
});

test('one key each copies the summary and the reply of a row of the desk, leads to the history and chooses the connection', async ({
  connect,
  extension,
}) => {
  await connect('/market', '/demo');
  await extension.now.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const desk = await extension.open('desk.html');
  const list = desk.locator('dialog[aria-label="Keyboard shortcuts"]');
  await startBulkCheck(desk, supported);
  await expect(desk.getByRole('heading', { level: 1 })).toBeFocused();
  await expect(desk.getByText('Finished', { exact: true }).first()).toBeVisible();
  await expect(list).toHaveCount(1);
  await desk.getByRole('grid').press('Enter');
  const row = desk.getByRole('dialog');
  await expect(row.getByRole('button', { name: 'Copy reply' })).toBeEnabled();
  await desk.keyboard.press('Alt+c');
  await expect.poll(() => clipboard(desk)).toContain('••••');
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
  await expect(text).toHaveValue('?');
  await expect(list).toBeHidden();
});
