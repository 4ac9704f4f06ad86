import { generateKeyPairSync } from 'node:crypto';

import type { Page } from '@playwright/test';

import { sampleCodes } from '#sandbox/seed/sample-codes';
import { checkCode, pinTestKey } from '#scripts/running/agent';
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
test('from the installed extension to the first verdict in four clicks, the name taken from the account; pages that are open take over a connection that is added or deleted', async ({
  extension,
  sandbox,
}) => {
  const panel = await extension.open('sidepanel.html');
  const desk = await extension.open('desk.html#account');
  const setUp = (page: Page): ReturnType<Page['getByRole']> =>
    page.getByRole('button', { name: 'Set up Counterfoil' });
  for (const page of [panel, desk]) await expect(setUp(page)).toBeVisible();
  let clicks = 0;
  const click = async (within: Page, name: string): Promise<void> => {
    clicks += 1;
    await within.getByRole('button', { name, exact: true }).click();
  };
  // The icon in the toolbar.
  clicks += 1;
  const popup = await extension.open('popup.html');
  await expect(codeField(popup)).toBeFocused();

  const [options] = await Promise.all([
    extension.now.context.waitForEvent('page'),
    click(popup, 'Set up Counterfoil'),
  ]);
  await options.waitForLoadState();
  expect(new URL(options.url()).pathname).toBe('/options.html');
  const { baseAddress, apiKey } = sandbox.connection('/demo');
  await expect(options.getByLabel('Where do you sell?')).toBeFocused();
  await options.keyboard.press('Tab');
  await options.keyboard.insertText(baseAddress);
  await options.keyboard.press('Tab');
  await options.keyboard.insertText(apiKey);
  await options.evaluate(() => {
    const { body } = document;
    new MutationObserver(() => {
      const strayed = [...document.querySelectorAll('input[type="password"]')].filter(
        (field) => field.closest('#connections') !== null,
      );
      if (strayed.length > 0) body.dataset['strayed'] = '';
    }).observe(body, { childList: true, subtree: true });
  });
  await click(options, 'Save');
  // The browser's own prompt, which no script reaches: its "Allow".
  clicks += 1;
  await expect(codeField(options)).toBeFocused();
  await expect(options.getByText('Connected: fenwick-studio')).toBeVisible();
  await options.evaluate(async (code) => {
    await navigator.clipboard.writeText(code);
  }, sampleCodes('/demo').supported);
  await options.keyboard.press('Control+V');
  await expect(options.locator('[data-verdict="supported"]')).toBeVisible();
  await stepOf(options, 'check', 'done');
  // The form closes where it was, and does not come up among the connections.
  await expect(options.locator('body')).not.toHaveAttribute('data-strayed');
  await expect(options.getByText('Connected: fenwick-studio')).toBeInViewport();
  expect(clicks).toBe(4);

  await popup.reload();
  await expect(popup.getByText('fenwick-studio')).toBeVisible();

  for (const page of [panel, desk]) await expect(setUp(page)).toHaveCount(0);
  await expect(desk.getByText('Ada Fenwick')).toBeVisible();
  await press(options, 'Delete');
  for (const page of [panel, desk]) await expect(setUp(page)).toBeVisible();
  await press(options, 'Undo');
  for (const page of [panel, desk]) await expect(setUp(page)).toHaveCount(0);
});

test('the first steps lead through a wrong key, a refused permission and a break to the pinned key', async ({
  extension,
  sandbox,
}) => {
  const options = await extension.open('options.html');
  await press(options, 'Add connection');
  const { name, baseAddress, apiKey } = sandbox.connection('/demo');
  await options.getByLabel('Name', { exact: true }).fill(name);
  await options.getByLabel('Base address', { exact: true }).fill(baseAddress);
  await options.getByLabel('API key', { exact: true }).fill('wrong-key');
  // Its form opens again before its absence could be seen.
  await press(options, 'Save');
  await stepOf(options, 'connect', 'failed');
  const { host } = new URL(baseAddress);
  await expect(options.getByText(`${host} does not accept it`)).toBeVisible();
  await expect(options.getByLabel('API key', { exact: true })).toBeFocused();

  await options.reload();
  await expect(options.getByText(`${name} does not accept the API key`)).toBeVisible();
  await stepOf(options, 'connect', 'failed');
  await press(options, 'Edit');
  await options.getByLabel('API key', { exact: true }).fill(apiKey);
  await saveConnection(options);
  await stepOf(options, 'connect', 'done');
  await expect.poll(() => storedPreferences(options)).toContain('tested:');
  await options.reload();
  await stepOf(options, 'connect', 'done');

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
  await stepOf(options, 'connect', 'next');
  await press(options, 'Allow access');
  await stepOf(options, 'connect', 'next');
  await press(options, 'Allow access');
  await stepOf(options, 'connect', 'done');
  // It has its own section by now, which the agent is in.
  await expect(options.getByRole('article', { name })).toBeFocused();

  // A first code that is checked elsewhere is noticed at once.
  const panel = await extension.open('sidepanel.html');
  expect(await checkCode(panel, sampleCodes('/demo').supported)).toMatchObject({
    verdict: 'supported',
  });
  await stepOf(options, 'check', 'done');

  await options.getByRole('link', { name: 'Open the verifier' }).click();
  const { publicKey } = generateKeyPairSync('ed25519');
  await pinTestKey(options, publicKey.export({ type: 'spki', format: 'pem' }).toString());
  await options.goBack();
  await expect(options.getByRole('article', { name })).toBeVisible();
  await expect(options.getByRole('region', { name: 'First steps' })).toBeHidden();
});

test('steps are hidden and shown again, and stay so; without an account, the form is filled in for the sandbox', async ({
  extension,
}) => {
  const options = await extension.open('options.html');
  const card = options.getByRole('region', { name: 'First steps' });
  await press(options, 'Hide these steps');
  await expect(options.getByRole('button', { name: 'Show them again' })).toBeFocused();
  expect(await accessibilityProblems(options)).toEqual([]);
  await options.reload({ waitUntil: 'networkidle' });
  await press(options, 'Show the first steps again');
  await expect(card.getByRole('heading', { name: 'First steps' })).toBeFocused();
  await stepOf(options, 'connect', 'next');

  await press(options, 'Try it with the sandbox');
  await expect(options.getByLabel('API key', { exact: true })).toBeFocused();
  await expect(options.getByText('Will ask http://127.0.0.1:8787/demo/api/…')).toBeVisible();
  await expect(options.getByText('starts the sandbox and prints this key')).toBeVisible();
  expect(await accessibilityProblems(options)).toEqual([]);

  await test.step('the first steps speak German and Arabic, and are whole at 360 px', async () => {
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
});
