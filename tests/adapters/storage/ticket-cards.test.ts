import { expect, test } from 'vitest';

import { createForgetRecentChecks } from '#adapters/storage/recent-checks';
import { createSessionCache } from '#adapters/storage/session-cache';
import { createTicketCards, ticketCardsName } from '#adapters/storage/ticket-cards';
import type { TicketCard } from '#core/ticket/ticket';
import { createMemoryArea } from '#tests/adapters/memory-area';
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

test('a lock removes the cards, a deleted connection its answers', async () => {
  const area = createMemoryArea();
  const cards = createTicketCards(area, () => Promise.resolve(true));
  await cards.write(cardAt('1'));
  await createForgetRecentChecks(area)('market');
  expect((await cards.read('1'))?.checked).toEqual([{ code, checks: [] }]);
  await createSessionCache(area).forget();
  expect(await cards.read('1')).toBeUndefined();
});
