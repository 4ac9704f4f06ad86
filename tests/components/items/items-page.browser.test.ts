import { expect, onTestFinished, test } from 'vitest';
import { page } from 'vitest/browser';
import { defineComponent, h } from 'vue';

import '#components/ui/desk-pages.css';
import ItemsPage from '#components/items/ItemsPage.vue';
import type { Fault } from '#core/marketplaces/index';
import { fail, succeed } from '#core/result';
import { useConnections } from '#stores/connections/connections';
import { itemsPort } from '#stores/items/ports';
import { mounting } from '#tests/components/mounted';
import { connection, item, now } from '#tests/stores/check/samples';

test.each([
  ['the list', 'items.all', undefined],
  ['one item', 'items.item', item.id],
] as const)(
  'at the end of a rate limit %s is asked for again by itself',
  async (_, topic, itemId) => {
    const answers = [
      fail({ kind: 'rate-limited', by: 'server', retryAt: now + 600 } as const),
      succeed({ kind: 'item' }),
    ];
    let stored = false;
    const answer = (): never => {
      stored = answers.length === 1;
      return answers.shift() as never;
    };
    const entry = { item, fetchedAt: now, lookedUp: false };
    const Page = defineComponent(() => {
      void useConnections().load();
      return () =>
        h(ItemsPage, { route: { section: 'items', connectionId: 'market', itemId } as never });
    });
    const { events } = mounting(Page, {
      script: { 'connections.list': () => [connection()], [topic]: answer },
      ports: (app) =>
        app.provide(itemsPort, {
          read: () =>
            Promise.resolve(
              stored
                ? { listing: { fetchedAt: now, unreadable: 0 }, items: [entry] }
                : { items: [] },
            ),
          find: () => Promise.resolve(stored ? entry : undefined),
        }),
    });
    await expect.element(page.getByRole('timer')).toHaveTextContent('Asking again in 1 s');
    await expect.element(page.getByText(item.name).first()).toBeVisible();
    await expect.element(page.getByRole('alert')).not.toBeInTheDocument();
    expect(events.filter((event) => event === topic)).toHaveLength(2);
  },
);

test('what a rate limit says of a refresh moves no card', async () => {
  const Page = defineComponent(() => {
    void useConnections().load();
    return () => h(ItemsPage, { route: { section: 'items', connectionId: 'market' } as never });
  });
  const limit = fail({ kind: 'rate-limited', by: 'server', retryAt: now + 60_000 } as const);
  const entry = { item, fetchedAt: now, lookedUp: false };
  const listed = { listing: { fetchedAt: now, unreadable: 0 }, items: [entry] };
  mounting(Page, {
    script: { 'connections.list': () => [connection()], 'items.all': () => limit },
    ports: (app) =>
      app.provide(itemsPort, {
        read: () => Promise.resolve(listed),
        find: () => Promise.resolve(entry),
      }),
  });
  const name = page.getByText(item.name).first();
  await expect.element(name).toBeVisible();
  const before = name.element().getBoundingClientRect().top;
  // The space for the limit is not empty before.
  const words = document.createRange();
  words.selectNodeContents(page.getByRole('status').filter({ hasText: 'fetched' }).element());
  const list = page.getByRole('list', { name: 'Items' }).element().getBoundingClientRect();
  expect(list.top - words.getBoundingClientRect().bottom).toBeLessThan(10);
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect.element(page.getByRole('alert')).toBeVisible();
  await expect.element(page.getByRole('status').getByText('Market asks us to wait')).toBeVisible();
  expect(name.element().getBoundingClientRect().top).toBe(before);
  // When it is asked again stands right behind the cause, and from when the list is, above the cards as well.
  const line = page.getByRole('status').filter({ hasText: 'Market asks us to wait' });
  expect(line.element().textContent.replaceAll(/\s+/gu, ' ')).toMatch(
    /^Market asks us to wait ?Asking again in 60 s/u,
  );
  const timer = page.getByRole('timer').first();
  await expect.element(timer).toHaveTextContent('Asking again in 60 s');
  expect(timer.element().getBoundingClientRect().top).toBeLessThan(before);
  expect(page.getByText(/^fetched/u).element().textContent).toMatch(/fetched \d/u);
});

test.each([1280, 800, 360])(
  'what a marketplace or its key prevents is said above the items, with its step, and moves none: %i pixels',
  async (width) => {
    await page.viewport(width, 800);
    onTestFinished(() => page.viewport(1280, 800));
    const Page = defineComponent(() => {
      void useConnections().load();
      return () => h(ItemsPage, { route: { section: 'items', connectionId: 'market' } as never });
    });
    const entry = { item, fetchedAt: now, lookedUp: false };
    const listed = { listing: { fetchedAt: now, unreadable: 0 }, items: [entry] };
    let fault: Fault = { kind: 'server-error', status: 500 };
    mounting(Page, {
      script: { 'connections.list': () => [connection()], 'items.all': () => fail(fault) },
      ports: (app) =>
        app.provide(itemsPort, {
          read: () => Promise.resolve(listed),
          find: () => Promise.resolve(entry),
        }),
    });
    const name = page.getByText(item.name).first();
    await expect.element(name).toBeVisible();
    const top = (): number => name.element().getBoundingClientRect().top;
    const before = top();
    await page.getByRole('button', { name: 'Refresh' }).click();
    const said = page.getByRole('status').getByText('Market is having a problem');
    await expect.element(said).toBeVisible();
    expect(said.element().getBoundingClientRect().bottom).toBeLessThan(before);
    expect(top()).toBe(before);
    fault = { kind: 'refused', about: 'key', msg: '' };
    await page.getByRole('button', { name: 'Refresh' }).click();
    await expect.element(page.getByRole('button', { name: 'Open settings' })).toBeInViewport();
    await expect.element(page.getByRole('status').getByText(/does not accept/u)).toBeVisible();
    expect(top()).toBe(before);
  },
);

test('the search and the categories take a second line only in windows narrower than those where one is enough', async () => {
  const Page = defineComponent(() => {
    void useConnections().load();
    return () => h(ItemsPage, { route: { section: 'items', connectionId: 'market' } as never });
  });
  const categories = ['PHP Scripts / Help and Support Tools', 'WordPress / Blog / Magazine'];
  const items = categories.map((category, at) => ({
    item: { ...item, id: at + 1, category },
    fetchedAt: now,
    lookedUp: false,
  }));
  mounting(Page, {
    script: {
      'connections.list': () => [connection()],
      'items.all': () => succeed({ fetchedAt: now, count: items.length, unreadable: 0 }),
    },
    ports: (app) =>
      app.provide(itemsPort, {
        read: () => Promise.resolve({ listing: { fetchedAt: now, unreadable: 0 }, items }),
        find: () => Promise.resolve(undefined),
      }),
  });
  await expect.element(page.getByRole('option', { name: categories[0] ?? '' })).toBeInTheDocument();
  const heights: number[] = [];
  for (let width = 540; width <= 1000; width += 20) {
    await page.viewport(width, 800);
    heights.push(document.querySelector('.items-find')?.getBoundingClientRect().height ?? 0);
  }
  expect(heights).toEqual(heights.toSorted((one, other) => other - one));
  await page.viewport(1280, 800);
});
