import type { Page } from '@playwright/test';

import { type DayTicket, dayTickets } from '#sandbox/seed/day';
import { maskCode } from '#core/check/code-spelling';
import { createRandom } from '#tests/soak/random';
import { takeTab } from '#tests/support/tabs';
import { expect, test } from '#tests/support/ticket';
import { waitForAbsence } from '#tests/support/waits';

/** What stood in the reply field of a page when something was put into it. */
interface Insertion {
  readonly address: string;
  readonly drawn: number;
  readonly text: string;
}

const ticketAt = (address: string): DayTicket | undefined =>
  dayTickets.find(({ id }) => address.endsWith(`/${String(id)}`));

/** Has a page note what is put into its reply field, and which ticket it then shows. */
async function noteInsertions(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const insertions: Insertion[] = [];
    Object.assign(window, { insertions });
    addEventListener(
      'input',
      ({ target }) => {
        const { drawn = Number(document.querySelector('main')?.dataset['ticket']) } =
          window as unknown as { drawn?: number };
        const text = (target as HTMLTextAreaElement).value;
        insertions.push({ address: location.href, drawn, text });
      },
      true,
    );
  });
}

/** Tells what is wrong with a text in the reply field of a ticket: a code of another one. */
function foreignCodes({ address, drawn, text }: Insertion): string[] {
  const ticket = dayTickets.find(({ id }) => id === drawn);
  if (ticketAt(address) !== ticket) return [`${address} while ${String(drawn)} is drawn`];
  const own = new Set(ticket?.codes.map(maskCode));
  const named = text.match(/[\da-f]{4}…[\da-f]{4}/gu) ?? [];
  const problems = named.filter((code) => !own.has(code));
  const asks = text.includes('Could you please send us your purchase code?');
  if (asks !== (own.size === 0) && /purchase/u.test(text)) problems.push(text);
  return problems.map((problem) => `${address}: ${problem}`);
}

/** Reads the card of the panel at one moment: the ticket it says it is of, and the codes it is about. */
const cardOf = (panel: Page): Promise<{ address: string; codes: string[] }> =>
  panel.evaluate(() => {
    const field = document.querySelector<HTMLTextAreaElement>('#code')?.value ?? '';
    const address = document.querySelector<HTMLElement>('[data-ticket]')?.dataset['ticket'] ?? '';
    return { address, codes: field.split('\n').filter((line) => line !== '') };
  });

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
    const { address, codes } = await cardOf(panel);
    const own = ticketAt(address)?.codes ?? [];
    for (const code of codes)
      if (!own.includes(code)) wrong.push(`The card of ${address} holds ${code}`);
  };
  const insert = async (): Promise<void> => {
    await panel.evaluate(() => {
      document.querySelector<HTMLElement>('[data-shortcut="insert"]')?.click();
    });
  };

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
        insertions.push(
          ...(await paged.evaluate(
            () => (window as unknown as { insertions: Insertion[] }).insertions,
          )),
        );
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
    await app.evaluate(({ id, afterMs }) => {
      const link = document.querySelector<HTMLElement>(`nav a[href$="/${String(id)}"]`);
      setTimeout(() => link?.click(), afterMs);
    }, next);
    await insert();
    await expect
      .poll(async () => (await cardOf(panel)).address)
      .toBe(`${desk}/day/${String(next.id)}`);
  }
  for (const page of [app, paged])
    insertions.push(
      ...(await page.evaluate(() => (window as unknown as { insertions: Insertion[] }).insertions)),
    );
  wrong.push(...insertions.flatMap(foreignCodes));
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
