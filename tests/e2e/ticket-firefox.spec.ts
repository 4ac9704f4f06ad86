import type { Page } from 'puppeteer-core';

import { sampleCodes } from '#sandbox/seed/sample-codes';
import { expect, test, verdictOn } from '#tests/support/firefox-fixture';

const demo = sampleCodes('/demo');

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

test('popup, sidebar and chips work in the stock Firefox', async ({ firefox }) => {
  const options = await firefox.connect();

  await firefox.allow(options, new URL(firefox.desk).origin);

  const ticket = await firefox.browser.newPage();
  await ticket.goto(`${firefox.desk}/tickets/1042`);
  const point = await pointOf(ticket);
  await ticket.mouse.click(point.x, point.y);

  // The sidebar's page in a tab; menu-firefox.spec.ts looks into the sidebar itself.
  const panel = await firefox.open('sidepanel.html');
  expect(await verdictOn(panel, demo.supported)).toBe('supported');
});

async function pointOf(page: Page): Promise<{ x: number; y: number }> {
  const found = await page.waitForFunction(chipAt, { timeout: 90_000 });
  return (await found.jsonValue()) as { x: number; y: number };
}
