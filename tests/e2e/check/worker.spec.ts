import { cpSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Page } from '@playwright/test';

import { codes as gumroadCodes } from '#sandbox/marketplaces/gumroad';
import { sampleCodes } from '#sandbox/seed/sample-codes';
import { checkCode } from '#scripts/running/agent';
import { chromiumBuild, launchExtension, openPage, stopWorker } from '#scripts/running/extension';
import { expect, test } from '#tests/support/connected';
import { marketplaceDraft } from '#tests/support/marketplaces';
import { enterCode, expectVerdict } from '#tests/support/pages/popup-page';
import { withQuietPage } from '#tests/support/quiet-page';

const { supported, lapsed } = sampleCodes('/demo');

/** Asks the worker as the page would, without its second tries. */
function ask(page: Page, topic: string): Promise<unknown> {
  return page.evaluate(
    (name) => chrome.runtime.sendMessage({ topic: name, nonce: crypto.randomUUID(), body: {} }),
    topic,
  );
}

test('a worker that is stopped loses nothing, one that no longer answers is announced on every page', async ({
  connected,
  extension,
  sandbox,
}) => {
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
    await expect(popup.locator('[data-cached]')).toBeVisible();
    expect(await sandbox.apiRequests()).toEqual([]);

    await popup.getByRole('button', { name: 'Refresh' }).click();
    await expect(popup.locator('[data-cached]')).toBeHidden();
    expect(await sandbox.apiRequests()).toHaveLength(1);
  });

  await test.step('the next check is answered', async () => {
    await stopWorker(extension.now);
    expect(await checkCode(popup, lapsed)).toMatchObject({ verdict: 'lapsed' });
  });

  await test.step('one that is gone for good, as after an update, is announced', async () => {
    await popup.addInitScript(() => {
      chrome.runtime.sendMessage = () => Promise.reject(new Error('There is no receiver.'));
    });
    for (const path of ['popup.html', 'options.html', 'desk.html', 'verifier.html']) {
      await openPage(extension.now, path, popup);
      await expect(popup.getByRole('alert'), path).toContainText('cannot answer');
      await expect(popup.getByRole('button', { name: 'Open it again' }), path).toBeVisible();
    }
  });
});

test('a stopped worker answers a check, and what its further scripts serve, in a browser that was started again', async ({
  connected,
  extension,
  sandbox,
}) => {
  await connected('/demo');
  await withQuietPage(extension.now, ({ ask: save }) =>
    save('connections.save', marketplaceDraft(sandbox, 'gumroad')),
  );
  await extension.restart();
  await stopWorker(extension.now);
  const popup = await extension.open('popup.html');
  expect(await checkCode(popup, supported)).toMatchObject({ verdict: 'supported' });

  const options = await extension.open('options.html');
  for (const topic of ['settings.export', 'team.state', 'unreadable.list']) {
    await stopWorker(extension.now);
    expect(await ask(options, topic)).toMatchObject({ answered: true });
  }
  await stopWorker(extension.now);
  expect(await checkCode(popup, lapsed)).toMatchObject({ verdict: 'lapsed' });
  await stopWorker(extension.now);
  expect(await checkCode(popup, gumroadCodes.genuine)).toMatchObject({ verdict: 'no-support' });
});

test('a worker whose second script is missing says so at once, and serves the rest', async ({
  chromium: executablePath,
}) => {
  const folder = await mkdtemp(join(tmpdir(), 'counterfoil-part-'));
  const build = join(folder, 'build');
  cpSync(chromiumBuild, build, { recursive: true });
  rmSync(join(build, 'administration.js'));
  const damaged = await launchExtension(join(folder, 'profile'), {
    executablePath,
    headless: true,
    build,
  });
  const options = await openPage(damaged, 'options.html');
  expect(await ask(options, 'settings.export')).toEqual({ answered: false, reason: 'failed' });
  expect(await ask(options, 'connections.list')).toEqual({ answered: true, reply: [] });
  await expect(options.getByRole('alert').first()).toContainText('cannot answer');
  await damaged.context.close();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});
