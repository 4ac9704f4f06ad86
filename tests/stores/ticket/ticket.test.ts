import { createPinia } from 'pinia';
import { createApp } from 'vue';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { omitUndefined, succeed } from '#core/result';
import type { PageText, TicketCard } from '#core/ticket/index';
import type { Body } from '#messaging/index';
import { useCheck } from '#stores/check/index';
import { accessPort, askPort, clockPort } from '#stores/ports';
import { preferencePort } from '#stores/settings/ports';
import { useExpectedItem } from '#stores/ticket/expected-item';
import {
  chipsPort,
  inspectPort,
  pendingTextPort,
  type ReceivedText,
  tabPagePort,
  ticketCardsPort,
  waitingTextPort,
} from '#stores/ticket/ports';
import { useTicket } from '#stores/ticket/ticket';
import { code, connection, demo, genuine, now, otherCode } from '#tests/stores/check/samples';
import { createHeldAnswers, type HeldAnswers } from '#tests/stores/held-answers';
import { scriptedWorker } from '#tests/stores/scripted-worker';
import type { ExpectedItem } from '#core/items/index';

const origin = 'https://desk.test';
const license = `eyJhbGciOiJFZERTQSJ9.${'a'.repeat(60)}.${'b'.repeat(86)}`;

let page: PageText | undefined;
let address: string | undefined;
/** The address that was in the tab before. */
let from: string | undefined;
/** The tab in front. */
let tabId: number;
let pending: ReceivedText | undefined;
let held: HeldAnswers | undefined;
let reads: number;
/** Whether what was typed into the page was left out of the latest reading. */
let hasLeftTyped: boolean | undefined;
let onFollow: () => void;
let onPermitted: () => void;
let onText: () => void;
let inspected: string[];
/** Each reply that was handed to the worker, and the ticket that it was made for. */
let inserted: Body<'ticket.insert'>[];
/** The chips that each ticket was told to show, by code. */
let chips: Map<string, Set<string>>;
/** The cards that are kept. */
let cards: Map<string, TicketCard>;

const pageOf = (fields: Partial<PageText>): PageText => ({
  origin,
  address: `${origin}/1`,
  subject: '',
  attached: [],
  selection: '',
  text: '',
  ...fields,
});

function opened(
  setting: {
    allowed?: boolean;
    several?: boolean;
    expectedItem?: ExpectedItem;
    slow?: boolean;
  } = {},
) {
  const { several = false, expectedItem } = setting;
  const answers = createHeldAnswers();
  const worker = scriptedWorker({
    'connections.list': () => (several ? [connection(), demo] : [connection()]),
    'sites.list': () =>
      setting.allowed === false
        ? []
        : [{ origin, automatic: false, permitted: true, ...(expectedItem && { expectedItem }) }],
    check: (body) => (setting.slow === true ? answers.hold(genuine(body)) : genuine(body)),
    'ticket.insert': (body) => {
      inserted.push(body);
      return 'inserted';
    },
  });
  const pinia = createPinia();
  createApp({})
    .use(pinia)
    .provide(askPort, worker.ask)
    .provide(clockPort, () => Date.now())
    .provide(accessPort, () => Promise.resolve(true))
    .provide(preferencePort, {
      read: () => Promise.resolve(undefined),
      change: () => Promise.resolve(succeed(undefined)),
      watch: () => undefined,
    })
    .provide(chipsPort, {
      show: ({ address }, code) => {
        chips.set(address, (chips.get(address) ?? new Set<string>()).add(code));
      },
    })
    .provide(inspectPort, {
      license: (text) => {
        inspected.push(text);
        return Promise.resolve();
      },
      files: () => Promise.resolve(),
    })
    .provide(ticketCardsPort, {
      read: (of) => Promise.resolve(cards.get(of)),
      write: (card) => {
        cards.set(card.address, card);
        return Promise.resolve();
      },
      watch: () => undefined,
    })
    .provide(waitingTextPort, {
      put: () => Promise.resolve(),
      take: () => Promise.resolve(undefined),
    })
    .provide(pendingTextPort, {
      take: () => {
        const taken = pending;
        pending = undefined;
        return Promise.resolve(taken);
      },
      watch: (called) => (onText = called),
    })
    .provide(tabPagePort, {
      read: (leavesTyped) => {
        reads += 1;
        hasLeftTyped = leavesTyped;
        return held === undefined ? Promise.resolve(page) : held.hold(page);
      },
      front: () =>
        Promise.resolve(
          address === undefined ? undefined : omitUndefined({ tabId, address, from }),
        ),
      follow: (changed, permitted) => {
        onFollow = changed;
        onPermitted = permitted;
      },
    });
  const checked = (): string[] => worker.bodies('check').map((body) => body.code);
  const askedAt = (): string[] => worker.bodies('check').map((body) => body.connectionId);
  const ticketsTold = () => worker.bodies('check').map((body) => body.ticket);
  return {
    ticket: useTicket(pinia),
    check: useCheck(pinia),
    expected: useExpectedItem(pinia),
    checked,
    askedAt,
    ticketsTold,
    answers,
  };
}

