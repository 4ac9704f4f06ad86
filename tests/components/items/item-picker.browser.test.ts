import { defineComponent, h, nextTick, shallowRef } from 'vue';
import { beforeEach, describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';

import { fail, succeed } from '#core/result';
import ItemPicker from '#components/items/ItemPicker.vue';
import { itemsPort } from '#stores/items/ports';
import { pressWhileComposing } from '#tests/components/composing';
import { mounting } from '#tests/components/mounted';
import { connection, demo, item, now } from '#tests/stores/check/samples';
import type { ExpectedItem } from '#core/items/index';

const names = ['Orbit CRM', 'Anchor', 'Harbor Theme'];
const chosen = shallowRef<ExpectedItem>();
const submitted = shallowRef(0);
const picker = shallowRef<{ refuse(): boolean }>();

/** The picker in a form, and a button after it. */
const form = defineComponent({
  props: { connectionIds: { type: Array as () => string[], default: undefined }, fetches: Boolean },
  setup: (props) => () =>
    h(
      'form',
      {
        onSubmit: (event: Event) => {
          event.preventDefault();
          if (picker.value?.refuse() !== true) submitted.value += 1;
        },
      },
      [
        h(ItemPicker, {
          ref: picker,
          label: 'Expected item',
          connectionIds: props.connectionIds,
          fetches: props.fetches,
          modelValue: chosen.value,
          'onUpdate:modelValue': (picked: ExpectedItem | undefined) => (chosen.value = picked),
        }),
        h('button', 'Go'),
      ],
    ),
});

function shown({
  items = names,
  connectionIds,
  fetches = false,
}: { items?: string[]; connectionIds?: string[]; fetches?: boolean } = {}) {
  mounting(form, {
    script: {
      'connections.list': () => [connection(), demo],
      'items.all': () => fail({ kind: 'offline' }),
    },
    props: { connectionIds, fetches },
    ports: (app) =>
      app.provide(itemsPort, {
        read: (id) =>
          Promise.resolve({
            items: items.map((name, at) => ({
              item: { ...item, id: (id === 'demo' ? 200 : 100) + at, name },
              fetchedAt: now,
              lookedUp: false,
            })),
          }),
        find: () => Promise.resolve(undefined),
      }),
  });
}

const field = page.getByRole('combobox', { name: 'Expected item' });
/** The open list covers the button here, so it is pressed without the mouse. */
async function pressGo(): Promise<void> {
  const button = page.getByRole('button', { name: 'Go' }).element() as HTMLButtonElement;
  button.focus();
  await nextTick();
  button.click();
}
const option = page.getByRole('option');

beforeEach(() => {
  chosen.value = undefined;
  submitted.value = 0;
});

describe('an item', () => {
  test('is chosen by a word of its name, with the keys alone', async () => {
    shown({ connectionIds: ['market'] });
    await userEvent.tab();
    await expect.element(field).toHaveFocus();
    await expect.element(field).toHaveAttribute('aria-expanded', 'false');
    await userEvent.keyboard('{ArrowDown}');
    await expect.element(option.nth(2)).toBeVisible();
    await userEvent.keyboard('{ArrowUp}');
    await expect.element(option.nth(2)).toHaveAttribute('aria-selected', 'true');
    await userEvent.keyboard('theme');
    await expect.poll(() => option.element().textContent).toMatch(/Harbor Theme\s*id 102/);
    const active = field.element().getAttribute('aria-activedescendant') ?? '';
    expect(document.getElementById(active)?.textContent).toContain('Harbor Theme');
    await userEvent.keyboard('{Enter}');
    expect(chosen.value).toEqual({ connectionId: 'market', itemId: 102, name: 'Harbor Theme' });
    await expect.element(field).toHaveValue('Harbor Theme');
    expect(submitted.value).toBe(0);
    await userEvent.keyboard('{Enter}');
    expect(submitted.value).toBe(1);
  });

  test('is chosen by a press on its picture', async () => {
    shown();
    await field.click();
    await option.nth(1).click();
    expect(chosen.value).toMatchObject({ itemId: 101, name: 'Anchor' });
    await expect.element(field).toHaveFocus();
  });

  test('of one of several connections names its shop', async () => {
    shown();
    await userEvent.fill(field, 'anchor');
    await expect.poll(() => option.nth(0).element().textContent).toMatch(/id 101 · Market/);
    await expect.poll(() => option.nth(1).element().textContent).toMatch(/id 201 · Demo/);
  });

  test('that is fetched is recognised by its typed id', async () => {
    shown();
    await userEvent.fill(field, '201');
    await userEvent.tab();
    expect(chosen.value).toEqual({ connectionId: 'demo', itemId: 201, name: 'Anchor' });
  });

  test('that no list shows is typed by its id', async () => {
    shown({ items: [] });
    await userEvent.fill(field, '#4711');
    await expect
      .poll(() => option.element().textContent)
      .toMatch(/Item 4711\s*not among the fetched items/);
    await userEvent.tab();
    expect(chosen.value).toEqual({ itemId: 4711, name: '' });
    await expect.element(field).toHaveValue('Item 4711');
  });
});

test('what is no item stays and is marked, and nothing is any item', async () => {
  shown({ connectionIds: ['market'] });
  await userEvent.fill(field, 'no such thing');
  const none = page.getByText('No item matches. You can also type its id.');
  await expect.element(none).toBeVisible();
  (document.activeElement as HTMLElement).blur();
  await expect.element(field).toHaveValue('no such thing');
  await expect.element(field).toHaveAttribute('aria-invalid', 'true');
  await expect.element(none).toBeVisible();
  expect(chosen.value).toBeUndefined();
  await userEvent.fill(field, 'or');
  await expect.element(field).not.toHaveAttribute('aria-invalid');
  (document.activeElement as HTMLElement).blur();
  await expect.element(field).toHaveAccessibleDescription(/^Choose an item from the list/);
  await userEvent.fill(field, ' anchor');
  (document.activeElement as HTMLElement).blur();
  expect(chosen.value).toMatchObject({ itemId: 101, name: 'Anchor' });
  await expect.element(field).toHaveValue('Anchor');
  await userEvent.fill(field, '');
  await userEvent.tab();
  expect(chosen.value).toBeUndefined();
});

test('the only item that matches is taken by a press on the button of its form', async () => {
  shown({ connectionIds: ['market'] });
  await userEvent.fill(field, 'anch');
  await expect.element(option).toBeVisible();
  await pressGo();
  expect(chosen.value).toMatchObject({ itemId: 101, name: 'Anchor' });
  expect(submitted.value).toBe(1);
});

test('if several match, a press on the button opens the list and says to choose until one is chosen', async () => {
  shown({ connectionIds: ['market'] });
  await userEvent.fill(field, 'or');
  await expect.element(option.nth(2)).toBeVisible();
  await pressGo();
  expect(submitted.value).toBe(0);
  await expect.element(field).toHaveFocus();
  await expect.element(option.nth(2)).toBeVisible();
  await expect.element(field).toHaveAccessibleDescription(/^Choose an item from the list/);
  await expect.element(field).toHaveAttribute('aria-invalid', 'true');
  await userEvent.keyboard('{Enter}');
  await expect.element(field).not.toHaveAttribute('aria-invalid');
  await expect.element(field).not.toHaveAccessibleDescription(/^Choose/);
  expect(submitted.value).toBe(0);
});

test('Enter on what is no item says so, keeps the focus and sends nothing', async () => {
  shown();
  await userEvent.fill(field, 'no such thing');
  await userEvent.keyboard('{Escape}');
  await userEvent.fill(field, 'no such thing');
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByText('No item matches. You can also type its id.')).toBeVisible();
  await expect.element(field).toHaveFocus();
  await expect.element(field).toHaveValue('no such thing');
  await expect.element(field).toHaveAttribute('aria-invalid', 'true');
  expect(submitted.value).toBe(0);
  await userEvent.fill(field, 'anchor');
  await expect.element(field).not.toHaveAttribute('aria-invalid');
});

