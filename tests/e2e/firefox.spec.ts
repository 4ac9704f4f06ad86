import { join } from 'node:path';

import { expect, test } from '@playwright/test';

import { sampleCodes } from '#sandbox/seed/sample-codes';
import { root } from '#scripts/processes';
import { launchFirefox, openExtensionPage } from '#tests/support/firefox';
import { openSandbox } from '#tests/support/sandbox';

const firefox = process.env['FIREFOX'] ?? '';

test.skip(firefox === '', 'There is no Firefox on this machine and none could be installed.');

test('a code is checked in the stock Firefox', async () => {
  test.setTimeout(90_000);
  const sandbox = await openSandbox();
  const browser = await launchFirefox(
    firefox,
    join(root, '.output/firefox-mv3'),
    'counterfoil@example.org',
  );
  const { name, baseAddress, apiKey } = sandbox.connection('/demo', 'Fenwick');

  const options = await openExtensionPage(browser, 'options.html');
  await options.locator('::-p-aria([name="Add connection"][role="button"])').click();
  await options.locator('::-p-aria([name="Name"][role="textbox"])').fill(name);
  await options.locator('::-p-aria([name="Base address"][role="textbox"])').fill(baseAddress);
  await options.locator('input[type="password"]').fill(apiKey);
  await options.locator('::-p-aria([name="Save"][role="button"])').click();
  await options.waitForFunction(() => document.querySelector('input[type="password"]') === null);

  const popup = await openExtensionPage(browser, 'popup.html');
  await popup.locator('textarea').fill(sampleCodes('/demo').supported);
  await popup.locator('::-p-aria([name="Check"][role="button"])').click();
  const verdict = await popup.waitForSelector('[data-verdict]:not([aria-busy])');
  expect(await verdict?.evaluate((element) => element.getAttribute('data-verdict'))).toBe(
    'supported',
  );
  await browser.close();
  await sandbox.close();
});