beforeEach(() => {
  vi.useFakeTimers({ now });
  page = pending = held = from = undefined;
  address = `${origin}/1`;
  reads = 0;
  inspected = [];
  inserted = [];
  cards = new Map();
  chips = new Map();
  tabId = 7;
});
afterEach(() => {
  vi.useRealTimers();
});

test('the popup checks the one code that is selected', async () => {
  page = pageOf({ selection: `Code: ${code}` });
  const { ticket, check, checked } = opened({ allowed: false });
  await ticket.open();
  expect(check.draft).toBe(code);
  expect(checked()).toEqual([code]);
  expect(ticket.origin).toBe(origin);
  expect(ticket.fillings).toBe(1);
});

test('codes merely found on a page that is not allowed wait for Enter', async () => {
  page = pageOf({ text: `My code is ${code}` });
  const { ticket, check, checked } = opened({ allowed: false });
  await ticket.open();
  expect(check.draft).toBe(code);
  expect(checked()).toEqual([]);
});

test('what was typed while the page was read stays', async () => {
  held = createHeldAnswers();
  page = pageOf({ selection: code });
  const { ticket, check } = opened();
  const open = ticket.open();
  await vi.waitFor(() => {
    expect(reads).toBe(1);
  });
  check.draft = 'typed';
  await held.release();
  await open;
  expect(check.draft).toBe('typed');
});

test('a pending text goes before the page, and is checked', async () => {
  pending = { text: otherCode };
  page = pageOf({ selection: code });
  const { ticket, checked } = opened();
  await ticket.open();
  expect(checked()).toEqual([otherCode]);
  expect(reads).toBe(0);
});

test.each([
  ['allowed, and the page is drawn', true, `Purchase code: ${code}`],
  ['allowed, and the page is not drawn yet', true, ''],
  ['not allowed', false, `Purchase code: ${code}`],
])(
  'a text that comes from a ticket is checked as one of that ticket: %s',
  async (_, allowed, text) => {
    pending = { text: code, ticket: `${origin}/1#note-3` };
    page = pageOf({ text });
    const { ticket, ticketsTold } = opened({ allowed });
    const followed = ticket.follow();
    await vi.advanceTimersByTimeAsync(12_000);
    await followed;
    expect(ticketsTold()).toEqual([`${origin}/1`]);
  },
);

test('a text that comes from no ticket is checked as one of no ticket', async () => {
  pending = { text: code };
  page = pageOf({ text: 'No code' });
  const { ticket, ticketsTold } = opened();
  await ticket.follow();
  expect(ticketsTold()).toEqual([undefined]);
});

