import { sampleCodes } from '#sandbox/seed/sample-codes';
import { expect, press, test, verdictOn, waitForText } from '#tests/support/firefox-fixture';

const { supported } = sampleCodes('/demo');
const policyOf = (parts: object): string =>
  JSON.stringify({ format: 'counterfoil-settings', version: 2, ...parts });

test('with a policies.json a stock Firefox has its connection, which takes the agent’s key', async ({
  firefoxWithPolicy,
  sandbox,
}) => {
  const { name, baseAddress, apiKey } = sandbox.connection('/demo', 'Fenwick');
  const connection = { id: 'fenwick', name, baseAddress };
  let firefox = await firefoxWithPolicy(policyOf({ connections: [connection], language: 'en' }));
  const options = await firefox.open('options.html');
  await waitForText(options, 'Set by your organization');
  await waitForText(options, 'Your organization has set some of what is here');
  await press(options, 'Enter your key');
  await options.locator('input[type="password"]').fill(apiKey);
  await press(options, 'Save');
  await options.waitForFunction(() => document.querySelector('input[type="password"]') === null);
  const popup = await firefox.open('popup.html');
  expect(await verdictOn(popup, supported)).toBe('supported');

  // Firefox hands out whatever stands there; Chromium withholds what is no text.
  firefox = await firefoxWithPolicy({ connections: [connection] });
  await waitForText(await firefox.open('options.html'), '“settings” must be a text');

  firefox = await firefoxWithPolicy(
    policyOf({ connections: [connection], sites: [{ origin: 'desk' }] }),
  );
  const broken = await firefox.open('options.html');
  await waitForText(broken, '“sites.0.origin” in it could not be read');
  await waitForText(broken, 'stays in force');
  await waitForText(broken, name);
});

test('without a policy a stock Firefox sets nothing', async ({ firefox }) => {
  const options = await firefox.open('options.html');
  await waitForText(options, 'Connect your marketplace');
  expect(await options.evaluate(() => document.body.innerText)).not.toContain('organization');
});
