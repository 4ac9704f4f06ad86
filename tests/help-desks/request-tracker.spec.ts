import type { Page } from '@playwright/test';

import { codeShapes } from '#sandbox/pages/help-desk';
import { sampleCodes } from '#sandbox/seed/sample-codes';
import { type DayTicket, dayTickets } from '#sandbox/seed/day';
import { tickets } from '#sandbox/seed/tickets';
import { type RequestTracker, startRequestTracker } from '#tests/help-desks/request-tracker';
import { coveredWords } from '#tests/support/covered-words';
import {
  foreignCodes,
  foreignInCard,
  type Insertion,
  insertionsOf,
  noteInsertions,
  pressInsert,
} from '#tests/support/day-of-tickets';
import { createRandom } from '#tests/soak/random';
import { createTestAuthority, installationState } from '#tests/support/license-files';
import { inspectLink } from '#tests/support/inspect-link';
import { allowHelpDesk, chipsOf, expect, test as base } from '#tests/support/ticket';
import { waitForAbsence } from '#tests/support/waits';

const demo = sampleCodes('/demo');

interface Desk extends RequestTracker {
  /** A ticket for each shape of a code in HTML, by the shape's name. */
  readonly shapes: readonly (readonly [name: string, id: number])[];
  /** The sandbox's tickets as plain mails, by what they hold. */
  readonly mails: readonly (readonly [name: string, id: number])[];
  /** A ticket whose subject is a code, with a license file attached. */
  readonly withFile: number;
}

const test = base.extend<{ agent: Page }, { rt: Desk }>({
  rt: [
    // eslint-disable-next-line no-empty-pattern -- Playwright reads a fixture's needs from this pattern
    async ({}, use) => {
      const rt = await startRequestTracker();
      const shapes: [string, number][] = [];
      for (const [name, mail] of codeShapes) {
        const text = (await mail).toString();
        shapes.push([name, await rt.createTicket({ subject: name, type: 'text/html', text })]);
      }
      const mails: [string, number][] = [];
      for (const { holds, subject, messages } of tickets) {
        const text = messages
          .map((message) => `${message.text}\n\n${message.code ?? ''}`)
          .join('\n');
        mails.push([holds, await rt.createTicket({ subject, type: 'text/plain', text })]);
      }
      const withFile = await rt.createTicket({
        subject: demo.supported,
        type: 'text/plain',
        text: 'My license is attached.',
        attached: [{ name: 'state of shop.json', text: installationState(createTestAuthority()) }],
      });
      await use({ ...rt, shapes, mails, withFile });
      await rt.close();
    },
    { scope: 'worker', timeout: 600_000 },
  ],

  /** A page that is logged in, on an allowed site with two connections. */
  agent: async ({ connected, extension, rt }, use) => {
    await (await connected('/demo', '/market')).close();
    await allowHelpDesk(extension, rt.origin);
    const page = await extension.now.context.newPage();
    await rt.logIn(page);
    await use(page);
  },
});

/** Waits until the same chips are shown twice; where nothing is free, there is none to wait for. */
async function untilChipsRest(page: Page): Promise<void> {
  let before = 0;
  for (let look = 0; look < 6; look += 1) {
    const { length } = await chipsOf(page);
    if (length > 0 && length === before) return;
    before = length;
    await waitForAbsence(500);
  }
}

test.describe.configure({ timeout: 600_000 });

test('in tickets of every shape no chip at rest lies over a word, its own code or another chip', async ({
  agent,
  rt,
}) => {
  let chips = 0;
  for (const [width, opened] of [
    [1280, [...rt.shapes, ...rt.mails]],
    [400, rt.shapes],
  ] as const) {
    await agent.setViewportSize({ width, height: 2400 });
    for (const [name, id] of opened) {
      await rt.openTicket(agent, id);
      await untilChipsRest(agent);
      const where = `${name}, ${String(width)} px`;
      expect(await coveredWords(agent), where).toEqual([]);
      chips += (await chipsOf(agent)).length;
    }
  }
  expect(chips).toBeGreaterThan(30);
});