test('a code that a chip handed over is judged by the expected item of its help desk', async () => {
  const expectedItem = { itemId: 7, name: 'Anchor' };
  pending = { text: otherCode };
  address = origin;
  const { ticket, expected } = opened({ expectedItem });
  await ticket.follow();
  expect(ticket.origin).toBe(origin);
  expect(expected.current).toEqual(expectedItem);
  address = 'https://elsewhere.test';
  onFollow();
  await vi.waitFor(() => {
    expect(expected.current).toBeUndefined();
  });
});

test('a selected license is offered to the verifier and not checked', async () => {
  page = pageOf({ selection: license });
  const { ticket, check, checked } = opened();
  await ticket.open();
  expect(check.refusal).toBe('license');
  expect(checked()).toEqual([]);
  await ticket.inspect();
  expect(inspected).toEqual([license]);
});

test('a license in the field goes to the verifier itself, not the one that was selected before', async () => {
  page = pageOf({ selection: license });
  const { ticket, check } = opened();
  await ticket.open();
  const other = license.replace('aa', 'cc');
  check.replaceText(other, true);
  await check.submit();
  expect(check.refusal).toBe('license');
  await ticket.inspect();
  expect(inspected).toEqual([other]);
});

test('a license in the field goes to the verifier itself, not the one on the page or a code that was sent before', async () => {
  pending = { text: code };
  const { ticket, check } = opened();
  await ticket.follow();
  check.replaceText(license, true);
  await check.submit();
  await ticket.inspect();
  const other = license.replace('aa', 'cc');
  address = `${origin}/1`;
  page = pageOf({ text: other });
  check.clear();
  onFollow();
  await vi.waitFor(() => {
    expect(ticket.licenseOnPage).toBe(true);
  });
  check.replaceText(license, true);
  await check.submit();
  await ticket.inspect();
  check.clear();
  await ticket.inspect();
  expect(inspected).toEqual([license, license, other]);
});

test('the panel reads no page of a site that is not allowed', async () => {
  address = `${origin}/1`;
  page = pageOf({ text: code });
  const { ticket } = opened({ allowed: false });
  await ticket.follow();
  expect(reads).toBe(0);
  expect(ticket.origin).toBe(origin);
});

test('the panel notices a site that is allowed elsewhere, and may insert replies there', async () => {
  address = `${origin}/1`;
  const setting = { allowed: false };
  const { ticket } = opened(setting);
  await ticket.follow();
  expect(ticket.site).toBeUndefined();
  setting.allowed = true;
  onPermitted();
  await vi.waitFor(() => {
    expect(ticket.site?.origin).toBe(origin);
  });
  expect(reads).toBeGreaterThan(0);
});

test('the panel leaves what is typed on the page alone, the popup reads it on the agent’s gesture', async () => {
  address = `${origin}/1`;
  page = pageOf({ text: code });
  const { ticket } = opened();
  void ticket.follow();
  await vi.advanceTimersByTimeAsync(0);
  expect(hasLeftTyped).toBe(true);
  await ticket.open();
  expect(hasLeftTyped).toBeFalsy();
});

test('the panel reads an allowed page again while it is still empty', async () => {
  address = `${origin}/1`;
  page = pageOf({});
  const { ticket, check } = opened();
  const followed = ticket.follow();
  await vi.advanceTimersByTimeAsync(0);
  expect(check.draft).toBe('');
  page = pageOf({ text: code });
  await vi.advanceTimersByTimeAsync(400);
  await followed;
  expect(check.draft).toBe(code);
  expect(reads).toBe(2);
});

test('the panel reads a page again that still shows the ticket before', async () => {
  address = `${origin}/1`;
  page = pageOf({ text: code });
  const { ticket, check, checked } = opened();
  const followed = ticket.follow();
  await vi.advanceTimersByTimeAsync(0);
  await followed;
  // A single-page desk changes the address first, and draws the other ticket once it has loaded it.
  address = `${origin}/2`;
  page = pageOf({ text: code, address });
  onFollow();
  await vi.advanceTimersByTimeAsync(300);
  expect(check.draft).toBe('');
  page = pageOf({ text: otherCode, address });
  await vi.advanceTimersByTimeAsync(100);
  expect(check.draft).toBe(otherCode);
  expect(checked()).toEqual([code, otherCode]);
});

