import { expect, test } from '#tests/support/extension';
import { createTestAuthority, installationState } from '#tests/support/license-files';
import { listen } from '#tests/support/listener';
import { outwardChannels, sendEverywhere } from '#tests/support/outward-channels';
import { chooseFiles, expectStanding, pinKey } from '#tests/support/pages/verifier-page';
import { waitForAbsence } from '#tests/support/waits';

const everyPath = outwardChannels.map((name) => `/${name}`).sort();

test('every channel of this test reaches a server from a page without a policy', async ({
  extension,
}) => {
  const outside = await listen();
  const page = await extension.now.context.newPage();
  await page.goto(`${outside.origin}/`);
  await page.evaluate(sendEverywhere, outside.origin);
  await expect.poll(() => outside.paths().sort()).toEqual(expect.arrayContaining(everyPath));
  await outside.close();
});

test('no channel leads out of the extension’s verifier, before a file and after it', async ({
  extension,
}) => {
  const authority = createTestAuthority();
  const outside = await listen();
  const page = await extension.open('verifier.html');
  await page.evaluate(sendEverywhere, outside.origin);
  await pinKey(page, authority.publicKey);
  await chooseFiles(page, ['one.json', installationState(authority)]);
  await expectStanding(page, 'one.json', 'activated');
  await page.evaluate(sendEverywhere, outside.origin);
  await waitForAbsence(500);
  expect(outside.paths()).toEqual([]);
  await outside.close();
});
