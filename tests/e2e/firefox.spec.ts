import { sampleCodes } from '#sandbox/seed/sample-codes';
import { expect, test, verdictOn } from '#tests/support/firefox-fixture';

test('a code is checked in the stock Firefox', async ({ firefox }) => {
  await firefox.connect();
  const popup = await firefox.open('popup.html');
  expect(await verdictOn(popup, sampleCodes('/demo').supported)).toBe('supported');
});
