import { addConnection } from '#scripts/running/agent';
import { codes as gumroadCodes } from '#sandbox/marketplaces/gumroad';
import { everyMarketplaceTicket } from '#sandbox/seed/tickets';
import { marketplaceIds } from '#core/marketplaces/index';
import {
  addMarketplace,
  codeOfEach,
  exactVerdicts,
  marketplaceDraft,
  ticketOfEach,
  verdictOfEach,
} from '#tests/support/marketplaces';
import { startBulkCheck } from '#tests/support/pages/desk-page';
import { savedText } from '#tests/support/pages/downloads';
import { codeField, enterCode } from '#tests/support/pages/popup-page';
import { withQuietPage } from '#tests/support/quiet-page';
import { takeTab } from '#tests/support/tabs';
import { allowHelpDesk, chipsOf, expect, test } from '#tests/support/ticket';

test('a ticket with a code of each place has the right verdicts, in popup, panel, chips and bulk', async ({
  extension,
  sandbox,
  desk,
}) => {
  const options = await extension.open('options.html');
  await addConnection(options, sandbox.connection('/demo'));
  for (const id of marketplaceIds) await addMarketplace(options, sandbox, id);
  await sandbox.reset();

  for (const path of ['popup.html', 'sidepanel.html']) {
    const page = await extension.open(path);
    await page.evaluate((text) => navigator.clipboard.writeText(text), ticketOfEach);
    await codeField(page).press('Control+V');
    await codeField(page).press('Enter');
    await expect.poll(() => exactVerdicts(page), { message: path }).toEqual(verdictOfEach);
    const cards = page.locator('[data-verdict]');
    const untold = verdictOfEach.filter((verdict) => verdict === 'untold');
    await expect(cards.getByText('Genuine', { exact: true })).toHaveCount(untold.length);
  }

  await allowHelpDesk(extension, desk, true);
  const ticket = await takeTab(extension.now.context);
  await ticket.goto(`${desk}/tickets/${String(everyMarketplaceTicket)}`);
  await expect
    .poll(async () => (await chipsOf(ticket)).map(({ code, label }) => `${code} ${label}`).sort())
    .toEqual(
      codeOfEach
        .map((code, at) => `${code} ${verdictOfEach[at] === 'untold' ? 'Genuine' : 'Supported'}`)
        .toSorted(),
    );

  const bulk = await extension.open('desk.html');
  await startBulkCheck(bulk, ticketOfEach);
  await expect(bulk.getByText('Finished').first()).toBeVisible();
  const { checks } = JSON.parse(
    await savedText(bulk, bulk.getByRole('button', { name: 'JSON' })),
  ) as { checks: { code: string; verdict: string }[] };
  expect(codeOfEach.map((code) => checks.find((each) => each.code === code)?.verdict)).toEqual(
    verdictOfEach,
  );
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
