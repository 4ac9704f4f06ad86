import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';

import CheckPanel from '#components/check/CheckPanel.vue';
import ItemsPage from '#components/items/ItemsPage.vue';
import { succeed } from '#core/result';
import type { CachedItem } from '#core/seller/cached-item';
import type { Item } from '#core/seller/item';
import { itemsPort } from '#stores/items/ports';
import { mounting } from '#tests/components/mounted';
import {
  code,
  connection,
  genuine,
  item,
  notFound,
  now,
  purchase,
} from '#tests/stores/check/samples';

/** Turns the direction, is not drawn, rings a bell. */
const odd = (text: string): string => `\u202E${text}\u200B!\u0007`;
const shown = (text: string): string => `⟨U+202E⟩${text}⟨U+200B⟩!⟨U+0007⟩`;

const oddItem: Item = {
  ...item,
  name: odd('Orbit'),
  version: odd('2.4'),
  category: odd('Scripts'),
  subCategory: odd('CRM'),
  tags: [odd('crm')],
  options: [odd('source')],
  currency: odd('coins'),
  description: `<p>${odd('First')}</p><p>&#x202E;Second</p>`,
};

/** The characters that are in the page's text or in a text of its attributes. */
function hiddenInPage(): string[] {
  const attributes = [...document.querySelectorAll('[alt], [title], [aria-label]')].flatMap(
    (each) => ['alt', 'title', 'aria-label'].map((name) => each.getAttribute(name) ?? ''),
  );
  return [document.body.textContent, ...attributes].flatMap((text) =>
    ['\u202E', '\u200B', '\u0007'].filter((mark) => text.includes(mark)),
  );
}

async function check(answer: typeof genuine): Promise<void> {
  mounting(CheckPanel, { script: { 'connections.list': () => [connection()], check: answer } });
  await page.getByRole('textbox', { name: 'Purchase code' }).fill(code);
  await userEvent.keyboard('{Enter}');
}

test('a purchase: characters that are not drawn are shown in its card', async () => {
  await check((asked) =>
    genuine(asked, purchase({ item: oddItem, licenseType: odd('Studio'), currency: odd('coins') })),
  );
  const card = page.getByRole('article');
  await expect.element(card.getByRole('heading', { level: 3 })).toHaveTextContent(shown('Orbit'));
  for (const text of ['Studio', 'coins', '2.4', 'Scripts', 'CRM'])
    expect(card.element().textContent).toContain(shown(text));
  expect(hiddenInPage()).toEqual([]);
});

test('a not-found: they are shown in the server’s message', async () => {
  await check((asked) => ({
    ...notFound(asked),
    outcome: succeed({ kind: 'not-found', msg: odd('None'), key: 'unknown', proven: false }),
  }));
  await expect.element(page.getByText(shown('None'))).toBeVisible();
  expect(hiddenInPage()).toEqual([]);
});

function openItem(itemId: number): void {
  const entry: CachedItem = { item: oddItem, fetchedAt: now, lookedUp: false };
  const listing = { fetchedAt: now, unreadable: 0 };
  mounting(ItemsPage, {
    props: {
      route: { section: 'items', connectionId: 'market', itemId },
    },
    script: { 'connections.list': () => [connection()] },
    ports: (app) => {
      app.provide(itemsPort, {
        read: () => Promise.resolve({ listing, items: [entry] }),
        find: () => Promise.resolve(entry),
      });
    },
  });
}

test('an item: they are shown in every field, and a description keeps its lines', async () => {
  openItem(oddItem.id);
  await expect.element(page.getByRole('heading', { name: shown('Orbit') })).toBeVisible();
  for (const text of ['2.4', 'Scripts', 'CRM', 'coins', 'crm', 'source'])
    expect(document.body.textContent).toContain(shown(text));
  expect(document.querySelector('.item-description')?.textContent).toBe(
    `${shown('First')}\n\n⟨U+202E⟩Second`,
  );
  expect(hiddenInPage()).toEqual([]);
});
