import { generateKeyPairSync } from 'node:crypto';

import type { Page } from '@playwright/test';

import { sampleCodes } from '#sandbox/seed/sample-codes';
import { addConnection, checkCode, pinTestKey } from '#scripts/running/agent';
import { accessibilityProblems } from '#tests/support/accessibility';
import { expect, test } from '#tests/support/extension';
import { saveConnection } from '#tests/support/pages/options-page';
import { codeField } from '#tests/support/pages/popup-page';

const stepOf = (options: Page, id: string, state: string): Promise<void> =>
  expect(options.locator(`[data-step="${id}"]`)).toHaveAttribute('data-state', state);
const press = (options: Page, name: string): Promise<void> =>
  options.getByRole('button', { name, exact: true }).click();
const storedPreferences = (options: Page): Promise<string> =>
  options.evaluate(async () => JSON.stringify(await chrome.storage.local.get('preferences')));
/** Does what coming back to a tab does: Playwright's pages all count as seen. */
const comeBack = (options: Page): Promise<boolean> =>
  options.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));

test('from an empty profile to the first verdict', async ({ extension, sandbox }) => {
  const popup = await extension.open('popup.html');
  await expect(codeField(popup)).toBeFocused();
  await expect(popup.getByText('Which marketplace do you sell on?')).toBeVisible();

  const [options] = await Promise.all([
    extension.now.context.waitForEvent('page'),
    popup.getByRole('button', { name: 'Set up Counterfoil' }).click(),
  ]);
  await options.waitForLoadState();
  expect(new URL(options.url()).pathname).toBe('/options.html');
  await addConnection(options, sandbox.connection('/demo', 'Fenwick'));
  await options.getByRole('button', { name: 'Test connection' }).click();
  for (const fact of ['Ada Fenwick', 'fenwick-studio'])
    await expect(options.getByText(fact).first()).toBeVisible();
  await options.getByText('Details', { exact: true }).click();
  await expect(options.getByText('412.50').first()).toBeVisible();

  await popup.reload();
  await expect(popup.getByText('Fenwick')).toBeVisible();
  const seen = await checkCode(popup, sampleCodes('/demo').supported);
  expect(seen).toMatchObject({ verdict: 'supported' });
});

test('the field takes the focus back, with its text selected, for the next paste', async ({
  extension,
}) => {
  const popup = await extension.open('popup.html');
  const field = codeField(popup);
  await field.fill('no code in here');
  await field.press('Enter');
  await expect(field).toBeFocused();
  await popup.keyboard.insertText('x');
  await expect(field).toHaveValue('x');
});

