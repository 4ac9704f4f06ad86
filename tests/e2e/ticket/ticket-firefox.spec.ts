import type { Page } from 'puppeteer-core';

import { marketplaceIds } from '#core/marketplaces/marketplace-id';
import { sampleCodes } from '#sandbox/seed/sample-codes';
import { startTinyServer } from '#tests/adapters/http/tiny-server';
import { evaluateInWindow } from '#tests/support/firefox';
import { expect, test, verdictOn } from '#tests/support/firefox-fixture';
import { marketplaceDraft, ticketOfEach, verdictOfEach } from '#tests/support/marketplaces';
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

test('popup, sidebar and chips work in the stock Firefox, and a ticket with a code of each place has four right verdicts', async ({
  firefox,
  sandbox,
}) => {
  const options = await firefox.connect();
  for (const id of marketplaceIds)
    await options.evaluate(
      (body) =>
        chrome.runtime.sendMessage({ topic: 'connections.save', nonce: crypto.randomUUID(), body }),
      marketplaceDraft(sandbox, id),
    );

  await firefox.allow(options, new URL(firefox.desk).origin);

  const ticket = await firefox.browser.newPage();
  await ticket.goto(`${firefox.desk}/tickets/1042`);
  const point = await pointOf(ticket);
  await ticket.mouse.click(point.x, point.y);

  // The sidebar's page in a tab; menu-firefox.spec.ts looks into the sidebar itself.
  const panel = await firefox.open('sidepanel.html');
  expect(await verdictOn(panel, demo.supported)).toBe('supported');

  const popup = await firefox.open('popup.html');
  await popup.locator('textarea').fill(ticketOfEach);
  await popup.keyboard.press('Enter');
  const shown = (): Promise<(string | undefined)[]> =>
    popup.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('[data-verdict]:not([aria-busy])')].map(
        ({ dataset }) => dataset['because'] ?? dataset['verdict'],
      ),
    );
  await expect.poll(shown, { timeout: 60_000 }).toEqual(verdictOfEach);
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

/** What the chip of the page in front says; it stands in a closed shadow root, which the browser's own scripts alone see into. */
const chipSays = `new Promise((resolve) => {
  const { messageManager } = gBrowser.selectedBrowser;
  messageManager.addMessageListener('chip', function listen({ data }) {
    messageManager.removeMessageListener('chip', listen);
    resolve(data);
  });
  const script = \`{
    const host = content.document.documentElement.lastElementChild;
    const chip = host?.openOrClosedShadowRoot?.querySelector('button:not([hidden])');
    sendAsyncMessage('chip', chip?.ariaLabel ?? '');
  }\`;
  messageManager.loadFrameScript('data:,' + encodeURIComponent(script), false);
})`;

test('no observer and no measure of the page tells one verdict from another in the stock Firefox', async ({
  firefox,
}) => {
  // What is large on a page is told of once: nothing on this one is larger than a chip.
  const site = await startTinyServer(({ url = '' }, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(
      `<!doctype html><html style="transform: scale(2); transform-origin: 0 0"><title>Ticket</title>
      <body style="font: 4px monospace"><p>${url.slice(1)}</p>`,
    );
  });
  const origin = site.origin.replace('127.0.0.1', 'localhost');
  const options = await firefox.connect();
  await firefox.allow(options, origin);
  const automatic = { topic: 'sites.set-automatic', body: { origin, on: true } };
  await options.evaluate(
    (message) => chrome.runtime.sendMessage({ ...message, nonce: crypto.randomUUID() }),
    automatic,
  );
  const told: string[][] = [];
  for (const [code, verdict] of [
    [demo.supported, 'Supported'],
    [demo.lapsed, 'Support ended'],
    [demo.noSupport, 'No support'],
    [demo.unknown, 'Not found'],
  ] as const) {
    const ticket = await firefox.browser.newPage();
    await ticket.evaluateOnNewDocument(watchEverything);
    await ticket.goto(`${origin}/${code}`);
    await ticket.bringToFront();
    await expect
      .poll(() => evaluateInWindow(firefox.browser, chipSays))
      .toBe(`${verdict}: ${code}`);
    // Two frames with the verdict in them have been drawn, and what is told of them has come.
    await ticket.screenshot();
    await waitForAbsence(300);
    told.push(await ticket.evaluate(measureEverything));
    await ticket.close();
  }
  const [first = [], ...others] = told;
  expect(first.join('\n')).toContain('#');
  for (const other of others) expect(other).toEqual(first);
  await site.close();
});

async function pointOf(page: Page): Promise<{ x: number; y: number }> {
  const found = await page.waitForFunction(chipAt, { timeout: 90_000 });
  return (await found.jsonValue()) as { x: number; y: number };
}
