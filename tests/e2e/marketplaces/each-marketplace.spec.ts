import { addConnection } from '#scripts/running/agent';
import { codes as gumroadCodes } from '#sandbox/marketplaces/gumroad';
import { marketplaceIds } from '#core/marketplaces/index';
import { addMarketplace, exactVerdicts, marketplaceDraft } from '#tests/support/marketplaces';
import { enterCode } from '#tests/support/pages/popup-page';
import { withQuietPage } from '#tests/support/quiet-page';
import { expect, test } from '#tests/support/ticket';
import { expectVerdictsOfEach } from '#tests/support/verdicts-of-each';

test('a ticket with a code of each place has the right verdicts, in popup, panel, chips and bulk', async ({
  extension,
  sandbox,
  desk,
}) => {
  const options = await extension.open('options.html');
  await addConnection(options, sandbox.connection('/demo'));
  for (const id of marketplaceIds) await addMarketplace(options, sandbox, id);
  await sandbox.reset();

  await expectVerdictsOfEach(extension, desk);
  // A key of a form that one marketplace alone has goes to no other; a seller API may have codes of any form.
  const asked = (await sandbox.requests())
    .filter(({ path, body }) => `${path}${body}`.includes(gumroadCodes.genuine))
    .map(({ path }) => path);
  expect(asked).toContain('/gumroad/v2/licenses/verify');
  expect(asked.filter((path) => /^\/(?:envato|lemon-squeezy)\//u.test(path))).toEqual([]);
});

test('a search among a seller’s items says how far it is, can be stopped, and goes on', async ({
  extension,
  sandbox,
}) => {
  await withQuietPage(extension.now, async ({ permit, ask }) => {
    const draft = marketplaceDraft(sandbox, 'gumroad', {
      apiKey: sandbox.token('/gumroad', 'withoutSales'),
    });
    await permit(draft.baseAddress);
    await ask('connections.save', draft);
  });
  const popup = await extension.open('popup.html');
  await sandbox.injectFault('/gumroad', { fault: 'latency', ms: 1600, times: 5 });
  await enterCode(popup, gumroadCodes.secondProduct);
  await expect(popup.getByText('Asking Gumroad: 1 of 2 items…')).toBeVisible();
  await popup.getByRole('button', { name: 'Stop', exact: true }).click();
  const card = popup.locator('[data-fault="rate-limited"]');
  await expect(card).toContainText('Gumroad has not been asked about every item');
  await expect(card).toContainText('1 of 2 so far');
  // Its form is the marketplace's own: no other spelling is proposed.
  await expect(card).not.toContainText('Did you mean');
  await card.getByRole('button', { name: 'Try again' }).click();
  await expect.poll(() => exactVerdicts(popup)).toEqual(['untold']);
});
