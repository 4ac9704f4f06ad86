import type { Page } from '@playwright/test';

import { sampleCodes } from '#sandbox/seed/sample-codes';
import {
  clickToolbar,
  expect,
  hiddenPage,
  test,
  verdictIn,
  hiddenPageWith,
} from '#tests/support/ticket';
import { waitForAbsence } from '#tests/support/waits';
import { takeTab } from '#tests/support/tabs';

const demo = sampleCodes('/demo');

async function selectText(page: Page, text: string): Promise<void> {
  await page.evaluate((wanted) => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const at = node.textContent?.indexOf(wanted) ?? -1;
      if (at < 0) continue;
      getSelection()?.setBaseAndExtent(node, at, node, at + wanted.length);
      return;
    }
    throw new Error('The text is not on the page.');
  }, text);
}

test('a click on the toolbar checks the selected code at once', async ({
  connect,
  extension,
  desk,
}) => {
  await connect('/demo');
  const page = await takeTab(extension.now.context);
  await page.goto(`${desk}/tickets/1043`);
  await selectText(page, demo.noSupport);
  await clickToolbar(extension, page);
  const opened = await hiddenPageWith(extension, 'popup.html', 'no-support');
  expect(await opened.evaluate(`document.querySelector('#code').value`)).toBe(demo.noSupport);
});

test('a frame that never loads keeps no code from the popup', async ({
  connect,
  extension,
  desk,
}) => {
  await connect('/demo');
  const page = await takeTab(extension.now.context);
  const show = (path: string, body: string): Promise<unknown> =>
    page.route(`${desk}/${path}`, (route) =>
      route.fulfill({ contentType: 'text/html', body: `<!doctype html>${body}` }),
    );
  await show('ticket', `<p>${demo.noSupport}</p><iframe src="frame"></iframe>`);
  await show('frame', '<p>Loading</p><script src="never.js"></script>');
  await page.route(`${desk}/never.js`, () => undefined);
  const asked = page.waitForRequest(`${desk}/never.js`);
  await page.goto(`${desk}/ticket`, { waitUntil: 'commit' });
  await asked;
  await selectText(page, demo.noSupport);
  await clickToolbar(extension, page);
  await hiddenPageWith(extension, 'popup.html', 'no-support');
});

test('codes merely found on a page wait for Enter, and the popup offers verdicts on the site', async ({
  connect,
  extension,
  desk,
}) => {
  await connect('/demo');
  const page = await takeTab(extension.now.context);
  await page.goto(`${desk}/tickets/1041`);
  await clickToolbar(extension, page);
  const opened = await hiddenPage(extension, 'popup.html');
  await expect
    .poll(() => opened.evaluate(`document.querySelector('#code')?.value`))
    .toBe(demo.supported);
  const button = `[...document.querySelectorAll('.site-offer button')].find((one) => one.textContent.includes('Show verdicts'))`;
  await expect.poll(() => opened.evaluate(`Boolean(${button})`)).toBe(true);
  await waitForAbsence(300);
  expect(await verdictIn(opened)).toBe('');
});

test('the menu’s handlers bring a license to the verifier, and a code to a verdict', async ({
  connect,
  extension,
  desk,
}) => {
  await connect('/demo');
  const page = await takeTab(extension.now.context);
  await page.goto(`${desk}/tickets/1041`);
  await page.bringToFront();
  const choose = (menuItemId: 'check' | 'inspect', selectionText: string): Promise<void> =>
    extension.now.worker.evaluate(
      async (info) => {
        const [tab] = await chrome.tabs.query({ active: true, currentWindow: true });
        const clicked = chrome.contextMenus.onClicked as unknown as {
          dispatch: (info: object, tab: object | undefined) => void;
        };
        clicked.dispatch(info, tab);
      },
      { menuItemId, selectionText },
    );
  const opening = extension.now.context.waitForEvent('page');
  const license = `eyJsaWNlbnNlX2lkIjoiTC0xIiwicHJvZHVjdF9zbHVnIjoib3JiaXQifQ.${'A'.repeat(86)}`;
  await choose('inspect', license);
  const verifier = await opening;
  await expect(verifier).toHaveURL(/\/verifier\.html$/);
  await expect(verifier.getByText('1 file checked')).toBeVisible();
  await verifier.close();

  // Without a real gesture the panel does not open; the popup stands in for it.
  await choose('check', demo.lapsed);
  await hiddenPageWith(extension, 'popup.html', 'lapsed');
});
