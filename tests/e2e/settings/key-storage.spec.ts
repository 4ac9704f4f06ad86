import type { Page } from '@playwright/test';

import { sampleCodes } from '#sandbox/seed/sample-codes';
import { checkCode } from '#scripts/running/agent';
import { expect, test } from '#tests/support/connected';
import { storedText } from '#tests/support/traces';
import { enterCode, expectVerdict, settledVerdicts } from '#tests/support/pages/popup-page';
import {
  pickKeyStorage,
  replaceApiKey,
  setPassphrase,
  unlock,
} from '#tests/support/pages/options-page';

const { supported, lapsed, noSupport } = sampleCodes('/demo');
const passphrase = 'three ferries leave at dawn';

/**
 * Names where a code is stored. The popup keeps the question for the next one, and takes it out once it has the answer.
 */
async function placesWith(page: Page, code: string): Promise<string[]> {
  const stored = Object.entries(await storedText(page));
  return stored.filter(([, text]) => text.includes(code)).map(([place]) => place);
}

test('kept on this device, the key outlives the browser; under a passphrase it waits for it', async ({
  connect,
  extension,
  sandbox,
}) => {
  await connect('/demo');
  await extension.restart();
  let popup = await extension.open('popup.html');
  expect(await checkCode(popup, lapsed)).toMatchObject({ verdict: 'lapsed' });

  const options = await extension.open('options.html');
  await setPassphrase(options, passphrase);
  expect(await checkCode(popup, supported)).toMatchObject({ verdict: 'supported' });

  await test.step('locked by hand, the key needs its passphrase at once, kept replies too', async () => {
    await options.getByRole('button', { name: 'Lock now' }).click();
    await expect(options.getByText('The keys are locked')).toBeVisible();
    expect(await checkCode(popup, supported)).toMatchObject({ verdict: 'fault', fault: 'locked' });
    await expect.poll(() => placesWith(options, supported)).not.toContain('storage.session');
  });

  await test.step('locked while an answer is on its way: nothing of it is kept, and the page says so', async () => {
    await unlock(popup, passphrase);
    await expectVerdict(popup, 'supported');
    for (const page of [popup, options]) await page.reload();
    await sandbox.reset();
    await sandbox.injectFault('/demo', { fault: 'latency', ms: 4000 });
    await enterCode(popup, noSupport);
    await expect
      .poll(async () => (await sandbox.apiRequests()).map(({ path }) => path))
      .toEqual(['/demo/api/purchases/validation']);
    await options.getByRole('button', { name: 'Lock now' }).click();
    await expect(options.getByText('The keys are locked')).toBeVisible();
    await expect(settledVerdicts(popup)).toHaveAttribute('data-fault', 'locked');
    await expect(popup.getByText('The keys are locked').first()).toBeVisible();
    await expect.poll(() => placesWith(options, noSupport)).toEqual([]);
    expect(await sandbox.apiRequests()).toHaveLength(1);
  });

  await extension.restart();
  popup = await extension.open('popup.html');
  expect(await checkCode(popup, supported)).toMatchObject({
    verdict: 'fault',
    fault: 'locked',
    sentence: 'The keys are locked',
  });
  await unlock(popup, 'not the passphrase');
  await expect(popup.getByText('That is not the passphrase.')).toBeVisible();
  await unlock(popup, passphrase);
  await expectVerdict(popup, 'supported');
});

test('what decrypts the key was cleared: the fault says so and the key can be entered again; kept for the session, it is gone with the browser', async ({
  connect,
  extension,
  sandbox,
}) => {
  await connect('/demo');
  const options = await extension.open('options.html');
  await options.evaluate(async () => {
    for (const { name } of await indexedDB.databases()) {
      const database = await new Promise<IDBDatabase>((done) => {
        const opening = indexedDB.open(name ?? '');
        opening.onsuccess = () => {
          done(opening.result);
        };
      });
      for (const store of database.objectStoreNames) {
        const transaction = database.transaction(store, 'readwrite', { durability: 'strict' });
        const rows = transaction.objectStore(store);
        const keys = rows.getAllKeys();
        await new Promise((done) => {
          keys.onsuccess = done;
        });
        const values = rows.getAll();
        await new Promise((done) => {
          values.onsuccess = done;
        });
        keys.result.forEach((key, place) => {
          if (JSON.stringify(values.result[place]) === '{}') rows.delete(key);
        });
        await new Promise((done) => {
          transaction.oncomplete = done;
        });
      }
      database.close();
    }
  });
  await extension.restart();
  const popup = await extension.open('popup.html');
  expect(await checkCode(popup, supported)).toMatchObject({
    verdict: 'fault',
    fault: 'no-key',
    sentence: 'The API key of demo can no longer be read',
  });
  const again = await extension.open('options.html');
  await replaceApiKey(again, sandbox.keys['/demo']);
  expect(await checkCode(popup, supported)).toMatchObject({ verdict: 'supported' });

  await pickKeyStorage(again, /^For this session only/);
  await again.getByRole('button', { name: 'Use this' }).click();
  await expect(again.getByText('Done: keys are now kept for this session only.')).toBeVisible();
  expect(await checkCode(popup, lapsed)).toMatchObject({ verdict: 'lapsed' });

  const { 'storage.session': session, ...elsewhere } = await storedText(again);
  expect(session).toContain(sandbox.keys['/demo']);
  for (const [place, text] of Object.entries(elsewhere)) {
    expect(text, place).not.toContain(sandbox.keys['/demo']);
  }

  await extension.restart();
  const later = await extension.open('popup.html');
  expect(await checkCode(later, supported)).toMatchObject({
    verdict: 'fault',
    fault: 'no-key',
    sentence: 'The API key of demo was kept for one session only',
  });
});
