import { beforeEach, describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { App } from 'vue';

import { fail, succeed } from '#core/result';
import type { AuthorityState } from '#core/authority/index';
import { useConnections } from '#stores/connections/connections';
import { options } from '#tests/components/settings/mounted-options';
import { connection, demo, now } from '#tests/stores/check/samples';
import type { Script } from '#tests/stores/scripted-worker';

const button = (name: string) => page.getByRole('button', { name, exact: true });
const card = (name: string) => page.getByRole('article', { name });
const nameField = page.getByLabelText('Name', { exact: true });

const main: AuthorityState = {
  id: 'a',
  name: 'Main',
  address: 'https://licenses.test',
  kind: 'live',
  products: [],
  permitted: true,
};

function authorities(stored: AuthorityState[] = []): Script {
  let list = stored;
  return {
    'authorities.list': () => list,
    'unreadable.list': () => ({ records: [], newer: false }),
    'authorities.save': ({ id, ...draft }) => {
      const saved = { ...main, ...draft, id: id ?? 'new' };
      list = [...list.filter((each) => each.id !== saved.id), saved];
      return succeed(saved);
    },
    'authorities.delete': ({ id }) => {
      list = list.filter((each) => each.id !== id);
      return succeed({ undoUntil: now + 10_000 });
    },
    'authorities.restore': ({ id }) => {
      list = stored;
      return succeed(stored.find((each) => each.id === id) ?? main);
    },
  };
}

async function press(name: string): Promise<void> {
  const element = button(name).first().element() as HTMLElement;
  element.focus();
  await userEvent.keyboard('{Enter}');
}

const setup = { at: 'team-setup' };

beforeEach(async () => {
  await page.viewport(1024, 900);
});

test('a connection that another window deletes while its form is open here leaves a way to add one', async () => {
  let stored = [connection()];
  let connections: ReturnType<typeof useConnections> | undefined;
  const ports = (app: App): void => {
    connections = app.runWithContext(() => useConnections());
  };
  options([], { 'connections.list': () => stored }, undefined, { ports });
  await button('Edit').click();
  stored = [];
  await connections?.load();
  await expect.element(button('Add connection')).toBeVisible();
});

describe('the focus', () => {
  test('is on the first field of a form that opens, and on its card once it is saved', async () => {
    options([connection()]);
    await expect.element(card('Market')).toBeVisible();
    await press('Add connection');
    await expect.element(page.getByLabelText('Where do you sell?')).toHaveFocus();
    await userEvent.keyboard('{Tab}https://new.test{Tab}key');
    await nameField.fill('New');
    await userEvent.keyboard('{Enter}');
    await expect.element(card('New')).toHaveFocus();
  });

  test('returns to the card that was edited, saved or not', async () => {
    options([connection()]);
    await expect.element(card('Market')).toBeVisible();
    await press('Edit');
    await userEvent.keyboard('{Escape}');
    await expect.element(card('Market')).toHaveFocus();
    await press('Edit');
    await userEvent.keyboard('{Enter}');
    await expect.element(card('Market')).toHaveFocus();
  });

  test('returns to "Add connection" when a new one is cancelled', async () => {
    options([connection()]);
    await expect.element(card('Market')).toBeVisible();
    await press('Add connection');
    await press('Cancel');
    await expect.element(button('Add connection')).toHaveFocus();
  });

  test('returns to the only way to add the first connection as well', async () => {
    options();
    await expect.element(button('Add connection')).toBeVisible();
    await press('Add connection');
    await userEvent.keyboard('{Escape}');
    await expect.element(button('Add connection')).toHaveFocus();
  });

  test('goes to "Add connection" when the last one is deleted with the mouse, also where the first steps have it', async () => {
    let stored = [connection()];
    options([], {
      'connections.list': () => stored,
      'connections.delete': () => {
        stored = [];
        return succeed({ undoUntil: now + 10_000 });
      },
    });
    await button('Delete').click();
    await expect.element(card('Market')).not.toBeInTheDocument();
    await expect.element(button('Add connection')).toHaveFocus();
  });

  test('goes to Undo when one is deleted, to the next card from there, and to the card that comes back', async () => {
    options([connection(), demo]);
    await expect.element(card('Market')).toBeVisible();
    await press('Delete');
    await expect.element(button('Undo')).toHaveFocus();
    await userEvent.keyboard('{Tab}');
    await expect.element(card('Demo')).toHaveFocus();
    await press('Undo');
    await expect.element(card('Market')).toHaveFocus();
  });

  test('goes to the wrong field, though it is folded away', async () => {
    options([connection()]);
    await expect.element(card('Market')).toBeVisible();
    await press('Edit');
    const advanced = page.getByText('Advanced: how this server expects requests');
    await advanced.click();
    await page.getByLabelText('Requests per minute').fill('0');
    await advanced.click();
    await expect.element(page.getByLabelText('Requests per minute')).not.toBeVisible();
    await press('Save');
    await expect.element(page.getByLabelText('Requests per minute')).toHaveFocus();
  });

  test('stays on Save when the worker refuses', async () => {
    options([connection()], { 'connections.save': () => fail({ kind: 'storage-full' }) });
    await expect.element(card('Market')).toBeVisible();
    await press('Edit');
    await press('Save');
    await expect.element(page.getByText(/no room left/)).toBeVisible();
    await expect.element(button('Save')).toHaveFocus();
  });

  test('is not taken from the form that was opened instead', async () => {
    options([connection(), demo]);
    await expect.element(card('Market')).toBeVisible();
    await press('Edit');
    await expect.element(nameField).toHaveValue('Market');
    await press('Edit');
    await expect.element(nameField).toHaveValue('Demo');
    await expect.element(page.getByLabelText('Base address')).toHaveFocus();
    expect(nameField.elements()).toHaveLength(1);
  });
});

describe('an authority', () => {
  test('is added, changed, removed and brought back as a connection is', async () => {
    options([], authorities(), undefined, setup);
    await expect.element(button('Add license server')).toBeVisible();
    await press('Add license server');
    const name = page.getByLabelText('What to call it');
    await expect.element(name).toHaveFocus();
    await press('Save');
    await expect.element(page.getByText('Give it a name.')).toBeVisible();
    await expect.element(name).toHaveFocus();
    await userEvent.keyboard('Licenses{Tab}https://licenses.test/api/license/v1/validate{Enter}');
    await expect.element(card('Licenses')).toHaveFocus();
    await press('Delete');
    await expect.element(page.getByText(/Licenses was removed/)).toBeVisible();
    await expect.element(button('Undo')).toHaveFocus();
    await userEvent.keyboard('{Tab}');
    await expect.element(button('Add license server')).toHaveFocus();
  });

  test('that a full disk does not bring back says so, and can be brought back later', async () => {
    let isFull = true;
    const worker = authorities([main]);
    options(
      [],
      {
        ...worker,
        'authorities.restore': (body) =>
          isFull
            ? fail({ kind: 'storage-full' })
            : (worker['authorities.restore']?.(body) ?? succeed(main)),
      },
      undefined,
      setup,
    );
    await expect.element(card('Main')).toBeVisible();
    await press('Delete');
    await press('Undo');
    await expect
      .element(page.getByText(/“Main” could not be restored: this browser has no room left/))
      .toBeVisible();
    isFull = false;
    await press('Undo');
    await expect.element(card('Main')).toHaveFocus();
  });

  test('that cannot be brought back is named', async () => {
    options(
      [],
      {
        ...authorities([main]),
        'authorities.restore': () => fail({ kind: 'no-authority' }),
      },
      undefined,
      setup,
    );
    await expect.element(card('Main')).toBeVisible();
    await press('Delete');
    await press('Undo');
    await expect
      .element(page.getByText('“Main” could not be restored. Add it again.'))
      .toBeVisible();
    await expect.element(button('Undo')).not.toBeInTheDocument();
  });
});

test('of two deletions, the later one is offered to be undone, also from the other page', async () => {
  options([connection()], authorities([main]));
  await expect.element(card('Market')).toBeVisible();
  await press('Delete');
  await expect.element(page.getByText(/Market and its key were deleted/)).toBeVisible();
  await page.getByRole('link', { name: 'Team setup' }).click();
  await expect.element(card('Main')).toBeVisible();
  await expect.element(page.getByText(/Market and its key were deleted/)).toBeVisible();
  await press('Delete');
  await expect.element(page.getByText(/Main was removed/)).toBeVisible();
  await expect.element(page.getByText(/Market and its key were deleted/)).not.toBeInTheDocument();
  await press('Undo');
  await expect.element(card('Main')).toHaveFocus();
});

describe('a site', () => {
  const first = { origin: 'https://desk.test', automatic: true, permitted: true };
  const second = { origin: 'https://other.test', automatic: false, permitted: true };

  function sites(script: Script = {}) {
    let list = [first, second];
    return options([], {
      'sites.list': () => list,
      'sites.remove': ({ origin }) =>
        succeed((list = list.filter((site) => site.origin !== origin))),
      'sites.allow': ({ origin }) =>
        succeed(
          (list = list.some((site) => site.origin === origin)
            ? list
            : [...list, { origin, automatic: false, permitted: true }]),
        ),
      'sites.set-automatic': ({ origin, on }) =>
        succeed(
          (list = list.map((site) => (site.origin === origin ? { ...site, automatic: on } : site))),
        ),
      ...script,
    });
  }

  test('that is removed is brought back with its setting', async () => {
    const harness = sites();
    await expect.element(page.getByText('https://desk.test')).toBeVisible();
    await press('Remove https://desk.test');
    await expect.element(page.getByText(/desk\.test no longer shows verdicts/)).toBeVisible();
    await expect.element(button('Undo')).toHaveFocus();
    await userEvent.keyboard('{Tab}');
    expect(document.activeElement?.id).toBe('sites-https://other.test');
    await press('Undo');
    await expect.poll(() => document.activeElement?.id).toBe('sites-https://desk.test');
    expect(harness.events).toContain('access to https://desk.test');
    expect(harness.bodies('sites.set-automatic')).toEqual([
      { origin: 'https://desk.test', on: true },
    ]);
  });

  test('that a full disk does not let go stays, and the reason is named', async () => {
    sites({ 'sites.remove': () => fail({ kind: 'storage-full' }) });
    await expect.element(page.getByText('https://desk.test')).toBeVisible();
    await press('Remove https://desk.test');
    await expect.element(page.getByText(/no room left/)).toBeVisible();
    await expect.element(page.getByText('https://desk.test')).toBeVisible();
    await expect.element(button('Undo')).not.toBeInTheDocument();
  });
});

test('a form that opens low on the page is scrolled to its top, with Save in sight', async () => {
  await page.viewport(1024, 700);
  options([connection(), demo]);
  await button('Add connection').click();
  const form = page.getByRole('form', { name: 'New connection' });
  await expect.element(form).toBeVisible();
  const top = (): number => form.element().getBoundingClientRect().top;
  await expect.poll(top).toBeGreaterThanOrEqual(0);
  expect(top()).toBeLessThan(200);
  expect(button('Save').element().getBoundingClientRect().bottom).toBeLessThanOrEqual(700);
});

test('a new connection that the list has before its answer is not shown beside its form', async () => {
  let stored = [demo];
  const answer = Promise.withResolvers<undefined>();
  options([], {
    'connections.list': () => stored,
    'connections.save': async () => {
      await answer.promise;
      return succeed(connection());
    },
  });
  await button('Add connection').click();
  await page.getByLabelText('Base address').fill('https://market.test');
  await page.getByLabelText('API key').fill('key-0123456789');
  await button('Save').click();
  stored = [demo, connection()];
  await useConnections().load();
  await expect.element(page.getByRole('form', { name: 'New connection' })).toBeVisible();
  await expect.element(card('Market')).not.toBeInTheDocument();
  answer.resolve(undefined);
  await expect.element(card('Market')).toBeVisible();
  await expect.element(card('Demo')).toBeVisible();
});
