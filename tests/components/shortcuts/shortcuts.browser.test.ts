import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';

import { h } from 'vue';

import DeskPage from '#components/desk/DeskPage.vue';
import SidebarPage from '#components/ui/SidebarPage.vue';
import PanelPage from '#components/ticket/PanelPage.vue';
import { mounting, noHistory, type PageHarness } from '#tests/components/mounted';
import { options } from '#tests/components/settings/mounted-options';
import { besideTicket } from '#tests/components/ticket/ticket-page';
import {
  code,
  connection,
  demo,
  genuine,
  now,
  otherCode,
  purchase,
} from '#tests/stores/check/samples';
import { summariseAnswer } from '#core/check/index';
import type { HistoryEntry } from '#core/history/index';
import { commandsPort } from '#stores/commands/ports';
import { historyPort } from '#stores/history/ports';
import { pendingTextPort, tabPagePort } from '#stores/ticket/ports';

const field = page.getByRole('textbox', { name: 'Purchase code' });
const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });

/** Waits for the keys, which come with the list after the page: other dialogs of a page are there before it. */
async function untilKeysHold(): Promise<void> {
  await expect
    .poll(() => document.querySelector('dialog[aria-label="Keyboard shortcuts"]'))
    .not.toBeNull();
}

async function check(text: string): Promise<void> {
  await field.fill(text);
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByRole('button', { name: 'Copy summary' })).toBeVisible();
}

/** Mounts the panel over two connections. */
function panel(preferences: object = {}): PageHarness {
  return mounting(PanelPage, {
    preferences,
    script: {
      'connections.list': () => [connection(), demo],
      check: (body) => genuine(body),
      'sites.list': () => [],
    },
    ports: (app) =>
      app
        .provide(tabPagePort, {
          read: () => Promise.resolve(undefined),
          front: () => Promise.resolve(undefined),
          follow: () => undefined,
        })
        .provide(pendingTextPort, {
          take: () => Promise.resolve(undefined),
          watch: () => undefined,
        }),
  });
}

beforeEach(async () => {
  await page.viewport(400, 800);
});

test('one key each copies the summary and the reply, from within the code field', async () => {
  const harness = besideTicket(PanelPage, 'follow');
  await check(code);
  await expect.element(page.getByRole('button', { name: 'Copy reply' })).toBeEnabled();
  await userEvent.keyboard('{Alt>}c{/Alt}');
  await expect.poll(() => harness.copied[0]).toContain('Orbit CRM');
  await userEvent.keyboard('{Alt>}r{/Alt}');
  await expect.poll(() => harness.copied[1]).toContain('Hello');
  await expect.element(field).toHaveFocus();
});

test('one key chooses the next connection and checks there', async () => {
  const harness = panel();
  await check(code);
  const choice = page.getByRole('combobox', { name: 'Connection' });
  await expect.element(choice).toHaveValue('all');
  await userEvent.keyboard('{Alt>}n{/Alt}');
  await expect.element(choice).toHaveValue('market');
  await expect.poll(() => harness.bodies('check').at(-1)?.connectionId).toBe('market');
});

test('one key leads to what was checked before', async () => {
  panel();
  await check(code);
  await check(otherCode);
  await expect.element(page.getByRole('heading', { name: 'Recently checked' })).toBeVisible();
  await userEvent.keyboard('{Alt>}l{/Alt}');
  expect(document.activeElement?.closest('.recent-checks')).not.toBeNull();
});

test('a question mark lists them outside of a text, and is a sign like any other in one', async () => {
  panel();
  await expect.element(field).toHaveFocus();
  await untilKeysHold();
  await userEvent.keyboard('?');
  await expect.element(help.getByText('Copy the reply')).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(field).toHaveValue('');
  await userEvent.keyboard('a?');
  await expect.element(field).toHaveValue('a?');
  await expect.element(help).not.toBeInTheDocument();
});

const listed = (): (string | undefined)[] =>
  [...help.element().querySelectorAll('h3, dd')].map((each) => each.textContent);

test.each([
  ['bulk', true],
  ['history', true],
  ['account', false],
])(
  'in the section %s the keys of tables are listed before there is one: %s',
  async (section, has) => {
    location.hash = `#/${section}`;
    mounting(DeskPage, {
      script: {
        'connections.list': () => [connection()],
        'connections.test': () => new Promise(() => undefined),
      },
    });
    await untilKeysHold();
    expect(document.querySelector('[role="grid"]')).toBeNull();
    document.querySelector<HTMLElement>('h1')?.focus();
    // The keys come with the page's script; a second press leaves the list as it is.
    await expect
      .poll(async () => {
        await userEvent.keyboard('?');
        return help.query();
      })
      .not.toBeNull();
    expect(listed().includes('In a table')).toBe(has);
    expect(listed().includes('In an opened entry')).toBe(has);
  },
);

test('the list has the keys that do something where it is opened', async () => {
  panel();
  await untilKeysHold();
  await expect.element(page.getByRole('combobox', { name: 'Connection' })).toBeVisible();
  await userEvent.keyboard('?');
  // An answer is awaited here.
  expect(listed()).toEqual([
    'Copy the summary',
    'Copy the reply',
    'Insert the reply into the ticket',
    'Next connection',
    'Recent checks',
    'Press the main button, once there is an answer',
    'Choose another reply, where there are several',
    'Show this list, when not in a text field',
  ]);
  await userEvent.keyboard('{Escape}');
  await check(code);
  page.getByRole('button', { name: 'Refresh' }).element().focus();
  await userEvent.keyboard('?');
  await expect.element(help).toBeVisible();
  expect(listed()).not.toContain('Insert the reply into the ticket');
});

