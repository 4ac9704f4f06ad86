import { expect, fillField, press, test } from '#tests/support/firefox-fixture';
import { createTestAuthority, installationState } from '#tests/support/license-files';

test('a license is judged in the stock Firefox', async ({ firefox }) => {
  const authority = createTestAuthority();
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
});
