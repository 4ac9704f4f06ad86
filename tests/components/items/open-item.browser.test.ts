import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';

import DeskPage from '#components/desk/DeskPage.vue';
import { itemsPort } from '#stores/items/ports';
import { mounting } from '#tests/components/mounted';
import { connection, item, now } from '#tests/stores/check/samples';

/** More items than are made at first. */
const count = 50;
const entries = Array.from({ length: count }, (_, id) => ({
  item: { ...item, id, name: `Item ${String(id)}` },
  fetchedAt: now,
  lookedUp: false,
}));
const card = (id: number) => page.getByRole('link', { name: `Item ${String(id)}`, exact: true });
const heading = (name: string) => page.getByRole('heading', { level: 1, name });

beforeEach(() => {
  location.hash = '#/items/market';
  mounting(DeskPage, {
    script: { 'connections.list': () => [connection()] },
    ports: (app) =>
      app.provide(itemsPort, {
        read: () => Promise.resolve({ listing: { fetchedAt: now, unreadable: 0 }, items: entries }),
        // As slow as a database.
        find: (_, id) =>
          new Promise((resolve) => {
            setTimeout(resolve, 50, entries[Number(id)]);
          }),
      }),
  });
});

test('the focus goes to the heading of an item, and back to its card', async () => {
  await expect.element(card(3)).toBeVisible();
  card(3).element().focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(heading('Item 3')).toHaveFocus();
  await page.getByRole('link', { name: 'All items' }).click();
  await expect.element(card(3)).toHaveFocus();
});

test('a card further down is there for the focus as well', async () => {
  location.hash = `#/items/market/${String(count - 1)}`;
  await expect.element(heading(`Item ${String(count - 1)}`)).toHaveFocus();
  history.back();
  await expect.element(card(count - 1)).toHaveFocus();
});