test('the settings and the verifier have the list as well, with the keys that hold there', async () => {
  options([connection()]);
  document.querySelector<HTMLElement>('h1')?.focus();
  await untilKeysHold();
  await userEvent.keyboard('?');
  await expect.element(help).toBeVisible();
  expect(listed()).toEqual(['Show this list, when not in a text field']);
  await userEvent.keyboard('{Escape}');

  mounting(
    {
      render: () => h(SidebarPage, { page: 'verifier', title: 'License verifier', label: 'Pages' }),
    },
    {
      script: {},
      ports: (app) => app.provide(commandsPort, () => Promise.reject(new Error('unused'))),
    },
  );
  document.querySelector<HTMLElement>('h1')?.focus();
  await untilKeysHold();
  await userEvent.keyboard('?');
  await expect.element(help).toBeVisible();
  expect(listed()).toEqual(['Find or go to', 'Show this list, when not in a text field']);
});

test('on the desk the list has no keys of a check, but those of the table and of what it opens', async () => {
  const question = { codeId: code, code, connectionId: 'market', connectionName: 'Market' };
  const entries = [1, 2].map((id): HistoryEntry => ({
    ...question,
    id,
    codeId: String(id),
    code: id === 1 ? code : otherCode,
    checkedAt: now - id,
    by: 'agent',
    question: String(id),
    answer: summariseAnswer({ kind: 'purchase', purchase: purchase() }),
  }));
  location.hash = '#/history';
  mounting(DeskPage, {
    script: { 'connections.list': () => [connection()] },
    ports: (app) =>
      app.provide(historyPort, { ...noHistory, latest: () => Promise.resolve(entries) }),
  });
  await expect.element(page.getByRole('grid')).toBeVisible();
  await untilKeysHold();
  await userEvent.keyboard('?');
  await expect.element(help).toBeVisible();
  expect(listed()).toEqual([
    'On this page',
    'Show this list, when not in a text field',
    'In a table',
    'From row to row',
    'First or last row',
    'Open the row',
    'In an opened entry',
    'Copy the summary',
    'Copy the reply',
    'Previous or next entry',
    'Close',
  ]);
  // It lists the keys of the page, not its own.
  await userEvent.keyboard('?');
  expect(listed()).toContain('In a table');
  await userEvent.keyboard('{Escape}');
  page.getByRole('grid').element().focus();
  // The first row is the heading of a day.
  await userEvent.keyboard('{ArrowDown}{Enter}');
  await expect.element(page.getByRole('button', { name: 'Next' })).toBeVisible();
  await userEvent.keyboard('?');
  await expect
    .poll(() => listed().slice(-3))
    .toEqual(['Previous or next entry', 'Close', 'Show this list, when not in a text field']);
  expect(listed()).not.toContain('On this page');
});

test('switched off, no key does anything', async () => {
  const harness = panel({ shortcuts: false });
  await check(code);
  await untilKeysHold();
  await userEvent.keyboard('{Alt>}c{/Alt}');
  await page.getByRole('button', { name: 'Refresh' }).click();
  await userEvent.keyboard('?');
  await expect.element(help).not.toBeInTheDocument();
  expect(harness.copied).toEqual([]);
});

test('Enter checks, and Enter again copies the reply, but not where it is held or comes at once', async () => {
  const harness = besideTicket(PanelPage, 'follow');
  await field.fill(code);
  await userEvent.keyboard('{Enter>}{Enter}{Enter/}');
  await expect.element(page.getByRole('button', { name: 'Copy reply' })).toBeEnabled();
  await expect.element(page.getByText('↵').first()).toBeVisible();
  expect(harness.copied).toEqual([]);
  await new Promise((resolve) => setTimeout(resolve, 400));
  const asked = harness.bodies('check').length;
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => harness.copied[0]).toContain('Hello');
  expect(harness.bodies('check')).toHaveLength(asked);
});

test('a digit chooses another reply beside an answer, and begins a code in an empty field', async () => {
  besideTicket(PanelPage, 'follow');
  await check(code);
  await expect.poll(() => document.querySelector('[data-digit="2"]')).not.toBeNull();
  await userEvent.keyboard('2');
  await expect
    .poll(() => document.querySelector('[data-digit="2"]')?.getAttribute('aria-pressed'))
    .toBe('true');
  await expect.element(field).toHaveValue(code);
  // They stand above the buttons, since below them they would read as choices of the summary.
  const [digit, reply] = ['[data-digit="2"]', '[data-shortcut="reply"]'].map((each) =>
    document.querySelector(each)?.getBoundingClientRect(),
  );
  expect(digit?.bottom).toBeLessThanOrEqual(reply?.top ?? 0);
  // It works from a button or link of the card too, but not from a list that takes a letter.
  page.getByRole('button', { name: 'Copy reply' }).element().focus();
  await userEvent.keyboard('1');
  await expect
    .poll(() => document.querySelector('[data-digit="1"]')?.getAttribute('aria-pressed'))
    .toBe('true');
  document.querySelector<HTMLElement>('.reply-choices > select')?.focus();
  await userEvent.keyboard('{Escape}');
  await expect.element(field).toHaveValue(code);
  field.element().focus();
  await userEvent.keyboard('{Escape}2');
  await expect.element(field).toHaveValue('2');
});