test('what is typed before a page is read again stays', async () => {
  address = `${origin}/1`;
  page = pageOf({});
  const { ticket, check } = opened();
  void ticket.follow();
  await vi.advanceTimersByTimeAsync(300);
  check.draft = 'typed';
  page = pageOf({ text: code });
  await vi.advanceTimersByTimeAsync(1600);
  expect(check.draft).toBe('typed');
});

test('the page that was in front before never fills the field of the one in front now', async () => {
  address = `${origin}/1`;
  page = pageOf({ text: code });
  held = createHeldAnswers();
  const { ticket, check } = opened();
  void ticket.follow();
  await vi.advanceTimersByTimeAsync(0);
  address = `${origin}/2`;
  page = pageOf({ text: otherCode, address });
  onFollow();
  await vi.advanceTimersByTimeAsync(0);
  expect(reads).toBe(2);
  await held.release(1);
  await held.release();
  expect(check.draft).toBe(otherCode);
});

test('a page without a code has those that its reply quotes, and takes the reply for them', async () => {
  page = pageOf({ subject: 'Reply', text: 'Write your reply', quoted: `> It is ${code}` });
  const { ticket, check } = opened();
  void ticket.follow();
  await vi.advanceTimersByTimeAsync(5000);
  expect(check.draft).toBe(code);
  expect(await ticket.insertReply('Hello')).toBe('inserted');
  page = pageOf({ subject: 'Reply', text: otherCode, quoted: `> It is ${code}` });
  onFollow();
  await vi.advanceTimersByTimeAsync(5000);
  expect(check.draft).toBe(otherCode);
});

test('the popup has the codes that a reply quotes where the page shows none', async () => {
  page = pageOf({ text: 'Write your reply', quoted: `> It is ${code}` });
  const { ticket, check } = opened();
  await ticket.open();
  expect(check.draft).toBe(code);
  expect(ticket.isWithoutCode).toBe(false);
});

describe('a ticket that was left before it was read', () => {
  /** Shows the second ticket's address while the first one, which was never read, is still in sight. */
  async function leftUnread() {
    const shop = opened();
    void shop.ticket.follow();
    await vi.advanceTimersByTimeAsync(10_000);
    from = `${origin}/2`;
    address = `${origin}/3`;
    page = pageOf({ address, document: 4, moved: true, subject: 'Second', text: code });
    onFollow();
    await vi.advanceTimersByTimeAsync(0);
    return shop;
  }

  test('is not taken for the one after it, whose text counts as soon as it is drawn', async () => {
    const { check } = await leftUnread();
    await vi.advanceTimersByTimeAsync(1000);
    expect(check.draft).toBe('');
    page = pageOf({
      address: `${origin}/3`,
      document: 4,
      moved: true,
      subject: 'Third',
      text: otherCode,
    });
    await vi.advanceTimersByTimeAsync(1000);
    expect(check.draft).toBe(otherCode);
  });

  test('keeps the one after it back for a few seconds where that was drawn at once', async () => {
    const { check } = await leftUnread();
    await vi.advanceTimersByTimeAsync(5000);
    expect(check.draft).toBe(code);
  });

  test('counts for none, back at the ticket before, although it was read there', async () => {
    page = pageOf({ document: 4, moved: true, text: 'Hello' });
    const { ticket, check } = opened();
    void ticket.follow();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(ticket.isWithoutCode).toBe(true);
    address = `${origin}/2`;
    onFollow();
    await vi.advanceTimersByTimeAsync(0);
    from = address;
    address = `${origin}/1`;
    page = pageOf({ document: 4, moved: true, subject: 'Second', text: code });
    onFollow();
    await vi.advanceTimersByTimeAsync(1000);
    expect(check.draft).toBe('');
  });
});

