import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';

import { sampleCodes } from '#sandbox/seed/sample-codes';
import { root } from '#scripts/machine/processes';
import { expect, press, test, verdictOn, waitForText } from '#tests/support/firefox-fixture';

const { lapsed, noSupport } = sampleCodes('/demo');
const fixtures = join(root, 'tests/fixtures/stored-by-0.2.0');

test('kept for the session, the key is gone with the stock Firefox and leaves nothing behind', async ({
  firefox,
}) => {
  const options = await firefox.connect();
  await options.evaluate(() => {
    const choices = [...document.querySelectorAll('label')];
    choices.find(({ textContent }) => textContent.includes('For this session only'))?.click();
  });
  await press(options, 'Switch over');
  await options.waitForFunction(async () => {
    const stored: unknown = await chrome.storage.local.get(null);
    return JSON.stringify(stored).includes('"session"');
  });
  const popup = await firefox.open('popup.html');
  expect(await verdictOn(popup, noSupport)).toBe('no-support');

  await firefox.restart();
  const later = await firefox.open('popup.html');
  expect(await verdictOn(later, lapsed)).toBe('fault');
  const fault = await later.$eval('[data-fault]', (element) => element.getAttribute('data-fault'));
  expect(fault).toBe('no-key');
  const stored = await later.evaluate(async () =>
    JSON.stringify([await chrome.storage.local.get(null), await chrome.storage.session.get(null)]),
  );
  expect(stored).not.toContain(firefox.sandbox.keys['/demo']);
});

test('what 0.2.0 stored is there after an upgrade in the stock Firefox', async ({ firefox }) => {
  const page = await firefox.open('options.html');
  const { local } = JSON.parse(readFileSync(join(fixtures, 'extension-storage.json'), 'utf8')) as {
    local: Record<string, unknown>;
  };
  await page.evaluate(async (items) => {
    await chrome.storage.local.clear();
    await chrome.storage.local.set(items);
  }, local);
  await page.evaluate(writerScript());
  await firefox.upgrade();

  const options = await firefox.open('options.html');
  await waitForText(options, 'https://market.example/shop');
  await waitForText(options, 'https://demo.example');
  await waitForText(options, 'https://desk.example');
  expect(await options.evaluate(() => document.body.textContent)).not.toContain(
    'could not be read',
  );
  const desk = await firefox.open('desk.html');
  await waitForText(desk, 'Bulk checks so far');
});

/** Returns the frozen writer of the fixtures as one script, without its types and imports. */
function writerScript(): string {
  const databases = readFileSync(join(fixtures, 'databases.json'), 'utf8');
  const writer = stripTypeScriptTypes(readFileSync(join(fixtures, 'write.ts'), 'utf8'))
    .replace(/^import .*$/m, '')
    .replace('export ', '');
  // The database of the present version makes way; the page may have opened it again meanwhile.
  return `(async () => { const databases = ${databases};\n${writer}
    for (let left = 20; ; left -= 1) {
      await new Promise((done) => { indexedDB.deleteDatabase('counterfoil').onsuccess = done; });
      try { return await writeOldStorage('counterfoil'); } catch (error) { if (left === 0) throw error; }
    }
  })()`;
}
