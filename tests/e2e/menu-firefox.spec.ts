import type { Browser, Page } from 'puppeteer-core';

import { sampleCodes } from '#sandbox/seed/sample-codes';
import { expect, test } from '#tests/support/firefox-fixture';

const demo = sampleCodes('/demo');

/** Chooses the entry in the open context menu as a person does, and gives its label. */
const chooseCheck = `(async () => {
  const shown = (popup) =>
    popup.state === 'open' ||
    new Promise((resolve) => popup.addEventListener('popupshown', resolve, { once: true }));
  const menu = document.getElementById('contentAreaContextMenu');
  await shown(menu);
  const item = [...menu.querySelectorAll('menuitem')].find(({ id }) => /counterfoil.*_check$/.test(id));
  // The extension has more than one entry, and Firefox puts them into a menu of its own.
  item.closest('menu').openMenu(true);
  await shown(item.parentNode);
  item.parentNode.activateItem(item);
  return item.label;
})()`;

/** The code and the settled verdict in the sidebar, which runs in a process of its own; empty until they are there. */
const sidebarShows = `(async () => {
  const sidebar = document.getElementById('sidebar')?.contentDocument;
  const messages = sidebar?.getElementById('webext-panels-browser')?.messageManager;
  if (!messages) return '';
  const told = new Promise((resolve) => {
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
  return Promise.race([told, new Promise((resolve) => setTimeout(resolve, 1000, ''))]);
})()`;

test('the context menu brings a selected code to the sidebar of the stock Firefox', async ({
  firefox,
}) => {
  await firefox.connect();

  const ticket = await firefox.browser.newPage();
  await ticket.goto(`${firefox.desk}/tickets/1041`);
  await ticket.bringToFront();
  const { x, y } = await select(ticket, demo.supported);
  await ticket.mouse.click(x, y, { button: 'right' });
  expect(await inWindow(firefox.browser, chooseCheck)).toBe(
    `Check purchase code “${demo.supported}”`,
  );
  await expect
    .poll(() => inWindow(firefox.browser, sidebarShows))
    .toBe(`${demo.supported} supported`);
});

/** Selects a text of the page, and gives the middle of the selection. */
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
      const { left, top, width, height } = range.getBoundingClientRect();
      return { x: left + width / 2, y: top + height / 2 };
    }
    throw new Error('The text is not on the page.');
  }, text);
}

interface Bidi {
  send(method: string, params: object): Promise<{ result: unknown }>;
}

/** Evaluates an expression that settles with a string in Firefox's own window, around the pages. */
async function inWindow(browser: Browser, expression: string): Promise<string> {
  // Puppeteer does not declare its connection, and has no way into the window by itself.
  const { connection } = browser as unknown as { connection: Bidi };
  const tree = await connection.send('browsingContext.getTree', { 'moz:scope': 'chrome' });
  const [window] = (tree.result as { contexts: { context: string }[] }).contexts;
  const { result } = await connection.send('script.evaluate', {
    expression,
    awaitPromise: true,
    target: { context: window?.context },
  });
  const reply = result as { result?: { value: string }; exceptionDetails?: { text: string } };
  if (reply.result === undefined) throw new Error(reply.exceptionDetails?.text);
  return reply.result.value;
}
