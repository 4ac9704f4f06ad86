import { join } from 'node:path';

import { expect, test } from '@playwright/test';
import type { Page } from 'puppeteer-core';

import { sampleCodes } from '#sandbox/seed/sample-codes';
import { root } from '#scripts/processes';
import { launchFirefox, openExtensionPage } from '#tests/support/firefox';
import { openSandbox } from '#tests/support/sandbox';

const firefox = process.env['FIREFOX'] ?? '';
const demo = sampleCodes('/demo');

test.skip(firefox === '', 'There is no Firefox on this machine and none could be installed.');

const settled = '[data-verdict]:not([aria-busy])';

/** The element at the place where the chip of the one code on the page is due; a chip's is the host beside the body. */
const chipAt = `(() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const at = walker.currentNode.data.search(/31ccb384/i);
    if (at < 0) continue;
    const range = document.createRange();
    range.setStart(walker.currentNode, at);
    range.setEnd(walker.currentNode, at + 36);
    const { right, top, height } = range.getBoundingClientRect();
    const point = { x: right + 40, y: top + height / 2 };
    const hit = document.elementFromPoint(point.x, point.y);
    return hit?.parentElement === document.documentElement && hit.tagName === 'DIV' ? point : null;
  }
  return null;
})()`;

test('popup, sidebar and chips work in the stock Firefox', async () => {
  test.setTimeout(150_000);
  const sandbox = await openSandbox();
  const build = join(root, '.output/firefox-mv3');
  const browser = await launchFirefox(firefox, build, 'counterfoil@example.org');
  const desk = `${sandbox.origin.replace('127.0.0.1', 'localhost')}/desk`;
  const { name, baseAddress, apiKey } = sandbox.connection('/demo', 'Fenwick');

  const options = await openExtensionPage(browser, 'options.html');
  await options.locator('::-p-aria([name="Add connection"][role="button"])').click();
  await options.locator('::-p-aria([name="Name"][role="textbox"])').fill(name);
  await options.locator('::-p-aria([name="Base address"][role="textbox"])').fill(baseAddress);
  await options.locator('input[type="password"]').fill(apiKey);
  await options.locator('::-p-aria([name="Save"][role="button"])').click();
  await options.waitForFunction(() => document.querySelector('input[type="password"]') === null);

  // Listed first, then permitted with a real click.
  await options.evaluate(async (origin) => {
    await chrome.runtime.sendMessage({
      topic: 'sites.allow',
      nonce: crypto.randomUUID(),
      body: { origin },
    });
  }, new URL(desk).origin);
  await options.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await options.locator('.sites-list .button').click();
  await options.waitForFunction(() => document.querySelector('.sites-list .notice') === null);

  const ticket = await browser.newPage();
  await ticket.goto(`${desk}/tickets/1042`);
  const point = await pointOf(ticket);
  await ticket.mouse.click(point.x, point.y);

  // The sidebar's page in a tab; menu-firefox.spec.ts looks into the sidebar itself.
  const panel = await openExtensionPage(browser, 'sidepanel.html');
  await panel.locator('textarea').fill(demo.supported);
  await panel.locator('::-p-aria([name="Check"][role="button"])').click();
  const verdict = await panel.waitForSelector(settled);
  expect(await verdict?.evaluate((element) => element.getAttribute('data-verdict'))).toBe(
    'supported',
  );
  await browser.close();
  await sandbox.close();
});

async function pointOf(page: Page): Promise<{ x: number; y: number }> {
  const found = await page.waitForFunction(chipAt, { timeout: 20_000 });
  return (await found.jsonValue()) as { x: number; y: number };
}
