import type { Page } from '@playwright/test';

import { recentChecksName } from '#adapters/storage/kept-answers';
import { sampleCodes } from '#sandbox/seed/sample-codes';
import { checkCode } from '#scripts/running/agent';
import { expect, test } from '#tests/support/connected';
import { openDesk } from '#tests/support/pages/desk-page';
import { codeField, enterCode, expectKept, expectVerdict } from '#tests/support/pages/popup-page';

const demo = sampleCodes('/demo');

function storedChecks(page: Page): Promise<string> {
  return page.evaluate(
    async (name) => JSON.stringify(await chrome.storage.session.get(name)),
    recentChecksName,
  );
}

test('the popup opens on what was last checked, and opens it again without a request, until the history is erased; a check that was closed midway is there when it is opened again', async ({
  connected,
  extension,
  sandbox,
}) => {
  const first = await connected('/demo');
  for (const code of [demo.supported, demo.lapsed]) {
    await checkCode(first, code);
    await expectKept(first, code);
  }
  await first.close();

  const popup = await extension.open('popup.html');
  const before = popup.locator('.recent-checks button');
  await expect(before).toHaveCount(2);
  await expect(before.first().getByTitle(demo.lapsed)).toBeVisible();
  await expect(before.first()).toContainText('Harbour: a quiet WordPress theme');
  await expect(before.last()).toContainText('Supported until');
  await expect(popup.locator('[data-verdict]')).toHaveCount(0);
  await expect(codeField(popup)).toBeFocused();
  await sandbox.reset();
  await popup.keyboard.press('ArrowDown');
  await popup.keyboard.press('ArrowDown');
  await popup.keyboard.press('Enter');
  await expectVerdict(popup, 'supported');
  await expect(codeField(popup)).toHaveValue(demo.supported);
  expect(await sandbox.apiRequests()).toEqual([]);
  await popup.getByRole('button', { name: 'Refresh' }).click();
  await expect.poll(async () => (await sandbox.apiRequests()).length).toBeGreaterThan(0);

  const desk = await openDesk(extension, 'history');
  await desk.getByRole('button', { name: 'History settings' }).click();
  await expect.poll(() => storedChecks(desk)).toContain(demo.supported);
  await desk.getByRole('button', { name: 'Erase history' }).click();
  await expect.poll(() => storedChecks(desk)).not.toContain(demo.supported);

  await test.step('closed midway', async () => {
    const first = await extension.open('popup.html');
    await sandbox.injectFault('/demo', { fault: 'latency', ms: 2500, times: 1 });
    await enterCode(first, demo.noSupport);
    await expect.poll(() => storedChecks(first)).toContain(demo.noSupport);
    await expect(first.locator('[aria-busy="true"]')).toBeVisible();
    await first.close();
    const again = await extension.open('popup.html');
    await expectVerdict(again, 'no-support');
    await expect(codeField(again)).toHaveValue(demo.noSupport);
  });
});

test('after a restart of the browser the history tells what was checked, each code once', async ({
  connected,
  extension,
}) => {
  const first = await connected('/demo', '/market');
  await checkCode(first, demo.lapsed);
  await checkCode(first, demo.supported);
  await checkCode(first, demo.supported.toUpperCase());
  // The answer is written after it is shown.
  await openDesk(extension, 'history').then((desk) =>
    expect(desk.getByRole('row').nth(3)).toBeVisible(),
  );
  await extension.restart();

  const popup = await extension.open('popup.html');
  const before = popup.locator('.recent-check');
  await expect(before).toHaveCount(2);
  await expect(before.first()).toContainText('Supported until');
  await expect(before.first()).toContainText('Ledgerline');
  await expect(before.first()).toContainText(/cd2a…fc0f/iu);
  await expect(before.first().locator('time')).toBeVisible();
  await popup.keyboard.press('Alt+L');
  await expect(before.first()).toBeFocused();
});
