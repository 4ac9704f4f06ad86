import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';

import DeskPage from '#components/desk/DeskPage.vue';
import type { Fault } from '#core/marketplaces/index';
import { fail } from '#core/result';
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
let fault: Fault;
const heading = (name: string) => page.getByRole('heading', { level: 1, name });

beforeEach(() => {
  fault = { kind: 'rate-limited', by: 'server', retryAt: now + 600_000 };
  location.hash = '#/items/market';
  mounting(DeskPage, {
    script: {
      'connections.list': () => [connection()],
      'items.item': () => fail(fault),
    },
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

test('nothing on the page moves when an item cannot be asked for again', async () => {
  await page.viewport(1280, 740);
  location.hash = '#/items/market/7';
  await expect.element(heading('Item 7')).toBeVisible();
  const refresh = page.getByRole('button', { name: 'Refresh' });
  const places = () =>
    [refresh.element(), page.getByRole('link', { name: 'Purchases in history' }).element()].map(
      (each) => each.getBoundingClientRect().top,
    );
  const before = places();
  await refresh.click();
  await expect.element(page.getByRole('alert')).toBeVisible();
  await expect.element(page.getByText(/Market asks us to wait/).first()).toBeVisible();
  expect(places()).toEqual(before);
});

test('a fault of the refresh of an item is beside it, with the steps that Refresh is not', async () => {
  await page.viewport(1280, 740);
  fault = { kind: 'server-error', status: 500 };
  location.hash = '#/items/market/7';
  await expect.element(heading('Item 7')).toBeVisible();
  const refresh = page.getByRole('button', { name: 'Refresh' });
  await refresh.click();
  await expect.element(page.getByText('Market is having a problem')).toBeVisible();
  expect(document.querySelectorAll('[role="alert"]')).toHaveLength(0);
  await expect.element(page.getByRole('button', { name: 'Try again' })).not.toBeInTheDocument();
  fault = { kind: 'refused', about: 'key', msg: 'no' };
  await refresh.click();
  const settings = page.getByRole('button', { name: 'Open settings' });
  await expect.element(settings).toBeVisible();
  expect(settings.element().getBoundingClientRect().bottom).toBeLessThan(740);
});
