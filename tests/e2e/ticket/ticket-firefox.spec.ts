import { setTimeout as pause } from 'node:timers/promises';

import type { Page } from 'puppeteer-core';

import { marketplaceIds } from '#core/marketplaces/index';
import { market } from '#sandbox/seed/accounts';
import { sampleCodes } from '#sandbox/seed/sample-codes';
import { startTinyServer } from '#tests/adapters/http/tiny-server';
import {
  evaluateInWindow,
  findExtensionPage,
  savedText,
  stopEventPage,
} from '#tests/support/firefox';
import { expect, press, test, verdictOn, waitForText } from '#tests/support/firefox-fixture';
import { openHelpDeskWithFiles } from '#tests/support/help-desk-with-files';
import { createTestAuthority, installationState } from '#tests/support/license-files';
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

test('popup, sidebar and chips work in the stock Firefox, and a ticket with a code of each place has the right verdicts', async ({
  firefox,
  sandbox,
}) => {
  const options = await firefox.connect();
  await firefox.allow(options, new URL(firefox.desk).origin);
  await test.step('a reply goes into the reply field of the ticket in front, and can be undone there', async () => {
    const panel = await firefox.open('sidepanel.html');
    const ticket = await firefox.browser.newPage();
    await ticket.goto(`${firefox.desk}/tickets/1042`);
    await ticket.bringToFront();
    await ticket.focus('textarea');
    // The panel follows the ticket in front and checks its code.
    await panel.waitForFunction(
      () => {
        const isSettled =
          document.querySelector('[data-verdict="lapsed"]:not([aria-busy])') !== null;
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
    await ticket.close();
    await panel.close();
  });

  for (const id of marketplaceIds)
    await options.evaluate(
      (body) =>
        chrome.runtime.sendMessage({ topic: 'connections.save', nonce: crypto.randomUUID(), body }),
      marketplaceDraft(sandbox, id),
    );
  const ticket = await firefox.browser.newPage();
  await ticket.goto(`${firefox.desk}/tickets/1042`);
  const point = await pointOf(ticket);
  await ticket.mouse.click(point.x, point.y);

  // The sidebar's page in a tab; the menu's test looks into the sidebar itself.
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

/**
 * What the chip of the page in front says; it stands in a closed shadow root, which the browser's own scripts alone see
 * into.
 */
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

/** Chooses an entry in the open context menu as a person does, and gives its label. */
const choose = (id: string): string => `(async () => {
  const shown = (popup) =>
    popup.state === 'open' ||
    new Promise((resolve) => popup.addEventListener('popupshown', resolve, { once: true }));
  const menu = document.getElementById('contentAreaContextMenu');
  await shown(menu);
  const item = [...menu.querySelectorAll('menuitem')].find(({ id }) => /counterfoil.*-menuitem-_${id}$/.test(id));
  // Several entries of the extension stand in a menu of their own.
  const group = item.closest('menu');
  if (group !== null) {
    group.openMenu(true);
    await shown(item.parentNode);
  }
  item.parentNode.activateItem(item);
  return item.label;
})()`;

/** The code and the settled verdict in the sidebar, which runs in a process of its own; empty until they are there. */
const sidebarShows = `(async () => {
  const sidebar = document.getElementById('sidebar')?.contentDocument;
  const messages = sidebar?.getElementById('webext-panels-browser')?.messageManager;
  if (!messages) return '';
  const answered = new Promise((resolve) => {
    messages.addMessageListener('shows', function listen({ data }) {
      messages.removeMessageListener('shows', listen);
      resolve(data);
    });
  });
  const script = \`{
    const page = content.document;
    const verdict = page.querySelector('[data-verdict]:not([aria-busy])')?.dataset.verdict;
    sendAsyncMessage('shows', verdict ? page.querySelector('textarea').value + ' ' + verdict : '');
  }\`;
  messages.loadFrameScript('data:,' + encodeURIComponent(script), false);
  return Promise.race([answered, new Promise((resolve) => setTimeout(resolve, 1000, ''))]);
})()`;

test('the context menu brings a selected code to the sidebar of the stock Firefox, and a license and a linked file to the verifier', async ({
  firefox,
}) => {
  const authority = createTestAuthority();
  const options = await firefox.connect();

  const ticket = await firefox.browser.newPage();
  await ticket.goto(`${firefox.desk}/tickets/1041`);
  const openMenu = async ({ x, y }: { x: number; y: number }): Promise<void> => {
    await ticket.bringToFront();
    await ticket.mouse.click(x, y, { button: 'right' });
  };
  await ticket.bringToFront();
  await openMenu(await select(ticket, demo.supported));
  expect(await evaluateInWindow(firefox.browser, choose('check'))).toBe(
    `Check purchase code “${demo.supported}”`,
  );
  await expect
    .poll(() => evaluateInWindow(firefox.browser, sidebarShows))
    .toBe(`${demo.supported} supported`);

  const [license = ''] = /[\w-]{20,}\.[\w-]{80,}/.exec(installationState(authority)) ?? [];
  await ticket.evaluate((text) => {
    document.querySelector('main')?.prepend(text);
  }, license);
  await openMenu(await select(ticket, license));
  expect(await evaluateInWindow(firefox.browser, choose('inspect'))).toBe('Inspect license');
  const expectVerifier = async (shown: string): Promise<void> => {
    const verifier = await findExtensionPage(firefox.browser, 'verifier.html');
    await waitForText(verifier, shown);
    await verifier.close();
  };
  await expectVerifier('1 file checked');

  const desk = await openHelpDeskWithFiles(installationState(authority));
  await options.bringToFront();
  await firefox.allow(options, desk.origin);
  await ticket.goto(desk.origin);
  for (const [path, shown] of [
    ['/files/1', 'state of shop.json'],
    ['/files/elsewhere.json', '“elsewhere.json” is on another site'],
  ] as const) {
    await ticket.bringToFront();
    const place = await ticket.evaluate((address) => {
      const link = document.createElement('a');
      link.href = address;
      link.textContent = 'the attached file';
      document.body.replaceChildren(link);
      const { left, top, width, height } = link.getBoundingClientRect();
      return { x: left + width / 2, y: top + height / 2 };
    }, path);
    await openMenu(place);
    expect(await evaluateInWindow(firefox.browser, choose('inspect-link'))).toBe(
      'Inspect with Counterfoil',
    );
    await expectVerifier(shown);
  }
  expect(desk.elsewhere.asked()).toBe(0);
  await desk.close();
});

/** Selects a text of the page, and gives a point on its beginning: a long one may run out of the window. */
async function select(page: Page, text: string): Promise<{ x: number; y: number }> {
  return page.evaluate((wanted) => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const at = node.textContent?.indexOf(wanted) ?? -1;
      if (at < 0) continue;
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + wanted.length);
      getSelection()?.removeAllRanges();
      getSelection()?.addRange(range);
      const { left = 0, top = 0, height = 0 } = range.getClientRects()[0] ?? {};
      return { x: left + 10, y: top + height / 2 };
    }
    throw new Error('The text is not on the page.');
  }, text);
}

test('a bulk check in the stock Firefox comes to its end while the event page is stopped again and again', async ({
  firefox,
}) => {
  const codes = market.purchases.slice(0, 12).map(({ code }) => code);
  await firefox.connect('/market');
  const desk = await firefox.open('desk.html');
  await desk.locator('#bulk-text').fill(codes.join('\n'));
  await press(desk, `Check ${String(codes.length)} codes`);
  await waitForText(desk, `of ${String(codes.length)}`);
  for (let stop = 0; stop < 4; stop += 1) {
    // Part of what is tested: the page is stopped in the middle of a run.
    await pause(1500);
    await stopEventPage(firefox.browser);
  }
  await waitForText(desk, 'Finished');

  const { text } = await savedText(firefox.downloads, () => press(desk, 'CSV'));
  const [head = '', ...rows] = text.trim().split(/\r?\n/);
  expect(head).toContain('Code');
  expect(rows.map((row) => codes.find((code) => row.includes(code)))).toEqual(codes);
  expect(rows.filter((row) => /Waiting|No answer/.test(row))).toEqual([]);
});
