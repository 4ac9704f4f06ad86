import { sampleCodes } from '#sandbox/seed/sample-codes';
import { expect, press, test, verdictOn } from '#tests/support/firefox-fixture';

const { lapsed, noSupport } = sampleCodes('/demo');

test('kept for the session, the key is gone with the stock Firefox and leaves nothing behind', async ({
  firefox,
}) => {
  const options = await firefox.connect();
  await options.evaluate(() => {
    const choices = [...document.querySelectorAll('label')];
    choices.find(({ textContent }) => textContent.includes('For this session only'))?.click();
  });
  await press(options, 'Use this');
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
