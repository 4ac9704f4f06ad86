import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { type Component, defineComponent, h } from 'vue';

import CheckPanel from '#components/check/CheckPanel.vue';
import AccountPage from '#components/account/AccountPage.vue';
import ItemsPage from '#components/items/ItemsPage.vue';
import { succeed } from '#core/result';
import type { Account, Item } from '#core/marketplaces/index';
import type { CachedItem } from '#core/items/index';
import { useConnections } from '#stores/connections/connections';
import { itemsPort } from '#stores/items/ports';
import { mounting } from '#tests/components/mounted';
import {
  account,
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

const oddItem: Item & { readonly id: number } = {
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
  await card.getByRole('button', { name: 'Preview and templates' }).click();
  await card.getByRole('menuitem', { name: 'Preview' }).click();
  await expect.element(card.getByText('Orbit!', { exact: false }).last()).toBeVisible();
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

/** Loads the connections, as the desk does around its pages. */
function withConnections(view: Component): Component {
  return defineComponent((_, { attrs }) => {
    void useConnections().load();
    return () => h(view, attrs);
  });
}

test('a list of items: they are shown in every card, in the choice of a category and in what the server said', async () => {
  const entries = [oddItem, { ...oddItem, id: 13, category: odd('Themes') }].map((each) => ({
    item: each,
    fetchedAt: now,
    lookedUp: false,
  }));
  const listing = { fetchedAt: now, unreadable: 0, noneFound: odd('None') };
  mounting(withConnections(ItemsPage), {
    props: { route: { section: 'items', connectionId: 'market' } },
    script: { 'connections.list': () => [connection()] },
    ports: (app) => {
      app.provide(itemsPort, {
        read: () => Promise.resolve({ listing, items: entries }),
        find: () => Promise.resolve(entries[0]),
      });
    },
  });
  await expect.element(page.getByRole('link', { name: shown('Orbit') }).first()).toBeVisible();
  const card = document.querySelector('.item-card')?.textContent;
  for (const text of ['Orbit', '2.4', 'Scripts', 'coins']) expect(card).toContain(shown(text));
  expect(page.getByLabelText('Category').element().textContent).toContain(shown('Themes'));
  expect(document.querySelector('.notice')?.textContent).toContain(shown('None'));
  expect(hiddenInPage()).toEqual([]);
});

test('an account: they are shown in every field, and its description keeps its lines', async () => {
  const texts = ['user', 'mail', 'first', 'last', 'full', 'heading', 'contact', 'Network', 'coins'];
  const [user, mail, first, last, full, heading, contact, network, coins] = texts.map(odd);
  const oddAccount: Account = {
    ...account,
    username: user ?? '',
    email: mail ?? '',
    name: { first: first ?? '', last: last ?? '', full: full ?? '' },
    balance: 12,
    currency: coins ?? '',
    profile: {
      heading: heading ?? '',
      description: `<p>${odd('First')}</p><p>&#x202E;Second</p>`,
      contactEmail: contact ?? '',
      socialLinks: [{ network: network ?? '', url: 'https://social.test/a' }],
    },
    unreadable: [odd('path')],
  };
  mounting(withConnections(AccountPage), {
    props: { route: { section: 'account', connectionId: 'market' } },
    script: {
      'connections.list': () => [connection()],
      'connections.test': () => succeed(oddAccount),
    },
  });
  await expect.element(page.getByText(shown('full'))).toBeVisible();
  for (const text of [...texts, 'path']) expect(document.body.textContent).toContain(shown(text));
  expect(document.querySelector('.long-text')?.textContent).toBe(
    `${shown('First')}\n\n⟨U+202E⟩Second`,
  );
  expect(hiddenInPage()).toEqual([]);
});
