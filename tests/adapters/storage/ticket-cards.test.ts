import { expect, test } from 'vitest';

import {
  forgetKeptAnswers,
  recentChecksName,
  ticketCardsName,
  watchKeptAnswers,
} from '#adapters/storage/kept-answers';
import { createSessionCache } from '#adapters/storage/session-cache';
import { createTicketCards } from '#adapters/storage/ticket-cards';
import type { TicketCard } from '#core/ticket/index';
import { createMemoryArea, type MemoryArea } from '#tests/adapters/memory-area';
import { code, genuine } from '#tests/stores/check/samples';

const report = genuine({ code, connectionId: 'market' });
const cardAt = (address: string): TicketCard => ({
  address,
  subject: 'Invoices',
  draft: code,
  fromPage: code,
  checked: [{ code, checks: [{ connectionId: 'market', report }] }],
});

test('a ticket’s card is there again, and the oldest of many goes', async () => {
  const area = createMemoryArea();
  const cards = createTicketCards(area, () => Promise.resolve(true));
  await Promise.all(Array.from({ length: 60 }, (_, id) => cards.write(cardAt(String(id)))));
  expect(await cards.read('59')).toEqual(cardAt('59'));
  expect(await cards.read('9')).toBeUndefined();
  await cards.write({ ...cardAt('59'), subject: 'Shipping' });
  expect((await cards.read('59'))?.subject).toBe('Shipping');
});

test('the panels of two windows keep the cards of both tickets', async () => {
  const area = createMemoryArea();
  const isOn = (): Promise<boolean> => Promise.resolve(true);
  const panels = [createTicketCards(area, isOn), createTicketCards(area, isOn)];
  await Promise.all(panels.map((cards, at) => cards.write(cardAt(String(at)))));
  for (const cards of panels)
    expect([await cards.read('0'), await cards.read('1')]).toEqual([cardAt('0'), cardAt('1')]);
});

test('a card for which the browser has no room is not kept, and the others stay', async () => {
  const area = createMemoryArea();
  const cards = createTicketCards(area, () => Promise.resolve(true));
  await cards.write(cardAt('1'));
  area.limitTo(area.dump().length);
  await cards.write(cardAt('2'));
  expect([await cards.read('1'), await cards.read('2')]).toEqual([cardAt('1'), undefined]);
});

test('nothing is kept while the history is off', async () => {
  const history = { isOn: true };
  const area = createMemoryArea();
  const cards = createTicketCards(area, () => Promise.resolve(history.isOn));
  await cards.write(cardAt('1'));
  history.isOn = false;
  expect(await cards.read('1')).toBeUndefined();
  await cards.write(cardAt('2'));
  expect(await area.get(ticketCardsName)).toEqual({});
});

test.each([
  ['a lock', (area: MemoryArea) => createSessionCache(area).forget()],
  ['a deleted connection or an erased history', forgetKeptAnswers],
])(
  '%s removes the cards, one that is being written too, and tells pages',
  async (_what, forget) => {
    const area = createMemoryArea();
    const cards = createTicketCards(area, () => Promise.resolve(true));
    let told = 0;
    watchKeptAnswers(area, () => (told += 1));
    await area.set({ [recentChecksName]: [] });
    await cards.write(cardAt('1'));
    expect(told).toBe(0);
    const writing = cards.write(cardAt('2'));
    await forget(area);
    await writing;
    expect(told).toBeGreaterThan(0);
    expect(await cards.read('2')).toBeUndefined();
    expect(await area.get(ticketCardsName)).toEqual({});
    await cards.write(cardAt('3'));
    expect(await cards.read('3')).toEqual(cardAt('3'));
  },
);

test('a card whose answers are gone is none', async () => {
  const cards = createTicketCards(createMemoryArea(), () => Promise.resolve(true));
  await cards.write(cardAt('1'));
  await cards.write({ ...cardAt('1'), checked: [] });
  expect(await cards.read('1')).toBeUndefined();
});
