import { openHelpDeskWithFiles, type HelpDeskWithFiles } from '#tests/support/help-desk-with-files';
import { inspectLink } from '#tests/support/inspect-link';
import { createTestAuthority, installationState } from '#tests/support/license-files';
import { takeTab } from '#tests/support/tabs';
import {
  allowHelpDesk,
  clickToolbar,
  expect,
  hiddenPage,
  test as base,
} from '#tests/support/ticket';

const state = installationState(createTestAuthority());

const test = base.extend<{ helpDesk: HelpDeskWithFiles }>({
  // eslint-disable-next-line no-empty-pattern -- Playwright reads a fixture's needs from this pattern
  helpDesk: async ({}, use) => {
    const helpDesk = await openHelpDeskWithFiles(state);
    await use(helpDesk);
    await helpDesk.close();
  },
});

test('the file behind a link of an allowed desk opens in the verifier, fetched with the desk’s cookies', async ({
  extension,
  helpDesk,
  desk,
}) => {
  await allowHelpDesk(extension, desk);
  const page = await takeTab(extension.now.context);
  await page.goto(helpDesk.origin);
  await test.step('a desk that is not allowed is asked for nothing', async () => {
    const verifier = await inspectLink(extension, page, `${helpDesk.origin}/files/1`);
    await expect(verifier.getByRole('alert')).toContainText('is on another site');
    await verifier.close();
  });

  await allowHelpDesk(extension, helpDesk.origin);
  await test.step('what leads off the desk, is too large or is no file is to be saved and dropped', async () => {
    for (const [address, sentence] of [
      [`${helpDesk.origin}/files/elsewhere.json`, '“elsewhere.json” is on another site'],
      [helpDesk.elsewhere.address, '“state.json” is on another site'],
      [`${helpDesk.origin}/files/endless.lic`, '“endless.lic” is larger than 262 kB'],
      [`${helpDesk.origin}/files/gone.lic`, '“gone.lic” could not be fetched'],
    ] as const) {
      const verifier = await inspectLink(extension, page, address);
      const notice = verifier.getByRole('alert');
      await expect(notice).toContainText(sentence);
      await expect(notice).toContainText('Save it and drop it here.');
      await expect(verifier.locator('[data-standing]')).toBeHidden();
      await verifier.close();
    }
    expect(helpDesk.elsewhere.asked()).toBe(0);
  });

  // What the agent asks for is not the page's own request.
  await page.goto(`${helpDesk.origin}/strict`);
  for (const path of ['/files/1', '/files/moved']) {
    const verifier = await inspectLink(extension, page, helpDesk.origin + path);
    await expect(verifier).toHaveURL(/\/verifier\.html$/);
    await expect(verifier.getByText('1 file checked')).toBeVisible();
    await expect(verifier.locator('[data-standing]')).toContainText('state of shop.json');
    await verifier.reload();
    await expect(verifier.locator('[data-standing]')).toBeHidden();
    await verifier.close();
  }
});

test('a license on a page without a code is offered in the popup, and nothing is selected', async ({
  connect,
  extension,
  desk,
}) => {
  await connect('/demo');
  const page = await takeTab(extension.now.context);
  const [license = ''] = /[\w-]{20,}\.[\w-]{80,}/.exec(state) ?? [];
  await page.route(`${desk}/license`, (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<!doctype html><title>Ticket</title><p>Hello, here is my license: ${license}</p>`,
    }),
  );
  await page.goto(`${desk}/license`);
  await clickToolbar(extension, page);
  const popup = await hiddenPage(extension, 'popup.html');
  const button = `[...document.querySelectorAll('button')].find((one) => one.textContent.includes('Inspect license'))`;
  await expect.poll(() => popup.evaluate(`Boolean(${button})`)).toBe(true);
  expect(await popup.evaluate(`document.querySelector('#code').value`)).toBe('');
  expect(await popup.evaluate(`document.querySelector('[role="alert"]')?.textContent ?? ''`)).toBe(
    '',
  );
  const opening = extension.now.context.waitForEvent('page');
  await popup.evaluate(`${button}.click()`);
  const verifier = await opening;
  await expect(verifier.getByText('1 file checked')).toBeVisible();
});