test('the first steps lead through a wrong key, a refused permission and a break to the pinned key', async ({
  extension,
  sandbox,
}) => {
  let options = await extension.open('options.html');
  await press(options, 'Enter the address');
  const { name, baseAddress, apiKey } = sandbox.connection('/demo');
  await options.getByLabel('Name', { exact: true }).fill(name);
  await options.getByLabel('Base address', { exact: true }).fill(baseAddress);
  await options.getByLabel('API key', { exact: true }).fill('wrong-key');
  await saveConnection(options);
  await stepOf(options, 'permission', 'done');
  await stepOf(options, 'key', 'failed');
  await expect(options.getByText('The key was not accepted.')).toBeVisible();

  // The agent closes the browser. What a failed test said is not stored: the step says so again.
  await extension.restart();
  options = await extension.open('options.html');
  await stepOf(options, 'address', 'done');
  await stepOf(options, 'test', 'next');
  await press(options, 'Run the test');
  await stepOf(options, 'key', 'failed');
  await press(options, 'Enter it again');
  await expect(options.getByLabel('API key', { exact: true })).toBeFocused();
  await options.keyboard.insertText(apiKey);
  await saveConnection(options);
  await stepOf(options, 'key', 'done');
  await stepOf(options, 'test', 'done');
  await expect.poll(() => storedPreferences(options)).toContain('tested:');
  await options.reload();
  await stepOf(options, 'test', 'done');

  // The agent takes the permission back in the browser's settings, and refuses it at first.
  await options.evaluate(
    async (origins) => {
      await chrome.permissions.remove({ origins });
      const { request } = chrome.permissions;
      chrome.permissions.request = () => {
        chrome.permissions.request = request;
        return Promise.resolve(false);
      };
      document.dispatchEvent(new Event('visibilitychange'));
    },
    ['http://127.0.0.1/*'],
  );
  await stepOf(options, 'permission', 'next');
  await press(options, 'Ask the browser');
  await expect(options.getByText('Access was not allowed.')).toBeVisible();
  await stepOf(options, 'permission', 'next');
  await press(options, 'Ask the browser');
  await stepOf(options, 'permission', 'done');
  await expect(options.getByRole('link', { name: 'Open the code field' })).toBeFocused();

  const [panel] = await Promise.all([
    extension.now.context.waitForEvent('page'),
    options.getByRole('link', { name: 'Open the code field' }).click(),
  ]);
  expect(await checkCode(panel, sampleCodes('/demo').supported)).toMatchObject({
    verdict: 'supported',
  });
  await comeBack(options);
  await stepOf(options, 'check', 'done');

  const [verifier] = await Promise.all([
    extension.now.context.waitForEvent('page'),
    options.getByRole('link', { name: 'Open the verifier' }).click(),
  ]);
  const { publicKey } = generateKeyPairSync('ed25519');
  await pinTestKey(verifier, publicKey.export({ type: 'spki', format: 'pem' }).toString());
  await comeBack(options);
  await expect(options.getByText('Nothing is left to set up.')).toBeVisible();
  await options.reload();
  await expect(options.getByRole('article', { name })).toBeVisible();
  await expect(options.getByRole('region', { name: 'First steps' })).toBeHidden();
});

test('steps are skipped, taken up, hidden and shown again, and stay so', async ({ extension }) => {
  const options = await extension.open('options.html');
  const card = options.getByRole('region', { name: 'First steps' });
  await options.locator('[data-step="pin"]').getByRole('button', { name: 'Skip' }).click();
  await stepOf(options, 'pin', 'skipped');
  await expect.poll(() => storedPreferences(options)).toContain('"firstSteps":"pin"');
  await options.reload();
  await stepOf(options, 'pin', 'skipped');
  await press(options, 'Do it after all');
  await stepOf(options, 'pin', 'open');

  await press(options, 'Hide these steps');
  await expect(options.getByRole('button', { name: 'Show them again' })).toBeFocused();
  expect(await accessibilityProblems(options)).toEqual([]);
  await options.reload({ waitUntil: 'networkidle' });
  await press(options, 'Show the first steps again');
  await expect(card.getByRole('heading', { name: 'First steps' })).toBeFocused();
  await stepOf(options, 'address', 'next');
});

test('without an account, the form is filled in for the sandbox', async ({ extension }) => {
  const options = await extension.open('options.html');
  await press(options, 'Try it with the sandbox');
  await expect(options.getByLabel('API key', { exact: true })).toBeFocused();
  await expect(options.getByText('Will ask http://127.0.0.1:8787/demo/api/…')).toBeVisible();
  await expect(options.getByText('starts the sandbox and prints this key')).toBeVisible();
  expect(await accessibilityProblems(options)).toEqual([]);
});

test('the first steps speak German and Arabic, and are whole at 360 px', async ({ extension }) => {
  const options = await extension.open('options.html');
  await options.setViewportSize({ width: 360, height: 740 });
  for (const [language, title] of [
    ['de', 'Erste Schritte'],
    ['ar', 'الخطوات الأولى'],
  ] as const) {
    await options.evaluate((tag) => {
      localStorage.setItem('language', tag);
    }, language);
    await options.reload();
    await expect(options.getByRole('region', { name: title })).toBeVisible();
    await expect
      .poll(() => options.evaluate(() => document.documentElement.scrollWidth - innerWidth))
      .toBe(0);
    expect(await accessibilityProblems(options), language).toEqual([]);
  }
});
