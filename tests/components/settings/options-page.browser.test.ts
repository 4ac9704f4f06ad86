import { beforeEach, describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';

import { fail, succeed } from '#core/result';
import { options } from '#tests/components/settings/mounted-options';
import { connection, demo } from '#tests/stores/check/samples';

const nameField = page.getByLabelText('Name');
const addressField = page.getByLabelText('Base address');
const keyField = page.getByLabelText('API key');
const button = (name: string) => page.getByRole('button', { name });

beforeEach(async () => {
  await page.viewport(1024, 900);
});

describe('adding a connection', () => {
  test('the empty page asks for the first one, and tells where the key is', async () => {
    options();
    await expect
      .element(page.getByRole('heading', { name: 'Which marketplace do you sell on?' }))
      .toBeVisible();
    await page.getByText('Where do I find my key?').click();
    await expect.element(page.getByText(/API key” or “API access”/)).toBeVisible();
    expect(page.getByRole('button', { name: 'Add connection' }).elements()).toHaveLength(1);
  });

  test('name, address and key are all it takes', async () => {
    const outside = options();
    await button('Add connection').click();
    await expect.element(nameField).toHaveFocus();
    await nameField.fill('Market');
    await addressField.fill('https://market.test/shop/api/');
    await keyField.fill(' secret-key ');
    await button('Save').click();
    await expect.element(page.getByRole('article', { name: 'Market' })).toBeVisible();
    expect(outside.bodies('connections.save')).toMatchObject([
      { name: 'Market', baseAddress: 'https://market.test/shop', apiKey: 'secret-key' },
    ]);
    const saved = outside.events.indexOf('connections.save');
    expect(outside.events[saved + 1]).toBe('access to https://market.test/shop');
  });

  test('the address is judged while it is typed', async () => {
    options();
    await button('Add connection').click();
    await addressField.fill('http://market.test');
    await expect.element(page.getByText(/The key would travel unencrypted/)).toBeVisible();
    await expect.element(addressField).toHaveAttribute('aria-invalid', 'true');
    await addressField.fill('https://me@market.test');
    await expect.element(page.getByText(/part before the @/)).toBeVisible();
    await addressField.fill('market.test/api');
    await expect.element(page.getByText('Will ask https://market.test/api/…')).toBeVisible();
    await addressField.fill('https://märket.test');
    await expect.element(page.getByText(/xn--mrket-gra.test/).first()).toBeVisible();
  });

  test('what is missing is said, and the first of it has the focus', async () => {
    const outside = options();
    await button('Add connection').click();
    await button('Save').click();
    await expect.element(page.getByText('Give it a name.')).toBeVisible();
    await expect.element(page.getByText('Paste the API key.')).toBeVisible();
    await expect.element(nameField).toHaveFocus();
    expect(outside.events).not.toContain('connections.save');
  });

  test('a key that no request could carry is told as it is pasted', async () => {
    options();
    await button('Add connection').click();
    await keyField.fill('key—1');
    await expect.element(page.getByText(/This holds “—”/)).toBeVisible();
    await keyField.fill(`key-${'1'.repeat(600)}`);
    await expect.element(page.getByText(/more than the key was copied/)).toBeVisible();
    await keyField.fill('key-1');
    await expect.element(page.getByText(/more than the key was copied/)).not.toBeInTheDocument();
  });

  test('Escape and Cancel leave it', async () => {
    options();
    await button('Add connection').click();
    await userEvent.keyboard('{Escape}');
    await button('Add connection').click();
    await button('Cancel').click();
    await expect.element(button('Add connection')).toBeVisible();
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
    const outside = options([connection()]);
    await button('Edit').click();
    await expect.element(keyField).toHaveValue('');
    await expect
      .element(keyField)
      .toHaveAttribute('placeholder', 'Saved · paste a new one to replace it');
    await button('Save').click();
    await expect.element(page.getByRole('article', { name: 'Market' })).toBeVisible();
    expect(outside.bodies('connections.save')[0]).not.toHaveProperty('apiKey');
  });

  test('tested, it shows the account behind its key', async () => {
    options([connection()], {}, { pictures: false });
    await button('Test connection').click();
    await expect.element(page.getByText('Ada Orbit')).toBeVisible();
    await expect.element(page.getByText('€1,204.50 EUR')).toBeVisible();
    await expect.element(page.getByText('May 30, 2021')).toBeVisible();
    const link = page.getByRole('link', { name: 'Facebook' });
    await expect.element(link).toHaveAttribute('href', 'https://facebook.test/orbit');
    await expect.element(link).toHaveAttribute('rel', 'noopener noreferrer');
  });

  test('tested, it shows the exact fault and its next step', async () => {
    options([connection()], {
      'connections.test': () => fail({ kind: 'refused', msg: 'Invalid request', about: 'key' }),
    });
    await button('Test connection').click();
    await expect
      .element(page.getByRole('heading', { name: 'Market does not accept the API key' }))
      .toBeVisible();
    await button('Edit it').click();
    await expect.element(keyField).toBeVisible();
  });

  test('that the browser may not reach says so, and is allowed in one click', async () => {
    const outside = options([connection({ permitted: false })]);
    await expect
      .element(page.getByText(/has not been allowed to reach market\.test/))
      .toBeVisible();
    await button('Allow access').click();
    await expect.poll(() => outside.events).toContain('access to https://market.test/shop');
  });

  test('deleted, it can be brought back', async () => {
    options([connection()]);
    await button('Delete').click();
    await expect.element(page.getByText(/Market was deleted/)).toBeVisible();
    expect(page.getByRole('article').elements()).toHaveLength(1);
    await button('Undo').click();
    await expect.element(page.getByRole('article', { name: 'Market' })).toBeVisible();
  });

  test('moves by keyboard, and the button keeps the focus', async () => {
    const outside = options([connection(), demo, connection({ id: 'c', name: 'Third' })]);
    const down = button('Move down').first();
    await expect.element(down).toBeVisible();
    (down.element() as HTMLElement).focus();
    await userEvent.keyboard('{Enter}');
    await expect
      .poll(() => outside.bodies('connections.reorder'))
      .toEqual([{ ids: ['demo', 'market', 'c'] }]);
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Move down');
    expect(document.activeElement?.closest('article')?.textContent).toContain('Market');
  });

  test('a known-good code settles how its server likes to be asked', async () => {
    const outside = options([connection()], {
      'connections.detect': () =>
        succeed({ ...connection().dialect, encoding: 'json', keyPlacement: 'X-API-Key' }),
    });
    await page.getByText('Find out how its server likes to be asked').click();
    await page.getByLabelText('A code known to be good').fill(' known ');
    await button('Detect').click();
    await expect.element(page.getByText(/Settled: the header X-API-Key, JSON/)).toBeVisible();
    expect(outside.bodies('connections.detect')).toEqual([{ id: 'market', code: 'known' }]);
  });
});

describe('key storage', () => {
  test('a passphrase is asked for twice', async () => {
    const outside = options();
    await page.getByLabelText(/^Under a passphrase/).click();
    const fresh = page.getByLabelText('New passphrase', { exact: true });
    await fresh.fill('correct horse');
    await page.getByLabelText('New passphrase, again').fill('correct house');
    await button('Switch over').click();
    await expect.element(page.getByText('The two are not the same.')).toBeVisible();
    await page.getByLabelText('New passphrase, again').fill('correct horse');
    await button('Switch over').click();
    await expect
      .element(page.getByText('Done: keys are now kept under a passphrase.'))
      .toBeVisible();
    expect(outside.bodies('secrets.set-mode')).toEqual([
      { mode: 'passphrase', passphrase: 'correct horse' },
    ]);
    await button('Lock now').click();
    await expect.element(button('Unlock')).toBeVisible();
  });

  test('a session needs no passphrase', async () => {
    const outside = options();
    await page.getByLabelText(/^For this session only/).click();
    await button('Switch over').click();
    await expect.poll(() => outside.bodies('secrets.set-mode')).toEqual([{ mode: 'session' }]);
  });

  test('what is wrong with a passphrase is said', async () => {
    options([], { 'secrets.set-mode': () => fail({ kind: 'passphrase-too-short', least: 8 }) });
    await page.getByLabelText(/^Under a passphrase/).click();
    await page.getByLabelText('New passphrase', { exact: true }).fill('short');
    await page.getByLabelText('New passphrase, again').fill('short');
    await button('Switch over').click();
    await expect.element(page.getByText('At least 8 characters, please.')).toBeVisible();
  });
});

describe('appearance and privacy', () => {
  test('a chosen theme is taken at once, and kept', async () => {
    const outside = options();
    await page.getByRole('radio', { name: 'Dark' }).click();
    await expect.poll(() => document.documentElement.dataset['theme']).toBe('dark');
    expect(outside.written.at(-1)).toMatchObject({ theme: 'dark' });
  });

  test('pictures and masking are switches', async () => {
    const outside = options();
    await page.getByRole('switch', { name: 'Show pictures' }).click();
    await expect.poll(() => outside.written.at(-1)).toMatchObject({ pictures: false });
    await page.getByRole('switch', { name: 'Mask codes in copies' }).click();
    await expect.poll(() => outside.written.at(-1)).toMatchObject({ maskCodes: false });
  });
});

describe('the settings file', () => {
  test('an import says what came of it', async () => {
    options([], { 'settings.import': () => succeed({ added: 2, changed: 1 }) });
    const input = page.elementLocator(document.querySelector('input[type=file]') ?? document.body);
    await input.upload(new File(['{}'], 'settings.json', { type: 'application/json' }));
    await expect.element(page.getByText('2 new, 1 changed.')).toBeVisible();
  });

  test('an import that cannot be read says what in it', async () => {
    options([], {
      'settings.import': () => fail({ kind: 'unreadable', path: 'connections.0.name' }),
    });
    const input = page.elementLocator(document.querySelector('input[type=file]') ?? document.body);
    await input.upload(new File(['{}'], 'settings.json', { type: 'application/json' }));
    await expect.element(page.getByText(/“connections.0.name” in this file/)).toBeVisible();
  });
});
