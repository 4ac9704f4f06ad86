import { type DayTicket, dayTickets } from '#sandbox/seed/day';
import { createRandom } from '#tests/soak/random';
import {
  cardOf,
  foreignCodes,
  foreignInCard,
  type Insertion,
  insertionsOf,
  noteInsertions,
  pressInsert,
} from '#tests/support/day-of-tickets';
import { takeTab } from '#tests/support/tabs';
import { expect, test } from '#tests/support/ticket';
import { waitForAbsence } from '#tests/support/waits';

const ticketAt = (address: string): DayTicket | undefined =>
  dayTickets.find(({ id }) => address.endsWith(`/${String(id)}`));

/**
 * Tells what is wrong with a text in the reply field of a ticket: a code of another one, or a question for one that it
 * has.
 */
function problemsOf(insertion: Insertion): string[] {
  const { address, drawn, text } = insertion;
  const ticket = dayTickets.find(({ id }) => id === drawn);
  if (ticketAt(address) !== ticket) return [`${address} while ${String(drawn)} is drawn`];
  const asks = text.includes('Could you please send us your purchase code?');
  const isAmiss = asks !== (ticket?.codes.length === 0) && /purchase/u.test(text);
  return [...foreignCodes(insertion, ticket), ...(isAmiss ? [`${address}: ${text}`] : [])];
}

test('over a day of forty tickets no card and no inserted reply is of another ticket', async ({
  connectAtDesk,
  extension,
  desk,
  sandbox,
}) => {
  test.setTimeout(600_000);
  const chance = createRandom(46);
  const upTo = (most: number): number => Math.floor(chance() * (most + 1));
  await connectAtDesk(['/demo']);
  for (let count = 0; count < 120; count += 1)
    await sandbox.injectFault('/demo', { fault: 'latency', ms: upTo(1500) });

  const panel = await extension.open('sidepanel.html');
  const app = await takeTab(extension.now.context);
  await noteInsertions(app);
  await app.goto(`${desk}/day/2001`);
  const paged = await takeTab(extension.now.context);
  await noteInsertions(paged);
  await paged.goto(`${desk}/tickets/2003`);

  const wrong: string[] = [];
  let inFront = paged;
  const look = async (): Promise<void> => {
    wrong.push(...(await foreignInCard(panel, ticketAt)));
  };
  const insert = (): Promise<void> => pressInsert(panel);

  const insertions: Insertion[] = [];
  for (let move = 0; move < 26; move += 1) {
    const id = 2001 + upTo(39);
    switch (upTo(9)) {
      case 0:
        await app.bringToFront();
        inFront = app;
        await app.goBack({ waitUntil: 'commit' }).catch(() => undefined);
        break;
      case 1:
        inFront = inFront === app ? paged : app;
        await inFront.bringToFront();
        break;
      case 2:
      case 3:
        await paged.bringToFront();
        inFront = paged;
        insertions.push(...(await insertionsOf(paged)));
        await paged.goto(`${desk}/tickets/${String(id)}`);
        break;
      default:
        await app.bringToFront();
        inFront = app;
        if (ticketAt(app.url()) === undefined) await app.goto(`${desk}/day/2001`);
        await app.getByRole('link', { name: String(id), exact: true }).click();
    }
    for (let step = upTo(3); step >= 0; step -= 1) {
      if (upTo(2) > 0) await insert();
      await look();
      await waitForAbsence(upTo(400));
      await look();
    }
    await insert();
  }

  // The ticket changes while a reply is on its way to it.
  await app.bringToFront();
  for (let race = 0; race < 10; race += 1) {
    await expect(panel.locator('[data-shortcut="insert"]').first()).toBeVisible();
    const next = { id: 2001 + upTo(39), afterMs: upTo(60) };
    // Going back may have loaded the page anew, whose links follow.
    await expect(app.locator(`nav a[href$="/${String(next.id)}"]`)).toHaveCount(1);
    await app.evaluate(({ id, afterMs }) => {
      const link = document.querySelector<HTMLElement>(`nav a[href$="/${String(id)}"]`);
      setTimeout(() => link?.click(), afterMs);
    }, next);
    await insert();
    await expect
      .poll(async () => (await cardOf(panel)).address)
      .toBe(`${desk}/day/${String(next.id)}`);
  }
  for (const page of [app, paged]) insertions.push(...(await insertionsOf(page)));
  wrong.push(...insertions.flatMap(problemsOf));
  expect(wrong).toEqual([]);
  expect(insertions.length).toBeGreaterThan(5);

  // At rest the card is that of the ticket in front.
  for (const id of [2005, 2006, 2007, 2005]) {
    await app.bringToFront();
    await app.getByRole('link', { name: String(id), exact: true }).click();
    await expect
      .poll(() => cardOf(panel), { timeout: 15_000 })
      .toEqual({ address: app.url(), codes: ticketAt(app.url())?.codes });
  }
});
