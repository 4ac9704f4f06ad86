import type { Page } from '@playwright/test';

import { sampleCodes } from '#sandbox/seed/sample-codes';
import { chipsOf, expect, type RunningExtension, test } from '#tests/support/ticket';
import { codeField, expectKept } from '#tests/support/pages/popup-page';
import { takeTab } from '#tests/support/tabs';

const demo = sampleCodes('/demo');
const verdict = (panel: Page, kind: string): ReturnType<Page['locator']> =>
  panel.locator(`main > .answers [data-verdict="${kind}"]:not([aria-busy])`);

/** As the worker leaves it for a panel: the page in a tab stands in for the panel of its window. */
async function sendTo(extension: RunningExtension, panel: Page, text: string): Promise<void> {
  await panel.bringToFront();
  // Of the worker itself the current window is the one that had the focus last, which another test may have left.
  const windowId = await panel.evaluate(async () => (await chrome.windows.getCurrent()).id);
  await extension.now.worker.evaluate(
    async ({ text, windowId }) => {
      const pendingText = { text, at: Date.now(), target: { windowId } };
      await chrome.storage.session.set({ pendingText });
    },
    { text, windowId },
  );
}

test('the panel checks what is sent to it, keeps what it showed before, and hands a license to the verifier', async ({
  connect,
  extension,
}) => {
  await connect('/demo');
  const panel = await extension.open('sidepanel.html');
  await test.step('elsewhere than on allowed sites it names the shortcut', async () => {
    await expect(panel.getByText('Select a code on a page and press')).toBeVisible();
    await expect(panel.locator('kbd', { hasText: 'Alt+Shift+K' })).toBeVisible();
  });
  await sendTo(extension, panel, demo.supported);
  await expect(verdict(panel, 'supported')).toBeVisible();
  await test.step('there a reply is copied, and inserted nowhere', async () => {
    await expect(panel.getByRole('button', { name: 'Copy reply' })).toBeVisible();
    await expect(panel.getByRole('button', { name: 'Insert reply' })).toHaveCount(0);
  });
  await test.step('what was sent is taken once, and lies in no address', async () => {
    expect(await panel.evaluate(() => chrome.storage.session.get('pendingText'))).toEqual({});
    expect(panel.url()).toMatch(/\/sidepanel\.html$/);
    await expectKept(panel, demo.supported);
    await panel.reload();
    await expect(codeField(panel)).toHaveValue('');
    await expect(panel.locator('[data-verdict]')).toHaveCount(0);
  });
  await sendTo(extension, panel, demo.supported);
  await expect(verdict(panel, 'supported')).toBeVisible();
  await sendTo(extension, panel, `Kaufcode: ${demo.lapsed}`);
  await expect(verdict(panel, 'lapsed')).toBeVisible();
  await expect(panel.getByRole('heading', { name: 'Recently checked' })).toBeVisible();
  await expect(panel.locator('.recent-checks').getByTitle(demo.supported)).toBeVisible();
  await expect(codeField(panel)).toHaveValue(demo.lapsed);
  await sendTo(extension, panel, demo.supported);
  await expect(verdict(panel, 'supported')).toBeVisible();
  await expect(panel.locator('.recent-checks').getByTitle(demo.supported)).toHaveCount(0);

  const license = `eyJsaWNlbnNlX2lkIjoiTC0xIiwicHJvZHVjdF9zbHVnIjoib3JiaXQifQ.${'A'.repeat(86)}`;
  await sendTo(extension, panel, license);
  const opening = extension.now.context.waitForEvent('page');
  await panel.getByRole('button', { name: 'Inspect license' }).click();
  const verifier = await opening;
  await expect(verifier.getByText('1 file checked')).toBeVisible();
  expect(verifier.url()).toMatch(/\/verifier\.html$/);
});

test('the panel follows the ticket in front on an allowed site', async ({
  connectAtDesk,
  extension,
  desk,
}) => {
  await connectAtDesk(['/demo']);
  const panel = await extension.open('sidepanel.html');
  const ticket = await takeTab(extension.now.context);
  await ticket.goto(`${desk}/tickets/1042`);
  await ticket.bringToFront();
  await expect(verdict(panel, 'lapsed')).toBeAttached();
  await test.step('the chip in the ticket shows the same, although nobody has clicked it', async () => {
    const labels = async (): Promise<string[]> => (await chipsOf(ticket)).map((one) => one.label);
    await expect.poll(labels).toEqual(['Support ended']);
    await ticket.reload();
    await expect.poll(labels).toEqual(['Support ended']);
  });
  await ticket.goto(`${desk}/app/1041`);
  await expect(verdict(panel, 'supported')).toBeAttached();
  await ticket.getByRole('link', { name: /^1042/ }).click();
  await expect(verdict(panel, 'lapsed')).toBeAttached();
  await expect(panel.getByText(/^Following localhost/)).toBeAttached();
});
