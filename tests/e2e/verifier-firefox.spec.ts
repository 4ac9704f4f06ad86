import { join } from 'node:path';

import { expect, test } from '@playwright/test';

import { root } from '#scripts/processes';
import { launchFirefox, openExtensionPage } from '#tests/support/firefox';
import { createTestAuthority, installationState } from '#tests/support/license-files';

const firefox = process.env['FIREFOX'] ?? '';

test.skip(firefox === '', 'There is no Firefox on this machine and none could be installed.');

test('a license is judged in the stock Firefox, and its engines pass the self-test', async () => {
  test.setTimeout(90_000);
  const authority = createTestAuthority();
  const browser = await launchFirefox(
    firefox,
    join(root, '.output/firefox-mv3'),
    'counterfoil@example.org',
  );
  const page = await openExtensionPage(browser, 'verifier.html');
  await page.locator('::-p-aria([name="Public key"][role="textbox"])').fill(authority.publicKey);
  await page.locator('::-p-aria([name="Pin key"][role="button"])').click();
  await page.locator('::-p-aria([name="Confirm"][role="button"])').click();
  await page.waitForSelector('.key-row');
  await page
    .locator('::-p-aria([name="License text"][role="textbox"])')
    .fill(installationState(authority));
  const result = await page.waitForSelector('[data-standing]');
  expect(await result?.evaluate((element) => element.getAttribute('data-standing'))).toBe(
    'activated',
  );

  await page.evaluate(() => {
    document.querySelector('details.self-test')?.setAttribute('open', '');
  });
  await page.locator('::-p-aria([name="Run the self-test"][role="button"])').click();
  const passed = await page.waitForSelector('[data-self-test]');
  expect(await passed?.evaluate((element) => element.textContent.trim())).toMatch(
    /^All \d+ cases as due$/,
  );
  const engines = await page.$$eval('.self-test thead th', (cells) =>
    cells.map((cell) => cell.textContent.trim()),
  );
  expect(engines).toContain('JavaScript');
  await browser.close();
});
