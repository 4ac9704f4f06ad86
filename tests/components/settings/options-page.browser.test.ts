import { beforeEach, describe, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';

import { fail, succeed } from '#core/result';
import { defaultDialect } from '#core/connections/index';
import german from '#locales/de/options.json';
import type { Reply } from '#messaging/index';
import { pressWhileComposing } from '#tests/components/composing';
import { drag } from '#tests/components/drag';
import { options } from '#tests/components/settings/mounted-options';
import { account, connection, demo, now } from '#tests/stores/check/samples';

const nameField = page.getByLabelText('Name');
const addressField = page.getByLabelText('Base address');
const keyField = page.getByLabelText('API key');
const button = (name: string) => page.getByRole('button', { name });

const refusedKey = () => fail({ kind: 'refused', msg: 'Invalid API key', about: 'key' } as const);

/** Answers once a frame was drawn: a disabled button has lost the focus by then. */
async function aFrameLater<T>(answer: T): Promise<T> {
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  return answer;
}

beforeEach(async () => {
  await page.viewport(1024, 900);
});

describe('adding a connection', () => {
  test('the empty page asks for the first one, and tells where the key is', async () => {
    options();
    await expect
      .element(page.getByRole('heading', { name: 'Connect your marketplace' }))
      .toBeVisible();
    expect(page.getByRole('button', { name: 'Add connection' }).elements()).toHaveLength(1);
    await button('Add connection').click();
    await page.getByText('Where do I find my key?').click();
    await expect.element(page.getByText(/API key” or “API access”/)).toBeVisible();
  });

  test('name, address and key are all it takes', async () => {
    const harness = options();
    await button('Add connection').click();
    await expect.element(page.getByLabelText('Where do you sell?')).toHaveFocus();
    await nameField.fill('Market');
    await addressField.fill('https://market.test/shop/api/');
    await keyField.fill(' secret-key ');
    await button('Save').click();
    await expect.element(page.getByRole('article', { name: 'Market' })).toBeVisible();
    expect(harness.bodies('connections.save')).toMatchObject([
      { name: 'Market', baseAddress: 'https://market.test/shop', apiKey: 'secret-key' },
    ]);
    const saved = harness.events.indexOf('connections.save');
    expect(harness.events[saved + 1]).toBe('access to https://market.test/shop');
  });

  test('address and key are enough: it takes the name of its account, and keeps one that was given', async () => {
    const harness = options();
    await button('Add connection').click();
    await addressField.fill('https://market.test/shop');
    await keyField.fill('secret-key');
    await button('Save').click();
    await expect.element(page.getByRole('article', { name: account.username })).toBeVisible();
    const names = (): string[] => harness.bodies('connections.save').map(({ name }) => name);
    expect(names()).toEqual(['market.test', account.username]);
    await expect.element(page.getByText(`Connected: ${account.username}`)).toBeVisible();
    await button('Edit').click();
    await nameField.fill('Ours');
    await button('Save').click();
    await expect.element(page.getByText('Connected: Ours')).toBeVisible();
    expect(names()).toEqual(['market.test', account.username, 'Ours']);
  });

  test('the place of what is not known yet is marked, and nothing is shown as if it were', async () => {
    const { promise, resolve } = Promise.withResolvers<[]>();
    options([], { 'connections.list': () => promise });
    const titlesOf = (place: string): (string | null)[] =>
      [...document.querySelectorAll(place)].map(({ textContent }) => textContent.trim());
    const titles = [
      'Connections',
      'Key storage',
      'Help desks and shortcut',
      'Appearance and privacy',
      'Diagnostics and erasing',
    ];
    await expect.poll(() => titlesOf('.waiting h2')).toEqual(titles);
    expect(titlesOf('.side-sections a')).toEqual(titles);
    await expect.element(button('Add connection')).not.toBeInTheDocument();
    resolve([]);
    await expect.element(button('Add connection')).toBeVisible();
    expect(document.querySelector('.waiting')).toBeNull();
  });

  test('the sections come with the first steps, and no later', async () => {
    const { promise, resolve } = Promise.withResolvers<(typeof demo)[]>();
    options([], { 'connections.list': () => promise });
    await expect.poll(() => document.querySelector('.waiting')).not.toBeNull();
    const seen: boolean[] = [];
    const observer = new MutationObserver(() => {
      if (document.querySelector('section.section') !== null)
        seen.push(document.querySelector('[data-first-steps]') !== null);
    });
    observer.observe(document.body, { childList: true, subtree: true });
    resolve([demo]);
    await expect.poll(() => seen.length).toBeGreaterThan(0);
    observer.disconnect();
    expect(seen).not.toContain(false);
  });

  test('the address is judged while it is typed', async () => {
    options();
    await button('Add connection').click();
    await addressField.fill('http://market.test');
    await expect.element(page.getByText(/The key would be sent unencrypted/)).toBeVisible();
    await expect.element(addressField).toHaveAttribute('aria-invalid', 'true');
    for (const [typed, sentence] of [
      ['ftp://market.test', /cannot be used for a seller API/],
      ['https://me@market.test', /part before the @/],
      ['https://market.test/?a=1', /Leave out the question mark/],
    ] as const) {
      await addressField.fill(typed);
      await expect.element(page.getByText(sentence)).toBeVisible();
    }
    await addressField.fill('http://127.0.0.1:8787/demo/api/');
    await expect.element(page.getByText('Will ask http://127.0.0.1:8787/demo/api/…')).toBeVisible();
    await addressField.fill('market.test/api');
    await expect.element(page.getByText('Will ask https://market.test/api/…')).toBeVisible();
    await addressField.fill('https://märket.test');
    await expect.element(page.getByText(/xn--mrket-gra.test/).first()).toBeVisible();
  });

  test('what is missing is said, and the first of it has the focus', async () => {
    const harness = options();
    await button('Add connection').click();
    await button('Save').click();
    await expect.element(page.getByText('Enter the base address.')).toBeVisible();
    await expect.element(page.getByText('Paste the API key.')).toBeVisible();
    await expect.element(addressField).toHaveFocus();
    expect(harness.events).not.toContain('connections.save');
  });

  test('a key that no request could carry is told as it is pasted', async () => {
    options();
    await button('Add connection').click();
    await keyField.fill('key—1');
    await expect.element(page.getByText(/This contains “—”/)).toBeVisible();
    await keyField.fill(`key-${'1'.repeat(600)}`);
    await expect
      .element(page.getByText(/Something else was copied along with the key/))
      .toBeVisible();
    await keyField.fill('key-1');
    await expect
      .element(page.getByText(/Something else was copied along with the key/))
      .not.toBeInTheDocument();
  });

  test('Escape and Cancel leave it', async () => {
    options();
    await button('Add connection').click();
    await userEvent.keyboard('{Escape}');
    await button('Add connection').click();
    await button('Cancel').click();
    await expect.element(button('Add connection')).toBeVisible();
  });

  test('Escape that an input method takes leaves it open, and nothing typed is lost', async () => {
    options();
    await button('Add connection').click();
    await keyField.fill('key-1');
    await nameField.fill('市場');
    pressWhileComposing(nameField.element(), 'Escape');
    await expect.element(keyField).toHaveValue('key-1');
  });

  test('a worker that will not save says why, and nothing typed is lost', async () => {
    options([], { 'connections.save': () => fail({ kind: 'storage-full' }) });
    await button('Add connection').click();
    await nameField.fill('Market');
    await addressField.fill('https://market.test');
    await keyField.fill('k');
    await button('Save').click();
    await expect.element(page.getByText(/no room left/)).toBeVisible();
    await expect.element(keyField).toHaveValue('k');
  });
});

describe('a connection', () => {
  test('shows no key when it is edited, and keeps it when none is pasted', async () => {
    const harness = options([connection()]);
    await button('Edit').click();
    await expect.element(keyField).toHaveValue('');
    await expect
      .element(keyField)
      .toHaveAttribute('placeholder', 'Saved · paste a new one to replace it');
    await button('Save').click();
    await expect.element(page.getByRole('article', { name: 'Market' })).toBeVisible();
    expect(harness.bodies('connections.save')[0]).not.toHaveProperty('apiKey');
  });

  test('is tested when it is saved: a wrong key opens the form again, which says that it is stored', async () => {
    const harness = options([connection()], {
      'connections.test': () => fail({ kind: 'refused', msg: 'Invalid API key', about: 'key' }),
    });
    await button('Edit').click();
    await keyField.fill('wrong');
    await button('Save').click();
    const told = page.getByText(/This key is stored, but market\.test does not accept it/);
    await expect.element(told).toBeVisible();
    await expect.element(keyField).toHaveFocus();
    await expect.element(keyField).toHaveAttribute('aria-invalid', 'true');
    expect(harness.bodies('connections.test')).toEqual([{ id: 'market' }]);
    await keyField.fill('another');
    await expect.element(told).not.toBeInTheDocument();
    await button('Cancel').click();
    await expect.element(page.getByText('Market does not accept the API key')).toBeVisible();
  });

  test.each([
    ['new', [], 'Add connection'],
    ['changed', [connection()], 'Edit'],
  ])(
    '%s and refused, keeps its form in one place until the seller has answered',
    async (_what, list, opens) => {
      const { promise, resolve } = Promise.withResolvers<ReturnType<typeof refusedKey>>();
      const harness = options(list, { 'connections.test': () => promise });
      await button(opens).click();
      await addressField.fill('https://market.test/shop');
      await keyField.fill('wrong');
      const form = document.querySelector('form');
      const top = keyField.element().getBoundingClientRect().top;
      const { width } = button('Save').element().getBoundingClientRect();
      await button('Save').click();
      await expect.element(button('One moment…')).toHaveFocus();
      expect(button('One moment…').element().getBoundingClientRect().width).toBe(width);
      await expect.poll(() => harness.bodies('connections.test')).toHaveLength(1);
      expect(page.getByRole('article').elements()).toEqual([]);
      resolve(refusedKey());
      await expect.element(page.getByText(/This key is stored, but market\.test/)).toBeVisible();
      await expect.element(keyField).toHaveFocus();
      await expect.element(keyField).toHaveValue('');
      expect(document.querySelector('form')).toBe(form);
      expect(keyField.element().getBoundingClientRect().top).toBe(top);
      // Another key is for the connection that is stored by now.
      await keyField.fill('another');
      await button('Save').click();
      await expect.poll(() => harness.bodies('connections.save')).toHaveLength(2);
      expect(harness.bodies('connections.save').at(-1)?.id).toBeDefined();
      await expect.element(keyField).toHaveFocus();
      await button('Cancel').click();
      await expect.element(page.getByText(/does not accept the API key/)).toBeVisible();
    },
  );

  test('that is tested again keeps its height', async () => {
    const { promise, resolve } = Promise.withResolvers<ReturnType<typeof refusedKey>>();
    let tests = 0;
    options([connection()], {
      'connections.test': () => (++tests === 1 ? refusedKey() : promise),
    });
    const height = (): number | undefined =>
      page.getByRole('article').elements()[0]?.getBoundingClientRect().height;
    await button('Test connection').click();
    await expect.element(page.getByText(/does not accept the API key/)).toBeVisible();
    const before = height();
    await button('Test connection').click();
    await expect.element(page.getByText(/^Loading the account/)).toBeVisible();
    expect(height()).toBe(before);
    resolve(refusedKey());
    await expect.element(page.getByText(/does not accept the API key/)).toBeVisible();
    expect(height()).toBe(before);
  });

  test('that is the first one with a seller API is opened again as well, though how it is asked was never confirmed', async () => {
    const dialect = { ...defaultDialect, proven: false };
    options([connection({ dialect })], { 'connections.test': refusedKey });
    await button('Edit').click();
    await keyField.fill('wrong');
    await button('Save').click();
    await expect
      .element(page.getByText(/This key is stored, but market\.test does not accept it/))
      .toBeVisible();
    await expect.element(keyField).toHaveFocus();
    await expect.element(page.getByText(/may read it from another place/)).toBeVisible();
    await page.getByText('Advanced: how this server expects requests').click();
    await expect.element(button('Detect')).toBeVisible();
  });

  test('is not opened again over what the agent does by then', async () => {
    const { promise, resolve } = Promise.withResolvers<ReturnType<typeof refusedKey>>();
    options([connection()], { 'connections.test': () => promise });
    await button('Edit').click();
    await keyField.fill('wrong');
    await button('Save').click();
    await page.getByLabelText('Sign replies as').click();
    resolve(refusedKey());
    await expect.element(page.getByText('Market does not accept the API key')).toBeVisible();
    await expect.element(keyField).not.toBeInTheDocument();
  });

  test('whose key was refused before the page was opened says so, and when', async () => {
    const { fault } = refusedKey();
    options([connection({ keyRefusal: { fault, at: now - 3 * 60_000 }, keyWorkedAt: now - 9e6 })]);
    await expect.element(page.getByText('Market does not accept the API key')).toBeVisible();
    await expect.element(page.getByText('checked 3 minutes ago')).toBeVisible();
    await expect.element(page.getByText(/Key last worked/)).not.toBeInTheDocument();
    await expect.element(button('Edit')).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    await expect.element(keyField).toHaveFocus();
    await expect
      .element(page.getByText(/This key is stored, but market\.test does not accept it/))
      .toBeVisible();
  });

  test('tested again, it shows that it is under way, and when it was', async () => {
    const seen: boolean[] = [];
    options([connection()], { 'connections.test': refusedKey });
    const tell = page.getByText('checked now');
    await button('Test connection').click();
    await expect.element(tell).toBeVisible();
    const pressed = button('Test connection').element();
    const observer = new MutationObserver(() => {
      seen.push(pressed.getAttribute('aria-disabled') === 'true' && tell.query() === null);
    });
    observer.observe(document.body, { subtree: true, childList: true, attributes: true });
    await button('Test connection').click();
    await expect.poll(() => seen).toContain(true);
    await expect.element(tell).toBeVisible();
    observer.disconnect();
  });

  test('without a key is not tested', async () => {
    const harness = options([connection({ hasKey: false })], {
      'connections.save': ({ id }) => succeed(connection({ id: id ?? 'new', hasKey: false })),
    });
    await button('Edit').click();
    await keyField.fill('key-1');
    await button('Save').click();
    await expect.element(page.getByRole('article', { name: 'Market' })).toBeVisible();
    expect(harness.events).not.toContain('connections.test');
  });

  test('tested, it shows the account behind its key', async () => {
    options([connection()], {}, { pictures: false });
    await button('Test connection').click();
    await expect.element(page.getByText('Ada Orbit')).toBeVisible();
    await page.getByText('Details', { exact: true }).click();
    await expect.element(page.getByText('€1,204.50 EUR')).toBeVisible();
    await expect.element(page.getByText('May 30, 2021')).toBeVisible();
    const link = page.getByRole('link', { name: 'Facebook' });
    await expect.element(link).toHaveAttribute('href', 'https://facebook.test/orbit');
    await expect.element(link).toHaveAttribute('rel', 'noopener noreferrer');
  });

  test('tested, it offers the stores of its account where it names another', async () => {
    const stores = [
      { id: '4711', name: 'Fenwick' },
      { id: '4712', name: 'Fenwick Sounds' },
    ];
    const harness = options([connection({ marketplace: 'lemon-squeezy', store: '999' })], {
      'connections.test': () => {
        const { store } = harness.bodies('connections.save').at(-1) ?? {};
        return succeed(store === '4712' ? account : { ...account, stores });
      },
    });
    await button('Test connection').click();
    await expect.element(page.getByText('This account has no store 999')).toBeVisible();
    await button('Fenwick Sounds 4712').click();
    await expect.element(page.getByText('Ada Orbit')).toBeVisible();
    expect(harness.bodies('connections.save')).toMatchObject([{ id: 'market', store: '4712' }]);
    await expect.element(page.getByRole('article', { name: 'Market' })).toHaveFocus();
  });

  test('tested, it shows the exact fault and its next step', async () => {
    options([connection()], {
      'connections.test': () => fail({ kind: 'refused', msg: 'Invalid request', about: 'key' }),
    });
    await button('Test connection').click();
    await expect
      .element(page.getByRole('heading', { name: 'Market does not accept the API key' }))
      .toBeVisible();
    await expect.element(button('Edit')).toHaveClass('primary');
    expect(document.querySelectorAll('.entry-card .button.primary')).toHaveLength(1);
    expect(page.getByRole('button', { name: /^(Edit|Try again)/ }).elements()).toHaveLength(1);
    await button('Edit').click();
    await expect.element(keyField).toBeVisible();
  });

  test('that the browser may not reach says so, and is allowed in one click', async () => {
    const harness = options([connection({ permitted: false })]);
    await expect
      .element(page.getByText(/has not been allowed to reach market\.test/))
      .toBeVisible();
    await button('Allow access').click();
    await expect.poll(() => harness.events).toContain('access to https://market.test/shop');
  });

  test('deleted, it can be brought back', async () => {
    options([connection()]);
    await button('Delete').click();
    await expect.element(page.getByText(/Market and its key were deleted/)).toBeVisible();
    expect(page.getByRole('article').elements()).toHaveLength(0);
    await button('Undo').click();
    await expect.element(page.getByRole('article', { name: 'Market' })).toBeVisible();
  });

  test('moves by keyboard, and the button keeps the focus', async () => {
    const harness = options([connection(), demo, connection({ id: 'c', name: 'Third' })]);
    const down = button('Move down').first();
    await expect.element(down).toBeVisible();
    (down.element() as HTMLElement).focus();
    await userEvent.keyboard('{Enter}');
    await expect
      .poll(() => harness.bodies('connections.reorder'))
      .toEqual([{ ids: ['demo', 'market', 'c'] }]);
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Move down');
    expect(document.activeElement?.closest('article')?.textContent).toContain('Market');
    await userEvent.keyboard('{Enter}');
    // At the end of the list.
    await expect.poll(() => document.activeElement?.getAttribute('aria-label')).toBe('Move up');
    expect(document.activeElement?.closest('article')?.textContent).toContain('Market');
  });

  test('that works is quiet about it', async () => {
    options([connection()]);
    await expect.element(page.getByRole('article', { name: 'Market' })).toBeVisible();
    await expect.element(button('Find out how')).not.toBeInTheDocument();
    expect(document.querySelectorAll('.entry-card .chip, .entry-card .notice')).toHaveLength(0);
  });

  test('after a fault, a known-good code settles how its server likes to be asked', async () => {
    const unproven = connection({ dialect: defaultDialect });
    const harness = options([unproven], {
      'connections.test': () => fail({ kind: 'refused', msg: 'No', about: 'request' }),
      'connections.detect': () =>
        aFrameLater(succeed({ ...defaultDialect, encoding: 'json', keyPlacement: 'X-API-Key' })),
    });
    await button('Test connection').click();
    await button('Find out how this server expects requests').click();
    await page.getByLabelText('A code known to be good').fill(' known ');
    await button('Detect').click();
    await expect.element(page.getByText(/Found: the header X-API-Key, JSON/)).toBeVisible();
    expect(harness.bodies('connections.detect')).toEqual([{ id: 'market', code: 'known' }]);
    await expect.element(button('Detect')).toHaveFocus();
    await expect.element(page.getByLabelText('Send the key as')).toHaveValue('X-API-Key');
    await expect.element(page.getByLabelText('Send a code as')).toHaveValue('json');
  });
});

test('the last account stays while it is asked for again, and a shorter result moves no button', async () => {
  let answer = Promise.resolve<Reply<'connections.test'>>(succeed(account));
  let listed = connection();
  options([], { 'connections.list': () => [listed], 'connections.test': () => answer });
  const test = button('Test connection');
  const title = page.getByRole('heading', { name: /The key works/ });
  await test.click();
  await expect.element(title).toBeVisible();
  await expect.element(page.getByText(/^Checked/i)).toBeVisible();
  const topOf = (): number => test.element().getBoundingClientRect().top + scrollY;
  const top = topOf();
  listed = { ...listed, keyWorkedAt: now };
  const card = page.getByRole('article', { name: 'Market' }).element();
  const { height } = card.getBoundingClientRect();
  const later = Promise.withResolvers<Reply<'connections.test'>>();
  answer = later.promise;
  await test.click();
  await expect.element(page.getByText(/^Loading the account/)).toBeVisible();
  await expect.element(title).toBeVisible();
  expect(topOf()).toBe(top);
  later.resolve(fail({ kind: 'offline' }));
  await expect.element(title).not.toBeInTheDocument();
  expect(topOf()).toBe(top);
  await expect.element(page.getByText(/^Key last worked/)).toBeVisible();
  expect(card.getBoundingClientRect().height).toBe(height);
});

test('a double click deletes one connection, although the next one’s button takes the place of the first', async () => {
  const harness = options([connection(), demo, connection({ id: 'third', name: 'Third' })]);
  await userEvent.dblClick(button('Delete').first(), { delay: 150 });
  await expect.poll(() => document.querySelectorAll('.entry-card')).toHaveLength(2);
  expect(harness.bodies('connections.delete')).toHaveLength(1);
});

test('a first test that passes or fails moves no button', async () => {
  let listed = connection();
  const ofTeam = connection({ id: 'team', name: 'Team shop', throughRelay: true });
  options([], {
    'connections.list': () => [listed, ofTeam],
    'connections.test': ({ id }) => {
      if (id === 'team') return fail({ kind: 'relay-sign-in', reason: 'revoked' });
      listed = { ...listed, keyWorkedAt: now };
      return succeed(account);
    },
  });
  const tests = button('Test connection');
  await expect.element(tests.first()).toBeVisible();
  const top = (): number => tests.last().element().getBoundingClientRect().top + scrollY;
  const before = tests.first().element().getBoundingClientRect().top + scrollY;
  const teamBefore = top();
  await tests.last().click();
  await expect.element(page.getByText('Your team’s relay has ended your sign-in')).toBeVisible();
  expect(top()).toBe(teamBefore);
  await tests.first().click();
  await expect.element(page.getByRole('heading', { name: /The key works/u })).toBeVisible();
  expect(tests.first().element().getBoundingClientRect().top + scrollY).toBe(before);
});

describe('a connection through the team’s relay', () => {
  const ofTeam = connection({ id: 'team', name: 'Team shop', throughRelay: true });

  test('says that the relay holds the key, and that no key stays in this browser', async () => {
    options([{ ...ofTeam, keyWorkedAt: now - 60_000 }]);
    const card = page.getByRole('article', { name: 'Team shop' });
    await expect.element(card.getByText('Your team’s relay holds the key.')).toBeVisible();
    await expect.element(card.getByText(/Key last worked/)).not.toBeInTheDocument();
    expect(document.body.innerText).not.toContain('The key stays in this browser');
  });

  test('is edited without a key, and keeps its place', async () => {
    const harness = options([ofTeam]);
    await button('Edit').click();
    await expect.element(page.getByLabelText('Name', { exact: true })).toBeVisible();
    await expect.element(page.getByLabelText('API key')).not.toBeInTheDocument();
    await expect.element(page.getByLabelText('Base address')).toHaveAttribute('readonly');
    await expect.element(page.getByLabelText('Where do you sell?')).toBeDisabled();
    await page.getByLabelText('Name', { exact: true }).fill('Shop');
    await button('Save').click();
    await expect.poll(() => harness.bodies('connections.save')).toHaveLength(1);
  });

  test('is deleted alone', async () => {
    options([ofTeam]);
    await button('Delete').click();
    await expect.element(page.getByText(/Team shop was removed\./)).toBeVisible();
    await button('Undo').click();
    await expect.element(page.getByRole('article', { name: 'Team shop' })).toHaveFocus();
  });
});

describe('key storage', () => {
  test('a passphrase is asked for twice', async () => {
    const harness = options();
    await page.getByLabelText(/^With a passphrase/).click();
    const fresh = page.getByLabelText('New passphrase', { exact: true });
    await fresh.fill('correct horse');
    await page.getByLabelText('New passphrase, again').fill('correct house');
    await button('Use this').click();
    await expect.element(page.getByText('The passphrases do not match.')).toBeVisible();
    await page.getByLabelText('New passphrase, again').fill('correct horse');
    await button('Use this').click();
    await expect
      .element(page.getByText('Done: keys are now kept with a passphrase.'))
      .toBeVisible();
    expect(harness.bodies('secrets.set-mode')).toEqual([
      { mode: 'passphrase', passphrase: 'correct horse' },
    ]);
    await expect.element(page.getByLabelText(/^With a passphrase/)).toHaveFocus();
    await button('Lock now').click();
    await expect.element(page.getByLabelText('Passphrase', { exact: true })).toHaveFocus();
    await userEvent.keyboard('correct horse{Enter}');
    await expect.element(button('Lock now')).toHaveFocus();
  });

  test('is told of in a sentence that leaves German nouns their capital', async () => {
    options([], {}, undefined, { messages: german });
    await page.getByText('Nur für diese Sitzung').click();
    await button('Umstellen').click();
    const said = 'Erledigt: Schlüssel werden jetzt so aufbewahrt: nur für diese Sitzung.';
    await expect.element(page.getByText(said, { exact: true })).toBeVisible();
  });

  test('a session needs no passphrase', async () => {
    const harness = options();
    await page.getByLabelText(/^For this session only/).click();
    await button('Use this').click();
    await expect.poll(() => harness.bodies('secrets.set-mode')).toEqual([{ mode: 'session' }]);
  });

  test('a passphrase that was left empty is asked for under its field', async () => {
    const harness = options();
    await page.getByLabelText(/^With a passphrase/).click();
    await button('Use this').click();
    await expect.element(page.getByText('Enter a passphrase.')).toBeVisible();
    await expect.element(page.getByLabelText('New passphrase', { exact: true })).toHaveFocus();
    expect(harness.bodies('secrets.set-mode')).toEqual([]);
  });

  test('the least length is said before and at the field, which keeps what was typed', async () => {
    const harness = options();
    await page.getByLabelText(/^With a passphrase/).click();
    const fresh = page.getByLabelText('New passphrase', { exact: true });
    const least = /^At least 12 characters, please\./;
    await expect.element(fresh).toHaveAccessibleDescription(least);
    await expect.element(fresh).not.toHaveAttribute('aria-invalid');
    await fresh.fill('short');
    await page.getByLabelText('New passphrase, again').fill('short');
    await button('Use this').click();
    await expect.element(fresh).toHaveAttribute('aria-invalid', 'true');
    await expect.element(fresh).toHaveAccessibleDescription(least);
    await expect.element(fresh).toHaveFocus();
    await expect.element(fresh).toHaveValue('short');
    await expect.element(page.getByLabelText('New passphrase, again')).toHaveValue('short');
    expect(harness.bodies('secrets.set-mode')).toEqual([]);
  });

  test('a wrong passphrase is said at its field, and not with another storage', async () => {
    options([], {
      'secrets.state': () => ({ mode: 'passphrase', locked: false, lockAfterMinutes: 15 }),
      'secrets.set-mode': () => aFrameLater(fail({ kind: 'wrong-passphrase' })),
    });
    await page.getByLabelText(/^On this device/).click();
    const present = page.getByLabelText('Current passphrase');
    await present.fill('wrong horse');
    await button('Use this').click();
    await expect.element(present).toHaveAccessibleDescription('That is not the passphrase.');
    await expect.element(present).toHaveFocus();
    await page.getByLabelText(/^For this session only/).click();
    await expect.element(page.getByText('That is not the passphrase.')).not.toBeInTheDocument();
  });

  test('what is done is said until another storage is chosen', async () => {
    options();
    await page.getByLabelText(/^For this session only/).click();
    await button('Use this').click();
    await expect.element(page.getByText(/^Done: keys are now kept/)).toBeVisible();
    await page.getByLabelText(/^On this device/).click();
    await expect.element(page.getByText(/^Done: keys are now kept/)).not.toBeInTheDocument();
  });
});

describe('appearance and privacy', () => {
  test('a chosen theme is taken at once, and kept', async () => {
    const harness = options();
    await page.getByRole('radio', { name: 'Dark' }).click();
    await expect.poll(() => document.documentElement.dataset['theme']).toBe('dark');
    expect(harness.written.at(-1)).toMatchObject({ theme: 'dark' });
  });

  test('a chosen language is kept, and the page is opened anew in it', async () => {
    const harness = options();
    const language = page.getByRole('combobox', { name: 'Language', exact: true });
    await expect.element(language).toHaveDisplayValue('Same as the browser');
    await language.selectOptions('Deutsch');
    await expect.poll(() => harness.events.at(-1)).toBe('reload');
    expect(harness.written.at(-1)).toMatchObject({ language: 'de' });
  });

  test('what replies are signed as is stored once the field is left', async () => {
    const harness = options();
    await page.getByLabelText('Sign replies as').fill(' Jo Marlin ');
    await page.getByRole('radio', { name: 'Dark' }).click();
    await expect.poll(() => harness.written).toContainEqual({ agent: 'Jo Marlin' });
  });

  test('pictures and masking are switches', async () => {
    const harness = options();
    await page.getByRole('switch', { name: 'Show pictures' }).click();
    await expect.poll(() => harness.written.at(-1)).toMatchObject({ pictures: false });
    await page.getByRole('switch', { name: 'Mask codes when copying' }).click();
    await expect.poll(() => harness.written.at(-1)).toMatchObject({ maskCodes: false });
  });
});

test('a deletion that was not stored is told in a sentence', async () => {
  options([connection()], { 'connections.delete': () => fail({ kind: 'storage-full' }) });
  await page.getByRole('button', { name: /^Delete/ }).click();
  await expect
    .element(page.getByRole('alert'))
    .toHaveTextContent('This browser has no room left, so the change was not stored.');
});

describe('the settings file', () => {
  const nothing = { added: [], changed: [] };
  const lists = {
    connections: { added: ['Market', 'Demo'], changed: ['Third'] },
    authorities: nothing,
    sites: nothing,
    headersKept: 0,
    kindsKept: 0,
  };
  const setup = { at: 'file' };
  const file = { format: 'counterfoil-settings', version: 2 };
  async function upload(content: object): Promise<void> {
    await expect.poll(() => document.querySelector('input[type=file]')).not.toBeNull();
    const input = page.elementLocator(document.querySelector('input[type=file]') ?? document.body);
    const text = JSON.stringify(content);
    await input.upload(new File([text], 'settings.json', { type: 'application/json' }));
  }

  test('shows what it will change, and changes it when it is accepted', async () => {
    const harness = options(
      [],
      {
        'settings.preview': () => succeed(lists),
        'settings.import': () => succeed({ ...lists, notStored: ['privacy'] }),
      },
      undefined,
      setup,
    );
    const about = { situation: 'lapsed', language: 'en', whole: false };
    const template = { ...about, id: 'a', name: 'Renew', text: 'Support has ended.' };
    await upload({ ...file, templates: { format: 'plain', templates: [template] } });
    await expect.element(page.getByText('2 new: Market, Demo; 1 changed: Third')).toBeVisible();
    await expect
      .element(page.getByRole('heading', { name: 'This import will change' }))
      .toHaveFocus();
    expect(harness.events).not.toContain('settings.import');
    await button('Import this').click();
    await expect.element(page.getByText('Imported.', { exact: true })).toBeVisible();
    const links = page.getByRole('link', { name: /: \d$/ });
    await expect
      .poll(() => links.elements().map((each) => each.textContent))
      .toEqual(['Connections: 3', 'Reply templates: 1']);
    await expect.element(links.first()).toHaveAttribute('href', '#connections');
    await expect.element(page.getByText(/^Not imported: Privacy/)).toBeVisible();
    await expect.element(button('Import a file…')).toHaveFocus();
  });

  test('can be left after its preview', async () => {
    const harness = options([], { 'settings.preview': () => succeed(lists) }, undefined, setup);
    await upload(file);
    await button('Cancel').click();
    await expect.element(page.getByText('This import will change')).not.toBeInTheDocument();
    await expect.element(button('Import a file…')).toHaveFocus();
    expect(harness.events).not.toContain('settings.import');
  });

  test('that cannot be read from the disk is said to be none', async () => {
    options();
    vi.spyOn(Blob.prototype, 'text').mockRejectedValueOnce(new DOMException('', 'NotFoundError'));
    drag('drop', document.body, new File(['{}'], 'folder'));
    await expect.element(page.getByText(/this is not a Counterfoil settings file/)).toBeVisible();
  });

  test('without anything new says so', async () => {
    options(
      [],
      { 'settings.preview': () => succeed({ ...lists, connections: nothing }) },
      undefined,
      setup,
    );
    await upload(file);
    await expect.element(page.getByText('Everything in this file is already here.')).toBeVisible();
    await expect.element(button('Import this')).not.toBeInTheDocument();
  });

  test('says when a header stays though the file asks for a parameter', async () => {
    options(
      [],
      { 'settings.preview': () => succeed({ ...lists, headersKept: 1 }) },
      undefined,
      setup,
    );
    await upload(file);
    await expect
      .element(page.getByText('1 connection keeps sending its key in a header', { exact: false }))
      .toBeVisible();
  });

  test.each([
    [{ ...file, connections: [{}] }, /“connections.0.id” in this file/],
    [{ ...file, version: 3 }, /a newer version of Counterfoil wrote this file/],
    [{ hello: 'world' }, /this is not a Counterfoil settings file/],
  ])('that cannot be read has a sentence of its own: %o', async (content, sentence) => {
    options([], {}, undefined, setup);
    await upload(content);
    await expect.element(page.getByText(sentence)).toBeVisible();
  });
});

test.each([
  ['authorities', 'Team setup'],
  ['file', 'Team setup'],
  ['sites', 'You'],
])(
  'an address that names the section %s lights up its page, which is %s, alone',
  async (at, name) => {
    options([connection()], {}, undefined, { at });
    await expect
      .element(page.getByRole('link', { name, exact: true }))
      .toHaveAttribute('aria-current', 'page');
    expect(document.querySelectorAll('nav [aria-current="page"]')).toHaveLength(1);
  },
);

test('the sidebar leads to the sections of a long page, and marks the one in sight', async () => {
  await page.viewport(1200, 600);
  scrollTo(0, 0);
  options([connection()]);
  const link = (name: string) => page.getByRole('navigation').getByRole('link', { name });
  const marked = (): string[] =>
    [...document.querySelectorAll('nav [aria-current="location"]')].map(({ textContent }) =>
      textContent.trim(),
    );
  // The first steps stand there, above the sections.
  await expect.element(page.getByRole('heading', { name: 'First steps' })).toBeVisible();
  await expect.poll(marked).toEqual([]);
  await link('Connections').click();
  await expect.poll(marked).toEqual(['Connections']);
  await link('Appearance and privacy').click();
  await expect.poll(marked).toEqual(['Appearance and privacy']);
  // The last section is too short to be the topmost.
  await link('Diagnostics and erasing').click();
  await expect.poll(marked).toEqual(['Diagnostics and erasing']);
  scrollTo(0, 0);
  await expect.poll(marked).toEqual([]);
  await link('Team setup').click();
  await expect.element(link('License servers')).toBeVisible();
  await page.viewport(360, 600);
  await link('License servers').click();
  await expect.poll(marked).toEqual(['License servers']);
});

test('what was never said before is said of nothing: a key to enter, an imported help desk to allow', async () => {
  const site = { origin: 'https://desk.test', automatic: false, permitted: false };
  options([connection()], {
    'sites.list': () => [site],
    'connections.test': () => fail({ kind: 'no-key', reason: 'session-ended' }),
  });
  await expect
    .element(page.getByText(/^The browser does not allow this site, so no marks/u))
    .toBeVisible();
  await button('Test connection').click();
  await expect.element(page.getByText(/Enter the key again\.$/u).first()).toBeVisible();
  expect(document.body.innerText).not.toMatch(/no longer|again in the settings/u);
});

describe('the care of the program', () => {
  test('diagnostics are copied', async () => {
    const harness = options([connection()]);
    await button('Copy diagnostics').click();
    await expect.poll(() => harness.copied[0]).toContain('Counterfoil 1.2.3');
  });

  test('an expected item says that its connection was deleted, until that is undone', async () => {
    const site = { origin: 'https://desk.test', automatic: false, permitted: true };
    const expectedItem = { connectionId: 'market', itemId: 1, name: 'Anchor' };
    options([connection()], { 'sites.list': () => [{ ...site, expectedItem }] });
    const gone = page.getByText(/^The connection of this item was deleted/);
    await expect
      .element(page.getByRole('combobox', { name: /^Expected item on/ }))
      .toHaveValue('Anchor');
    await expect.element(gone).not.toBeInTheDocument();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await expect.element(gone).toBeVisible();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.element(gone).not.toBeInTheDocument();
  });

  test('everything is erased only after it was said what goes', async () => {
    const harness = options([connection()], { 'settings.erase': () => null });
    await button('Erase everything…').click();
    const dialog = page.getByRole('dialog', { name: 'Erase everything?' });
    await expect.element(dialog.getByText(/API keys and the keys that decrypt them/)).toBeVisible();
    await userEvent.keyboard('{Escape}');
    await expect.element(dialog).not.toBeInTheDocument();
    expect(harness.events).not.toContain('settings.erase');
    await button('Erase everything…').click();
    await button('Erase everything now').click();
    await expect.poll(() => harness.events.slice(-2)).toEqual(['settings.erase', 'restart']);
    // As the page is after that.
    options([]);
    const notice = page.getByText('Everything was erased.');
    await expect.element(notice).toBeVisible();
    // It is no offer to undo: nothing can be.
    expect(notice.element().closest('.undo-bar')).toBeNull();
    await expect.element(page.getByRole('heading', { level: 1 })).toHaveFocus();
    // It is told once, and not beside what was set up since.
    location.hash = '#/looks';
    await expect.poll(() => notice.elements()).toEqual([]);
    location.hash = '#/connections';
    options([]);
    await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible();
    expect(notice.elements()).toEqual([]);
  });
});