test('a text that arrives while a page is read goes before it', async () => {
  address = `${origin}/1`;
  page = pageOf({ text: code });
  held = createHeldAnswers();
  const { ticket, check, checked } = opened();
  void ticket.follow();
  await vi.advanceTimersByTimeAsync(0);
  pending = { text: otherCode };
  onText();
  await vi.advanceTimersByTimeAsync(0);
  await held.release();
  expect(check.draft).toBe(otherCode);
  expect(checked()).toEqual([otherCode]);
});

test('the same codes read again keep their answers', async () => {
  address = `${origin}/1`;
  page = pageOf({ text: code });
  const { ticket, checked } = opened();
  const followed = ticket.follow();
  await vi.advanceTimersByTimeAsync(0);
  await followed;
  onFollow();
  await vi.advanceTimersByTimeAsync(0);
  expect(checked()).toEqual([code]);
  expect(ticket.fillings).toBe(1);
});

test('a code from a chip is asked at the connections that the chip asked, and the choice shows it', async () => {
  pending = { text: code, connectionIds: ['market', 'demo', 'deleted'] };
  const { ticket, check, askedAt } = opened({ several: true });
  check.choose('market');
  await ticket.open();
  expect(askedAt()).toEqual(['market', 'demo']);
  expect(check.chosen).toBe('all');
});

test('a choice that covers the connections of a chip stays', async () => {
  pending = { text: code, connectionIds: ['market'] };
  const { ticket, check, askedAt } = opened({ several: true });
  check.choose('all');
  await ticket.open();
  expect(askedAt()).toEqual(['market']);
  expect(check.chosen).toBe('all');
});

test('a reply goes to the ticket in front on an allowed site alone', async () => {
  address = 'https://elsewhere.test/1';
  page = pageOf({ origin: 'https://elsewhere.test', address });
  const { ticket } = opened();
  await ticket.open();
  expect(await ticket.insertReply('Hello')).toBe('no-field');
  expect(inserted).toEqual([]);
  address = `${origin}/1`;
  page = pageOf({ subject: 'Invoices' });
  await ticket.open();
  expect(await ticket.insertReply('Hello')).toBe('inserted');
  expect(inserted).toEqual([{ text: 'Hello', ticket: { tabId: 7, address, subject: 'Invoices' } }]);
});

