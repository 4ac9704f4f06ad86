import { sampleCodes } from '#sandbox/seed/sample-codes';
import { pinKeyQuietly } from '#tests/support/authority';
import { createTestAuthority, installationState } from '#tests/support/license-files';
import { startBulkCheck } from '#tests/support/pages/desk-page';
import { enterCode, expectVerdict } from '#tests/support/pages/popup-page';
import { dropFiles, expectStanding } from '#tests/support/pages/verifier-page';
import { chipsOf, expect, test } from '#tests/support/ticket';

const demo = sampleCodes('/demo');
const authority = createTestAuthority();
const state = installationState(authority);

/** What is left of a text that was written in HTML, then in a string of JSON, then in a link. */
const inLink = (html: string): string =>
  `https://desk.test/new?body=${encodeURIComponent(JSON.stringify({ html }))}`;
const pasted = inLink(`<p>Purchase&nbsp;code&colon;<br><b>${demo.noSupport}</b></p>`);
const license = inLink(`<pre>${state.replaceAll('"', '&quot;')}</pre>`);

test('a code that went through three transports is checked in the popup, the panel, beside a page’s text and in bulk, and a license is genuine in the verifier', async ({
  ticketPage,
  extension,
  desk,
}) => {
  const page = await ticketPage(['/demo'], { automatic: true });
  await page.goto(`${desk}/tickets/1041`);
  await page
    .getByText(demo.supported)
    .first()
    .evaluate((code, text) => {
      code.textContent = text;
    }, pasted);
  await expect
    .poll(async () => (await chipsOf(page)).map(({ label }) => label))
    .toEqual(['No support']);
  for (const path of ['popup.html', 'sidepanel.html'])
    await test.step(path, async () => {
      const opened = await extension.open(path);
      await enterCode(opened, pasted);
      await expectVerdict(opened, 'no-support');
    });
  const bulk = await extension.open('desk.html#/bulk');
  await startBulkCheck(bulk, pasted);
  await expect(bulk.getByRole('grid').getByText('No support')).toBeVisible();

  await pinKeyQuietly(extension, authority.publicKey);
  const verifier = await extension.open('verifier.html');
  await dropFiles(verifier, [{ name: 'note.txt', text: license }]);
  await expectStanding(verifier, 'note.txt', 'activated');
});
