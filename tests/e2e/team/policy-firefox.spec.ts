import { sampleCodes } from '#sandbox/seed/sample-codes';
import { expect, press, test, verdictOn, waitForText } from '#tests/support/firefox-fixture';

const { supported, lapsed } = sampleCodes('/demo');

test('with a policies.json a stock Firefox has its connection, which takes the agent’s key; both outlive it, and a policy that is no text', async ({
  firefoxWithPolicy,
  sandbox,
}) => {
  const { name, baseAddress, apiKey } = sandbox.connection('/demo', 'Fenwick');
  const connection = { id: 'fenwick', name, baseAddress };
  const policy = { format: 'counterfoil-settings', version: 2, connections: [connection] };
  let firefox = await firefoxWithPolicy(JSON.stringify({ ...policy, language: 'en' }));
  const options = await firefox.open('options.html');
  await waitForText(options, 'Set by your organization');
  await waitForText(options, 'Your organization has set some of these settings');
  await press(options, 'Enter your key');
  await options.locator('input[type="password"]').fill(apiKey);
  await press(options, 'Save');
  await options.waitForFunction(() => document.querySelector('input[type="password"]') === null);
  const popup = await firefox.open('popup.html');
  expect(await verdictOn(popup, supported)).toBe('supported');

  // Firefox hands out whatever stands there; Chromium withholds what is no text.
  firefox = await firefoxWithPolicy({ connections: [connection] });
  const broken = await firefox.open('options.html');
  await waitForText(broken, '“settings” must be a string');
  await waitForText(broken, 'stays in force');
  await waitForText(broken, name);
  // Kept on this device, the key has outlived the browser.
  expect(await verdictOn(await firefox.open('popup.html'), lapsed)).toBe('lapsed');
});
