import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { savedText, evaluateInWindow } from '#tests/support/firefox';
import { expect, fillField, press, test, waitForText } from '#tests/support/firefox-fixture';
import { createTestAuthority, installationState } from '#tests/support/license-files';

/** Answers Firefox's file picker with a folder until `pickAsBefore`. */
const pickFolder = (path: string): string => `(async () => {
  const registrar = Components.manager.QueryInterface(Ci.nsIComponentRegistrar);
  const contract = '@mozilla.org/filepicker;1';
  const folder = new window.Directory(${JSON.stringify(path)});
  const picker = {
    QueryInterface: ChromeUtils.generateQI(['nsIFilePicker']),
    init() {},
    appendFilters() {},
    appendFilter() {},
    appendRawFilter() {},
    isModeSupported: async () => true,
    open(callback) {
      Services.tm.dispatchToMainThread(() => callback.done(Ci.nsIFilePicker.returnOK));
    },
    get mode() { return Ci.nsIFilePicker.modeGetFolder; },
    get domFileOrDirectory() { return folder; },
    get domFileOrDirectoryEnumerator() { return { *[Symbol.iterator]() { yield folder; } }; },
    get file() { const file = Cc['@mozilla.org/file/local;1'].createInstance(Ci.nsIFile); file.initWithPath(${JSON.stringify(path)}); return file; },
  };
  const id = Components.ID('{5f4c0b52-3d6f-4b5e-9d0f-3f1c1f0f7a11}');
  const own = registrar.contractIDToCID(contract);
  const factory = { createInstance: (iid) => picker.QueryInterface(iid), QueryInterface: ChromeUtils.generateQI(['nsIFactory']) };
  registrar.registerFactory(id, 'picker of a test', contract, factory);
  window.pickAsBefore = () => {
    registrar.unregisterFactory(id, factory);
    registrar.registerFactory(own, '', contract, null);
    return 'as before';
  };
  return 'ready';
})()`;

/** Gives Firefox its own file picker back, since later tests share the browser. */
const pickAsBefore = `(async () => window.pickAsBefore())()`;

/** Agrees in the dialog that asks whether a whole folder may be handed over; tells whether it was there. */
const agree = `(async () => {
  const box = gBrowser.getTabDialogBox(gBrowser.selectedBrowser);
  const dialogs = [box.getTabDialogManager(), box.getContentDialogManager()].flatMap(
    (manager) => manager._dialogs,
  );
  const button = dialogs[0]?._frame?.contentWindow?.Dialog?.ui?.button0;
  if (!button || button.disabled) return 'not yet';
  button.click();
  return 'agreed';
})()`;

test('a folder is chosen in the stock Firefox, and all its files are judged; so is a license that is pasted', async ({
  firefox,
}) => {
  const folder = await mkdtemp(join(tmpdir(), 'counterfoil-'));
  const authority = createTestAuthority();
  await mkdir(join(folder, 'inner'));
  for (const [at, name] of ['a.json', 'b.json', 'inner/c.json'].entries())
    await writeFile(join(folder, name), installationState(authority, { number: at + 1 }));
  const verifier = await firefox.open('verifier.html');
  expect(await evaluateInWindow(firefox.browser, pickFolder(folder))).toBe('ready');
  await verifier.bringToFront();
  await press(verifier, 'Choose a folder');
  await expect.poll(() => evaluateInWindow(firefox.browser, agree)).toBe('agreed');
  await waitForText(verifier, '3 files checked');
  await waitForText(verifier, 'inner/c.json');
  expect(await evaluateInWindow(firefox.browser, pickAsBefore)).toBe('as before');
  await rm(folder, { recursive: true, force: true });
  await verifier.close();

  const page = await firefox.open('verifier.html');
  await fillField(page, 'Public key', authority.publicKey);
  await press(page, 'Pin key');
  await press(page, 'Confirm');
  await page.waitForSelector('.key-row');
  await fillField(page, 'License text', installationState(authority));
  const result = await page.waitForSelector('[data-standing]');
  expect(await result?.evaluate((element) => element.getAttribute('data-standing'))).toBe(
    'activated',
  );
  // The first result stands below what was opened, and covers nothing.
  const bottomOfInput = await page.$eval(
    '.file-input',
    (element) => element.getBoundingClientRect().bottom,
  );
  const topOfResults = await page.$eval(
    '.results',
    (element) => element.getBoundingClientRect().top,
  );
  expect(topOfResults).toBeGreaterThanOrEqual(bottomOfInput);
});

test('settings are exported and imported in the stock Firefox, without a key', async ({
  firefox,
}) => {
  const options = await firefox.connect();
  await options.evaluate(() => (location.hash = 'file'));
  const { name, text } = await savedText(firefox.downloads, () => press(options, 'Export'));
  expect(name).toBe('counterfoil-settings.json');
  expect(JSON.parse(text)).toMatchObject({ connections: [{ name: 'Fenwick' }] });
  expect(text).not.toContain(firefox.sandbox.keys['/demo']);

  const renamed = join(firefox.downloads, 'renamed.json');
  await writeFile(renamed, text.replace('"Fenwick"', '"Fenwick of old"'));
  const field = await options.waitForSelector('input[type="file"]');
  if (field === null) throw new Error('The page has no field for a file.');
  await (field as unknown as { uploadFile(path: string): Promise<void> }).uploadFile(renamed);
  await press(options, 'Import this');
  await waitForText(options, 'Imported.');
  await options.evaluate(() => (location.hash = 'you'));
  await options.waitForSelector(
    '::-p-xpath(//article[@aria-labelledby=//*[normalize-space()="Fenwick of old"]/@id])',
  );
});
