import { everyMarketplaceTicket } from '#sandbox/seed/tickets';
import {
  codeOfEach,
  exactVerdicts,
  ticketOfEach,
  verdictOfEach,
} from '#tests/support/marketplaces';
import { startBulkCheck } from '#tests/support/pages/desk-page';
import { savedText } from '#tests/support/pages/downloads';
import { codeField } from '#tests/support/pages/popup-page';
import { takeTab } from '#tests/support/tabs';
import { allowHelpDesk, chipsOf, expect, type RunningExtension } from '#tests/support/ticket';

/**
 * Pastes a ticket with a code of each place into the popup and the panel, opens it in a help desk and gives it to a
 * bulk check, and expects the right verdicts everywhere. A connection to each place must be there.
 */
export async function expectVerdictsOfEach(
  extension: RunningExtension,
  desk: string,
): Promise<void> {
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
}
