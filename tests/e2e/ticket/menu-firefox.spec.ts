import type { Page } from 'puppeteer-core';

import { sampleCodes } from '#sandbox/seed/sample-codes';
import { openHelpDeskWithFiles } from '#tests/support/help-desk-with-files';
import { evaluateInWindow, findExtensionPage } from '#tests/support/firefox';
import { expect, test, waitForText } from '#tests/support/firefox-fixture';
import { createTestAuthority, installationState } from '#tests/support/license-files';

const demo = sampleCodes('/demo');
const authority = createTestAuthority();

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