test('titles, menus and lists are left alone, on pages of tickets and of lists', async ({
  agent,
  rt,
}) => {
  // Tall enough to show the messages below the ticket's fields.
  await agent.setViewportSize({ width: 1280, height: 2000 });
  await rt.openTicket(agent, rt.withFile);
  const codes = async (): Promise<string[]> => (await chipsOf(agent)).map(({ code }) => code);
  // The subject stands in title, menu and message; the message's is marked.
  await expect.poll(codes).toEqual([demo.supported]);
  const subject = await agent.locator('.message-header-value').first().boundingBox();
  const [chip] = await chipsOf(agent);
  expect(Math.abs((chip?.top ?? 0) - (subject?.y ?? 0))).toBeLessThan(20);

  await agent.goto(`${rt.origin}/Search/Results.html?Query=id%3E0`);
  await expect(agent.getByRole('link', { name: demo.supported }).first()).toBeVisible();
  // Another text of the page, added last: once it has a chip, the lists were read.
  await agent.evaluate((code) => {
    document.querySelector('#body')?.append(code);
  }, demo.lapsed);
  await expect.poll(codes).toEqual([demo.lapsed]);
});

test('an attached file is fetched with the agent’s cookie and judged in the verifier', async ({
  agent,
  extension,
  rt,
}) => {
  await rt.openTicket(agent, rt.withFile);
  const link = agent.locator('.downloadattachment a', { hasText: 'state of shop.json' });
  const address = await link.evaluate((element) => (element as HTMLAnchorElement).href);
  const verifier = await inspectLink(extension, agent, address);
  await expect(verifier.getByText('1 file checked')).toBeVisible();
  await expect(verifier.locator('[data-standing]')).toContainText('state of shop.json');
});

test('over a day of forty tickets no card and no inserted reply is of another ticket', async ({
  agent,
  extension,
  rt,
  sandbox,
}) => {
  const chance = createRandom(46);
  const upTo = (most: number): number => Math.floor(chance() * (most + 1));
  const day = new Map<number, DayTicket>();
  for (const ticket of dayTickets) {
    const text = ticket.messages.map((message) => message.text).join('\n');
    day.set(await rt.createTicket({ subject: ticket.subject, type: 'text/plain', text }), ticket);
  }
  const ids = [...day.keys()];
  const ticketAt = (address: string): DayTicket | undefined =>
    URL.canParse(address) ? day.get(Number(new URL(address).searchParams.get('id'))) : undefined;
  // A plain field, as the agent prefers it from here on.
  await rt.editors.plain.open(agent, ids[0] ?? 0);
  const other = await extension.now.context.newPage();
  for (const page of [agent, other]) await noteInsertions(page);
  for (let count = 0; count < 120; count += 1)
    await sandbox.injectFault('/demo', { fault: 'latency', ms: upTo(1500) });
  const panel = await extension.open('sidepanel.html');

  const wrong: string[] = [];
  const insertions: Insertion[] = [];
  let verdicts = 0;
  for (let move = 0; move < 30; move += 1) {
    const page = upTo(2) === 0 ? other : agent;
    const id = String(ids[upTo(ids.length - 1)]);
    await page.bringToFront();
    if (page.url().startsWith(rt.origin)) insertions.push(...(await insertionsOf(page)));
    const replies = upTo(2) === 0;
    const path = replies ? `Update.html?Action=Respond&id=${id}` : `Display.html?id=${id}`;
    await page.goto(`${rt.origin}/Ticket/${path}`, { waitUntil: 'commit' });
    if (replies) await page.locator('textarea.messagebox').first().focus();
    for (let step = upTo(3); step >= 0; step -= 1) {
      await pressInsert(panel);
      wrong.push(...(await foreignInCard(panel, ticketAt)));
      await waitForAbsence(upTo(500));
      wrong.push(...(await foreignInCard(panel, ticketAt)));
    }
    // Every other ticket is given the time that its answer takes; a page for a reply does not show the customer's
    // words.
    const isToSettle = upTo(1) === 0;
    if (isToSettle && !replies && ticketAt(page.url())?.codes.length === 1)
      await panel
        .locator('[data-verdict]:not([aria-busy])')
        .waitFor({ timeout: 8000 })
        .catch(() => undefined);
    wrong.push(...(await foreignInCard(panel, ticketAt)));
    await pressInsert(panel);
    verdicts += await panel.locator('[data-verdict]').count();
    insertions.push(...(await insertionsOf(page)));
  }
  wrong.push(...insertions.flatMap((each) => foreignCodes(each, ticketAt(each.address))));
  expect(wrong).toEqual([]);
  expect(verdicts).toBeGreaterThan(2);
  expect(insertions.length).toBeGreaterThan(0);
});