describe('beside one ticket after the other', () => {
  /** Shows another ticket in front, drawn at once. */
  function show(number: number, text: string, fields: Partial<PageText> = {}): void {
    address = `${origin}/${String(number)}`;
    page = pageOf({ address, text, subject: `Ticket ${String(number)}`, ...fields });
    onFollow();
  }

  test('the card changes as a whole, and that of a ticket without a code is empty and says so', async () => {
    const { ticket, check } = opened();
    void ticket.follow();
    await vi.advanceTimersByTimeAsync(0);
    show(1, code);
    await vi.advanceTimersByTimeAsync(50);
    expect(check.entries).toHaveLength(1);
    show(2, 'Do you offer discounts?');
    await vi.advanceTimersByTimeAsync(0);
    expect(check.draft).toBe('');
    expect(check.entries).toEqual([]);
    expect(ticket.current).toEqual({
      tabId: 7,
      address: `${origin}/2`,
      subject: 'Ticket 2',
    });
    expect(ticket.isWithoutCode).toBe(true);
  });

  test('an answer that comes after the ticket is left is shown on no other ticket', async () => {
    const { ticket, check, answers } = opened({ slow: true });
    void ticket.follow();
    await vi.advanceTimersByTimeAsync(0);
    show(1, code);
    await vi.advanceTimersByTimeAsync(50);
    show(2, otherCode);
    await vi.advanceTimersByTimeAsync(50);
    await answers.release();
    const [entry, ...others] = check.entries;
    expect(others).toEqual([]);
    expect(entry?.code).toBe(otherCode);
    expect(entry?.pendingChecks.map(({ report }) => report)).toEqual([undefined]);
  });

  test('its chips show the verdicts of the card, and nothing about a code that the page does not show', async () => {
    page = pageOf({ text: `My code is ${code}` });
    const { ticket, check } = opened();
    void ticket.follow();
    await vi.advanceTimersByTimeAsync(20_000);
    expect([...chips]).toEqual([[`${origin}/1`, new Set([code])]]);
    chips.clear();
    // The page was loaded anew.
    onFollow();
    await vi.advanceTimersByTimeAsync(20_000);
    expect([...chips]).toEqual([[`${origin}/1`, new Set([code])]]);
    chips.clear();
    check.replaceText(otherCode, true);
    await check.submit();
    await vi.advanceTimersByTimeAsync(20_000);
    expect([...chips]).toEqual([]);
  });

  test('back on a ticket its card is there again, and nobody is asked', async () => {
    const { ticket, check, checked } = opened();
    void ticket.follow();
    await vi.advanceTimersByTimeAsync(0);
    show(1, code);
    await vi.advanceTimersByTimeAsync(50);
    show(2, 'No code');
    await vi.advanceTimersByTimeAsync(50);
    show(1, code);
    await vi.advanceTimersByTimeAsync(50);
    expect(check.draft).toBe(code);
    expect(check.entries[0]?.pendingChecks[0]?.report?.outcome.ok).toBe(true);
    expect(checked()).toEqual([code]);
  });

  test('of two tabs at one address neither ever shows the other’s verdict, and each has its own again', async () => {
    const { ticket, check, checked } = opened();
    void ticket.follow();
    await vi.advanceTimersByTimeAsync(0);
    show(1, code, { document: 1 });
    await vi.advanceTimersByTimeAsync(50);
    expect(check.entries).toHaveLength(1);
    tabId = 8;
    show(1, 'Do you offer discounts?', { document: 2 });
    await vi.advanceTimersByTimeAsync(0);
    expect([check.draft, check.entries]).toEqual(['', []]);
    await vi.advanceTimersByTimeAsync(50);
    expect(ticket.isWithoutCode).toBe(true);
    tabId = 7;
    show(1, code, { document: 1 });
    await vi.advanceTimersByTimeAsync(50);
    expect(check.draft).toBe(code);
    expect(check.entries[0]?.pendingChecks[0]?.report?.outcome.ok).toBe(true);
    expect(checked()).toEqual([code]);
  });

  test('what the agent typed stays with its ticket, and what was typed beside no ticket with none', async () => {
    const { ticket, check } = opened();
    void ticket.follow();
    await vi.advanceTimersByTimeAsync(0);
    address = 'https://elsewhere.test/';
    page = undefined;
    onFollow();
    await vi.advanceTimersByTimeAsync(0);
    check.replaceText(otherCode, true);
    void check.submit();
    await vi.advanceTimersByTimeAsync(0);
    show(1, code);
    await vi.advanceTimersByTimeAsync(50);
    expect(check.draft).toBe(code);
    address = 'https://elsewhere.test/';
    onFollow();
    await vi.advanceTimersByTimeAsync(0);
    expect(check.draft).toBe(otherCode);
    expect(ticket.current).toBeUndefined();
  });

  test('another heading at the same address is another ticket', async () => {
    const { ticket, check } = opened();
    void ticket.follow();
    await vi.advanceTimersByTimeAsync(0);
    show(1, code, { subject: 'Invoices' });
    await vi.advanceTimersByTimeAsync(50);
    show(1, 'No code here', { subject: 'Shipping' });
    await vi.advanceTimersByTimeAsync(300);
    expect(check.entries).toEqual([]);
    expect(ticket.current?.subject).toBe('Shipping');
  });

  test('a code of a chip is not shown once another ticket is in front', async () => {
    const { ticket, check, checked } = opened();
    void ticket.follow();
    await vi.advanceTimersByTimeAsync(0);
    show(2, 'No code');
    pending = { text: code, ticket: `${origin}/1` };
    onText();
    await vi.advanceTimersByTimeAsync(50);
    expect(check.draft).toBe('');
    expect(checked()).toEqual([]);
    pending = { text: code, ticket: `${origin}/2#note-3` };
    onText();
    await vi.advanceTimersByTimeAsync(50);
    expect(checked()).toEqual([code]);
  });

  test('a selection says nothing of what else is there', async () => {
    const { ticket, check } = opened();
    void ticket.follow();
    await vi.advanceTimersByTimeAsync(0);
    show(1, '', { selection: 'three words selected' });
    await vi.advanceTimersByTimeAsync(4000);
    expect(ticket.isWithoutCode).toBe(false);
    expect(check.draft).toBe('');
    page = pageOf({ text: code, subject: 'Ticket 1' });
    await vi.advanceTimersByTimeAsync(4000);
    expect(check.draft).toBe(code);
    show(1, '', { selection: 'word' });
    await vi.advanceTimersByTimeAsync(50);
    expect(check.draft).toBe(code);
    // The ticket before is still drawn, with its code selected.
    show(2, '', { selection: code, subject: 'Ticket 1' });
    await vi.advanceTimersByTimeAsync(300);
    expect(check.draft).toBe('');
  });

  test('no reply is inserted under a selection where nothing else tells that it is the ticket', async () => {
    const { ticket } = opened();
    void ticket.follow();
    await vi.advanceTimersByTimeAsync(0);
    show(1, code, { subject: '' });
    await vi.advanceTimersByTimeAsync(50);
    page = pageOf({ selection: 'Thank you' });
    expect(await ticket.insertReply('Hello')).toBe('other-ticket');
  });

  test('a reply about a code that a chip handed over is not inserted once the page shows another ticket', async () => {
    const { ticket } = opened();
    void ticket.follow();
    await vi.advanceTimersByTimeAsync(0);
    show(1, `${code} and ${otherCode}`, { subject: '' });
    pending = { text: code, ticket: `${origin}/1` };
    onText();
    await vi.advanceTimersByTimeAsync(50);
    page = pageOf({ text: 'Thank you' });
    expect(await ticket.insertReply('Hello')).toBe('other-ticket');
    // That ticket was drawn late: the code was clicked in the one before.
    onFollow();
    await vi.advanceTimersByTimeAsync(50);
    expect(await ticket.insertReply('Hello')).toBe('other-ticket');
    expect(inserted).toEqual([]);
  });

  test('a verdict goes once the page at the same address shows no code for long', async () => {
    const { ticket, check } = opened();
    void ticket.follow();
    await vi.advanceTimersByTimeAsync(0);
    show(1, code, { subject: '' });
    await vi.advanceTimersByTimeAsync(50);
    show(1, 'Thank you', { subject: '' });
    await vi.advanceTimersByTimeAsync(300);
    expect(check.draft).toBe(code);
    await vi.advanceTimersByTimeAsync(6000);
    expect(check.entries).toEqual([]);
    expect(ticket.isWithoutCode).toBe(true);
  });

  test.each([
    ['at another address', { address: `${origin}/2` }],
    ['under another heading', { subject: 'Ticket 2' }],
    ['without the code', { text: 'Thank you' }],
  ])('a reply is not inserted into a page %s', async (_name, fields) => {
    const { ticket } = opened();
    void ticket.follow();
    await vi.advanceTimersByTimeAsync(0);
    show(1, code);
    await vi.advanceTimersByTimeAsync(50);
    // The browser has not told of it yet.
    page = pageOf({ text: code, subject: 'Ticket 1', ...fields });
    expect(await ticket.insertReply('Hello')).toBe('other-ticket');
    expect(inserted).toEqual([]);
  });

  test('a reply that asks for the code is not inserted where one has come meanwhile', async () => {
    const { ticket } = opened();
    void ticket.follow();
    await vi.advanceTimersByTimeAsync(0);
    show(1, 'Loading');
    await vi.advanceTimersByTimeAsync(50);
    page = pageOf({ text: code, subject: 'Ticket 1' });
    expect(await ticket.insertReply('Please send it')).toBe('other-ticket');
    expect(inserted).toEqual([]);
  });
});
