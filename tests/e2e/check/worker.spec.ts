import { sampleCodes } from '#sandbox/seed/sample-codes';
import { checkCode } from '#scripts/running/agent';
import { stopWorker } from '#scripts/running/extension';
import { expect, test } from '#tests/support/connected';
import { enterCode, expectVerdict } from '#tests/support/pages/popup-page';

const { supported, lapsed } = sampleCodes('/demo');

test('a worker that is stopped loses nothing', async ({ connected, extension, sandbox }) => {
  const popup = await connected('/demo');

  await test.step('a check that was under way is answered', async () => {
    await sandbox.reset();
    await sandbox.injectFault('/demo', { fault: 'latency', ms: 20_000, endpoint: 'validation' });
    await enterCode(popup, supported);
    await expect.poll(async () => (await sandbox.apiRequests()).length).toBe(1);
    await stopWorker(extension.now);
    await expectVerdict(popup, 'supported');
    expect(await sandbox.apiRequests()).toHaveLength(2);
  });

  await test.step('a reply outlives the worker that fetched it', async () => {
    await stopWorker(extension.now);
    await sandbox.reset();
    expect(await checkCode(popup, supported)).toMatchObject({ verdict: 'supported' });
    await expect(popup.getByText('cached')).toBeVisible();
    expect(await sandbox.apiRequests()).toEqual([]);

    await popup.getByRole('button', { name: 'Refresh' }).click();
    await expect(popup.getByText('cached')).toBeHidden();
    expect(await sandbox.apiRequests()).toHaveLength(1);
  });

  await test.step('the next check is answered', async () => {
    await stopWorker(extension.now);
    expect(await checkCode(popup, lapsed)).toMatchObject({ verdict: 'lapsed' });
  });
});

test('two popups that ask about one code share one request', async ({
  connected,
  extension,
  sandbox,
}) => {
  const first = await connected('/demo');
  const second = await extension.open('popup.html');
  await sandbox.reset();
  await sandbox.injectFault('/demo', { fault: 'latency', ms: 1_500, endpoint: 'validation' });
  for (const popup of [first, second]) {
    await enterCode(popup, supported);
  }
  for (const popup of [first, second]) {
    await expectVerdict(popup, 'supported');
  }
  expect(await sandbox.apiRequests()).toHaveLength(1);
});

test('a worker that no longer answers is announced on every page', async ({ extension }) => {
  // What a page meets after an update: its worker is gone for good.
  await extension.now.context.addInitScript(() => {
    chrome.runtime.sendMessage = () => Promise.reject(new Error('There is no receiver.'));
  });
  for (const path of ['popup.html', 'options.html', 'desk.html', 'verifier.html#rehearsal'])
    await test.step(path, async () => {
      const page = await extension.open(path);
      await expect(page.getByRole('alert')).toContainText('cannot answer');
      await expect(page.getByRole('button', { name: 'Open it again' })).toBeVisible();
      await page.close();
    });
});
