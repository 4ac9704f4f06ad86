import type { Page } from 'puppeteer-core';

import { sampleCodes } from '#sandbox/seed/sample-codes';
import { expect, test, verdictOn } from '#tests/support/firefox-fixture';
import { waitForAbsence } from '#tests/support/waits';
import { measureEverything, watchEverything } from '#tests/support/watching-page';

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

test('a reply goes into the reply field of the ticket in front, and can be undone there', async ({
  firefox,
}) => {
  const options = await firefox.connect();
  await firefox.allow(options, new URL(firefox.desk).origin);
  const panel = await firefox.open('sidepanel.html');
  const ticket = await firefox.browser.newPage();
  await ticket.goto(`${firefox.desk}/tickets/1042`);
  await ticket.bringToFront();
  await ticket.focus('textarea');
  // The panel follows the ticket in front and checks its code.
  await panel.waitForFunction(
    () => {
      const isSettled = document.querySelector('[data-verdict="lapsed"]:not([aria-busy])') !== null;
      return isSettled && document.querySelector('[data-shortcut="insert"]') !== null;
    },
    { timeout: 90_000 },
  );
  await panel.$eval('[data-shortcut="insert"]', (button) => {
    if (button instanceof HTMLElement) button.click();
  });
  const written = (): Promise<string> => ticket.$eval('textarea', (area) => area.value);
  await expect.poll(written).toMatch(/Hello,[\s\S]*Its support ended/u);
  await ticket.keyboard.down('Control');
  await ticket.keyboard.press('z');
  await ticket.keyboard.up('Control');
  await expect.poll(written).not.toMatch(/Hello/u);
});

test('no observer and no measure of the page tells one verdict from another in the stock Firefox', async ({
  firefox,
  sandbox,
}) => {
  const options = await firefox.connect();
  await sandbox.reset();
  const { origin } = new URL(firefox.desk);
  await firefox.allow(options, origin);
  const automatic = { topic: 'sites.set-automatic', body: { origin, on: true } };
  await options.evaluate(
    (message) => chrome.runtime.sendMessage({ ...message, nonce: crypto.randomUUID() }),
    automatic,
  );
  const told: string[][] = [];
  for (const code of [demo.supported, demo.lapsed, demo.noSupport, demo.unknown]) {
    const ticket = await firefox.browser.newPage();
    await ticket.evaluateOnNewDocument(watchEverything);
    // Before the first paint, so that nothing larger than a chip has been told.
    await ticket.evaluateOnNewDocument((text) => {
      document.addEventListener('DOMContentLoaded', () => {
        document.head.replaceChildren();
        document.body.innerHTML = `<p>${text}</p>`;
        document.body.style.font = '4px monospace';
        document.documentElement.style.transformOrigin = '0 0';
        document.documentElement.style.transform = 'scale(2)';
      });
    }, code);
    await ticket.goto(`${firefox.desk}/tickets/1042`);
    await ticket.waitForFunction(
      () => document.documentElement.lastElementChild?.tagName === 'DIV',
      { timeout: 30_000 },
    );
    const asked = async (): Promise<number> => {
      const requests = await sandbox.apiRequests();
      return requests.filter(({ path }) => path.endsWith('/validation')).length;
    };
    await expect.poll(asked, { timeout: 30_000 }).toBeGreaterThan(told.length);
    // The verdict comes within this time, and what the browser tells of it.
    await waitForAbsence(1_000);
    told.push(await ticket.evaluate(measureEverything));
    await ticket.close();
  }
  const [first = [], ...others] = told;
  expect(first.join('\n')).toContain('#');
  for (const other of others) expect(other).toEqual(first);
});

async function pointOf(page: Page): Promise<{ x: number; y: number }> {
  const found = await page.waitForFunction(chipAt, { timeout: 90_000 });
  return (await found.jsonValue()) as { x: number; y: number };
}