test('Escape closes the list and takes back what was typed', async () => {
  shown();
  await userEvent.fill(field, 'anchor');
  await userEvent.keyboard('{Escape}');
  await expect.element(option.nth(0)).not.toBeInTheDocument();
  await expect.element(field).toHaveValue('');
  expect(chosen.value).toBeUndefined();
});

test('while a word is composed, Enter and Escape are the input method’s', async () => {
  shown();
  await userEvent.fill(field, 'anchor');
  await expect.element(option.nth(0)).toBeVisible();
  for (const key of ['Enter', 'Escape']) pressWhileComposing(field.element(), key);
  await expect.element(field).toHaveValue('anchor');
  await expect.element(option.nth(0)).toBeVisible();
  expect(chosen.value).toBeUndefined();
});

test('items that were never fetched are, once, when the field has the focus', async () => {
  const fetched = new Set<string>();
  const answer = Promise.withResolvers<undefined>();
  const harness = mounting(form, {
    script: {
      'connections.list': () => [connection(), demo],
      'items.all': async ({ connectionId }) => {
        await answer.promise;
        if (connectionId === 'demo') return fail({ kind: 'offline' });
        fetched.add(connectionId);
        return succeed({ fetchedAt: now, count: 1, unreadable: 0 });
      },
    },
    props: { fetches: true },
    ports: (app) =>
      app.provide(itemsPort, {
        read: (id) =>
          Promise.resolve(
            fetched.has(id)
              ? {
                  items: [{ item, fetchedAt: now, lookedUp: false }],
                  listing: { fetchedAt: now, unreadable: 0 },
                }
              : { items: [] },
          ),
        find: () => Promise.resolve(undefined),
      }),
  });
  expect(harness.bodies('items.all')).toEqual([]);
  await userEvent.fill(field, item.name);
  await expect.element(page.getByText('Asking the marketplace…')).toBeVisible();
  await expect.element(field).not.toHaveAttribute('aria-invalid');
  answer.resolve(undefined);
  await option.click();
  expect(chosen.value).toMatchObject({ connectionId: 'market', itemId: item.id });
  for (let times = 0; times < 2; times += 1) {
    await userEvent.tab();
    await field.click();
  }
  expect(harness.bodies('items.all').map(({ connectionId }) => connectionId)).toEqual([
    'market',
    'demo',
  ]);
});

test.each([
  ['never were fetched', false, /^No items have been fetched yet/],
  ['could not be fetched', true, /^No items could be fetched/],
])('when items %s it says how to name one', async (_, fetches, note) => {
  shown({ items: [], fetches });
  await field.click();
  await expect.element(page.getByText(note)).toBeVisible();
});
