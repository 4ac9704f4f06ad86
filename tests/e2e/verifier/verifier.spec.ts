import type { Page } from '@playwright/test';

import { accessibilityProblems } from '#tests/support/accessibility';
import { pinKeyQuietly } from '#tests/support/authority';
import { createTestAuthority, installationState, textFile } from '#tests/support/license-files';
import { listen } from '#tests/support/listener';
import { expect, test as base } from '#tests/support/extension';
import { networkLeft } from '#tests/support/outward-channels';
import {
  badgeOf,
  checkRow,
  chooseFiles,
  dropFiles,
  enterKey,
  expectStanding,
  headlineOf,
  pinKey,
  resultOf,
} from '#tests/support/pages/verifier-page';
import { savedText } from '#tests/support/pages/downloads';
import { workByKeyboard } from '#tests/support/pages/verifier-keyboard';

const authority = createTestAuthority();
const state = installationState(authority);
const day = 24 * 60 * 60 * 1000;

const test = base.extend({
  /** The verifier's page, with the key of the authority pinned. */
  page: async ({ extension }, use) => {
    await pinKeyQuietly(extension, authority.publicKey);
    await use(await extension.open('verifier.html'));
  },
});

/** Saves the report of the only result, by its menu. */
async function savedReport(page: Page, way: string): Promise<string> {
  await page.getByRole('button', { name: 'Save or print the report' }).click();
  return savedText(page, page.getByRole('menuitem', { name: way }));
}

// The last file: its tests are shared out, so that no worker is left alone with them.
test.describe.configure({ mode: 'parallel' });

test('a file dropped on the extension’s page is judged with no network, and keys survive a restart', async ({
  extension,
}) => {
  const before = await extension.open('verifier.html');
  await pinKey(before, authority.publicKey);
  await test.step('a clock that was turned back is believed again on the agent’s word alone', async () => {
    await before.clock.setFixedTime(Date.now() + 60 * day);
    await chooseFiles(before, ['one.json', state]);
    await expectStanding(before, 'one.json', 'denied');
    await before.clock.setFixedTime(Date.now());
    await chooseFiles(before, ['two.json', state]);
    const result = resultOf(before, 'two.json');
    await expect(result).toHaveAttribute('data-standing', 'denied');
    await expect(checkRow(before, 'clock')).toHaveAttribute('data-outcome', 'warn');
    await result.getByRole('button', { name: 'My clock was wrong' }).click();
    await expect(result).toHaveAttribute('data-standing', 'activated');
  });

  await extension.restart();
  await extension.now.context.setOffline(true);
  const page = await extension.open('verifier.html');
  await dropFiles(page, [{ name: 'installation.json', text: state }]);
  await expectStanding(page, 'installation.json', 'activated');
  await expect(headlineOf(page, 'installation.json')).toContainText(
    'Genuine, active on shop.example.com',
  );
  await expect(resultOf(page, 'installation.json')).toContainText('Checks in again in 3 days');
});

test('without a key a file is still opened, marked as not verified, with the one next step; with it there is a reply, shown before it is copied, and the purchase that a license names is checked with its code alone', async ({
  extension,
}) => {
  await extension.now.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const code = '86781236-23d0-4b3c-7dfa-c1c147e0dece';
  const license = authority.sign({
    license_id: 'LIC-1',
    product_slug: 'orbit-crm',
    purchase_code: code,
  });
  const page = await extension.open('verifier.html');
  const check = page.getByRole('button', { name: 'Check this purchase' });
  await chooseFiles(page, ['one.lic', license]);
  await expect(resultOf(page, 'one.lic')).toHaveAttribute('data-standing', 'unverified');
  await expect(check).toHaveCount(0);

  await page.reload();
  await page.getByLabel('License text').fill(state);
  const result = page.locator('[data-standing]');
  const button = result.getByRole('button', { name: 'Copy reply' });
  await expect(result).toHaveAttribute('data-standing', 'unverified');
  await expect(result).toContainText('Not verified: no key is pinned yet');
  await expect(result.getByRole('row', { name: /License id/ }).first()).toContainText('LIC-00001');
  await expect(result.getByText('not verified', { exact: true }).first()).toBeVisible();
  await expect(button).toBeDisabled();
  await expect(button).toHaveAccessibleDescription(/until a key is pinned/);
  await result.getByRole('button', { name: 'Go to pinned keys' }).click();
  await expect(page.getByLabel('Public key')).toBeFocused();
  await page.keyboard.insertText(authority.publicKey);
  await page.getByRole('button', { name: 'Pin key' }).click();
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(result).toHaveAttribute('data-standing', 'activated');

  await test.step('the reply; there is none about another time', async () => {
    await expect(button).toBeEnabled();
    await result.getByRole('button', { name: 'Preview' }).click();
    await result.getByRole('menuitem', { name: 'Preview' }).click();
    const shown = await result.locator('[data-reply]').innerText();
    await button.click();
    await expect(result.getByText('Copied', { exact: true })).toBeAttached();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(shown);
    expect(await accessibilityProblems(page)).toEqual([]);

    await result.getByRole('slider', { name: 'And at this time?' }).press('End');
    await expect(result).toHaveAttribute('data-standing', 'denied');
    await expect(button).toBeDisabled();
    await expect(button).toHaveAccessibleDescription(/the timeline is not set to now/);
  });

  await page.reload();
  await chooseFiles(page, ['one.lic', license]);
  await expect(page.getByText('sends this code, and nothing else')).toBeVisible();
  const [opened] = await Promise.all([extension.now.context.waitForEvent('page'), check.click()]);
  await expect(opened.getByLabel('Purchase code')).toHaveValue(code);
  expect(opened.url()).toMatch(/\/sidepanel\.html$/u);
  await page.bringToFront();
});

test('a file is judged beside what the ticket and the agent say, by the keys that are pinned', async ({
  page,
}) => {
  await test.step('the page and its workers cannot call out, though the extension’s worker may', async () => {
    const outside = await listen();
    await chooseFiles(page, ['one.json', state]);
    await expectStanding(page, 'one.json', 'activated');
    const callOut = async (address: string): Promise<string> => {
      try {
        await fetch(address, { mode: 'no-cors' });
        return 'went out';
      } catch (error) {
        return String(error);
      }
    };
    expect(await page.evaluate(callOut, outside.origin)).toMatch(/^TypeError/);
    expect(page.workers().length).toBeGreaterThan(0);
    for (const worker of page.workers()) {
      expect(await worker.evaluate(networkLeft)).toEqual([]);
      expect(await worker.evaluate(callOut, outside.origin)).toMatch(/^(?:Type|Reference)Error/);
    }
    expect(outside.requests).toEqual([]);
    await outside.close();
  });

  await page.reload();
  await test.step('what the ticket says is compared, and a mismatch leads the headline', async () => {
    await chooseFiles(page, ['one.json', state]);
    const check = (name: string) => checkRow(page, name);
    await expect(check('domain')).toHaveAttribute('data-outcome', 'pass');
    await page.getByLabel('Domain').fill('www.shop.example.com');
    await expect(check('domain')).toHaveAttribute('data-outcome', 'fail');
    await expect(check('domain')).toContainText('www.');
    await expect(headlineOf(page, 'one.json')).toContainText(
      'Bound to shop.example.com, not to www.shop.example.com',
    );
    const card = resultOf(page, 'one.json').locator('article');
    await expect(card).toHaveAttribute('data-tone', 'bad');
    await expect(card).toContainText('One of them begins with “www.”.');
    await expect(card).toContainText('Apart from that: Genuine, active on shop.example.com.');
    // A good standing never stands beside a red headline.
    await expect(badgeOf(page, 'one.json')).toHaveText('Wrong domain');
    await expect(badgeOf(page, 'one.json')).toHaveAttribute('data-tone', 'bad');
    await expect(page.locator('[data-standing]')).toHaveAttribute('data-standing', 'activated');
    await page.getByLabel('Domain').fill('https://SHOP.example.com:443/checkout');
    await expect(check('domain')).toHaveAttribute('data-outcome', 'pass');
    await page.getByLabel('Product').fill('moon-cms');
    await expect(check('product')).toHaveAttribute('data-outcome', 'warn');
    await page.getByLabel('Installation id').fill('6F1B3C0E-0000-4000-8000-000000000001');
    await expect(check('installation')).toHaveAttribute('data-outcome', 'pass');
  });

  await page.reload();
  await test.step('what the ticket says is cleared for another customer’s file, and can be put back', async () => {
    await chooseFiles(page, ['installation.json', state]);
    const domain = page.getByLabel('Domain');
    await domain.fill('www.shop.example.com');
    await expect(page.getByText('Wrong domain')).toBeVisible();
    const other = { number: 5, domain: 'other.example.com' };
    await chooseFiles(page, ['other.json', installationState(authority, other)]);
    await expect(badgeOf(page, 'other.json')).toHaveText('Active');
    await expect(domain).toHaveValue('');
    await page.getByRole('button', { name: 'Put back' }).click();
    await expect(domain).toHaveValue('www.shop.example.com');
    await expect(badgeOf(page, 'other.json')).toHaveText('Wrong domain');
  });

  await page.reload();
  await test.step('a document that names a key which is not pinned is not called false', async () => {
    const other = createTestAuthority();
    const license = other.sign({ license_id: 'LIC-9', kid: '50b7a1f2c3d4e5f6' });
    await chooseFiles(page, ['rotated.lic', license]);
    const result = resultOf(page, 'rotated.lic');
    await expect(result).toHaveAttribute('data-standing', 'unverified');
    await expect(result.locator('article')).toHaveAttribute('data-tone', 'note');
    await expect(headlineOf(page, 'rotated.lic')).toContainText(
      'signed with key 50b7…, which is not pinned here',
    );
    await expect(result).not.toContainText('Not genuine');
    await result.getByRole('button', { name: 'Go to pinned keys' }).click();
    await expect(page.getByLabel('Public key')).toBeFocused();
  });

  await page.reload();
  await test.step('grace on the file’s own word says whose word it is', async () => {
    const text = installationState(authority, { shift: -5 * day });
    const due = JSON.parse(text) as object;
    const contact = { at: new Date().toISOString(), outcome: 'unreachable' };
    await chooseFiles(page, ['grace.json', JSON.stringify({ ...due, last_contact: contact })]);
    await expectStanding(page, 'grace.json', 'grace');
    await expect(headlineOf(page, 'grace.json')).toContainText('on the customer’s word alone');
    await page.getByLabel('The license server could not be reached').check();
    await expect(headlineOf(page, 'grace.json')).not.toContainText('on the customer’s word alone');
    await page.getByLabel('The license server could not be reached').uncheck();
    await chooseFiles(page, ['due.json', text]);
    await expectStanding(page, 'due.json', 'validation-due');
    await page.getByLabel('The license server could not be reached').check();
    await expectStanding(page, 'due.json', 'grace');
  });

  await page.reload();
  await test.step('reply and report hold nothing that a forged document says', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const forged = installationState(createTestAuthority(), { domain: 'forged.example' });
    await chooseFiles(page, ['forged.json', forged]);
    const result = resultOf(page, 'forged.json');
    await expect(result).toHaveAttribute('data-standing', 'unverified');
    // This device's clock rests on no document.
    await expect(
      result.locator('[data-check][data-outcome="pass"]:not([data-check="clock"])'),
    ).toHaveCount(0);
    for (const name of ['Copy reply', 'Copy report']) {
      await result.getByRole('button', { name }).click();
      const clipboard = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText());
      await expect
        .poll(clipboard)
        .toContain(name === 'Copy reply' ? 'We could not verify' : 'No pinned key matches');
      const copied = await clipboard();
      expect(copied).not.toMatch(/forged\.example|LIC-00001|orbit/);
    }
    const saved = await savedReport(page, 'As JSON');
    const { inspection } = JSON.parse(saved) as { inspection: Record<string, unknown> };
    expect(JSON.stringify([inspection['license'], inspection['certificate']])).not.toMatch(
      /forged\.example|LIC-00001|orbit/,
    );
  });

  await page.reload();
  await test.step('a license and its certificate in files of their own are read together; bad input gets a sentence each and harms no other', async () => {
    const { license, activation_certificate: certificate } = JSON.parse(state) as Record<
      string,
      string
    >;
    await chooseFiles(page, ['mine.lic', license ?? ''], ['mine.cert', certificate ?? '']);
    await expectStanding(page, 'mine.lic + mine.cert', 'activated');
    await expect(checkRow(page, 'certificate-matches-license')).toHaveAttribute(
      'data-outcome',
      'pass',
    );
    const file = (name: string, content: string | Buffer) => ({
      name,
      mimeType: '',
      buffer: Buffer.from(content),
    });
    await page
      .locator('input[type=file]')
      .setInputFiles([
        file('empty.lic', ''),
        file(
          'image.png',
          Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]),
        ),
        file('archive.zip', Buffer.from([0x50, 0x4b, 3, 4, 20, 0, 0, 0])),
        file('large.txt', 'x'.repeat(256 * 1024 + 1)),
        file('deep.json', '{"a":'.repeat(1000) + '1' + '}'.repeat(1000)),
        file('\u202Egnp.lic', 'not a license'),
        file('code.txt', 'My code is 86781236-23d0-4b3c-7dfa-c1c147e0dece, thanks'),
        file('good.json', state),
      ]);
    const says = async (name: string, sentence: string): Promise<void> => {
      await expect(resultOf(page, name)).toContainText(sentence);
    };
    await says('good.json', 'Genuine, active on shop.example.com');
    await says('empty.lic', 'This file is empty');
    await says('image.png', 'This is a picture.');
    await says('archive.zip', 'This is a zip archive.');
    await says('large.txt', 'This file is too large to hold a license');
    await says('deep.json', 'nested too deeply');
    await says('⟨U+202E⟩gnp.lic', 'There is no license in this');
    await says('code.txt', 'This looks like a purchase code.');
    await expect(page.getByRole('button', { name: 'Check purchase code' })).toBeVisible();
  });
});

test('by keyboard alone: pin a key, paste, ask about another time, copy the reply', async ({
  extension,
}) => {
  await extension.now.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const page = await extension.open('verifier.html');
  const reply = await workByKeyboard(page, authority.publicKey, state);
  // A word joiner keeps a mail program from making the domain a link.
  expect(reply.replaceAll('\u200C', '')).toMatch(
    /^Hello,\n\nThank you for the file. It is genuine: orbit-crm is active on shop.example.com./,
  );
});

test('a thousand files: progress, cancel, then all of them, found, filtered and saved', async ({
  page,
}) => {
  const files = Array.from({ length: 1000 }, (_, number) =>
    textFile(
      `site-${String(number).padStart(4, '0')}.json`,
      installationState(authority, {
        number,
        domain: `site-${String(number)}.example.com`,
        shift: number % 10 === 0 ? -60 * day : 0,
      }),
    ),
  );
  const chosen = page.locator('input[type=file]');
  // Enough of them to be stopped on the way.
  await dropFiles(page, [{ name: 'same.json', text: state }], 8000);
  await expect(page.getByRole('progressbar')).toBeVisible();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('heading', { name: 'Canceled' })).toBeVisible();
  await expect(page.getByText(/^[\d,]+ of 8,000$/)).toBeVisible();

  await chosen.setInputFiles(files);
  await expect(page.getByRole('heading', { name: '1,000 documents' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Active 900' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Stopped 100' })).toBeVisible();
  expect(await page.locator('[role=row]').count()).toBeLessThan(80);

  await page.getByRole('button', { name: 'Stopped 100' }).click();
  await expect(page.getByRole('grid')).toHaveAttribute('aria-rowcount', '101');
  await page.getByRole('button', { name: 'Stopped 100' }).click();
  await page.getByRole('searchbox').fill('site-777.example');
  await expect(page.getByRole('grid')).toHaveAttribute('aria-rowcount', '2');
  await page.getByRole('grid').focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog').locator('[data-standing]')).toHaveAttribute(
    'data-standing',
    'activated',
  );
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('searchbox').fill('');

  const csv = await savedText(page, page.getByRole('button', { name: 'CSV' }));
  expect(csv.trim().split('\r\n')).toHaveLength(1001);
  expect(csv).toContain('site-0777.json,activated,"Genuine, active on site-777.example.com.');

  await page.reload();
  await test.step('one file with a token on each line is a list, its lines found in a worker', async () => {
    const lines = Array.from({ length: 2000 }, (_, number) =>
      authority.sign({ license_id: `LIC-${String(number)}`, product_slug: 'orbit-crm' }),
    );
    lines[1234] = 'garbage';
    await chooseFiles(page, ['tokens.txt', lines.join('\r\n')]);
    await expect(page.getByText('2,000 documents')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Not activated 1,999' })).toBeVisible();
    await page.getByRole('searchbox').fill('tokens.txt:1235');
    await page.getByRole('grid').focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog')).toContainText('There is no license in this');
  });
});

test('a private key is refused with a warning, a revoked key counts no more, a removal can be undone', async ({
  page,
}) => {
  await enterKey(
    page,
    '-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC\n-----END PRIVATE KEY-----',
  );
  await expect(page.getByText('This is a private key. It has now been exposed')).toBeVisible();

  await chooseFiles(page, ['one.json', state]);
  const result = resultOf(page, 'one.json');
  await expect(result).toHaveAttribute('data-standing', 'activated');
  await page.getByRole('heading', { name: 'Pinned keys' }).click();
  await page.locator('.key-row summary').click();
  await page.getByRole('button', { name: 'Revoke' }).click();
  await expect(result).toHaveAttribute('data-standing', 'unverified');
  await expect(checkRow(page, 'key-status')).toHaveAttribute('data-outcome', 'fail');

  // Bringing the same key in again does not make it good.
  await enterKey(page, authority.publicKey);
  await expect(page.getByText('It stays revoked.')).toBeVisible();
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText('Revoked', { exact: true })).toBeVisible();
  await expect(result).toHaveAttribute('data-standing', 'unverified');

  await page.getByRole('button', { name: 'Remove' }).click();
  await expect(result).toContainText('no key is pinned');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('Revoked', { exact: true })).toBeVisible();
});

test('a certificate of another seller’s key is no part of the bundle, until both keys are marked as one authority’s', async ({
  page,
}) => {
  const other = createTestAuthority();
  const mixed = JSON.stringify({
    ...(JSON.parse(state) as object),
    activation_certificate: (
      JSON.parse(installationState(other)) as { activation_certificate: string }
    ).activation_certificate,
  });
  await pinKey(page, other.publicKey);
  await chooseFiles(page, ['mixed.json', mixed]);
  const result = resultOf(page, 'mixed.json');
  await expect(result).toHaveAttribute('data-standing', 'not-activated');
  await expect(result.locator('article')).toHaveAttribute('data-tone', 'warn');
  await expect(result.locator('article')).toContainText('signed with another key');
  await expect(checkRow(page, 'certificate-matches-license')).toHaveAttribute(
    'data-outcome',
    'warn',
  );
  await result.getByRole('button', { name: 'Go to pinned keys' }).click();
  const row = page.locator('.key-row').first();
  await expect(row.locator('summary')).toBeFocused();
  await page.keyboard.press('Enter');
  await row.getByLabel('The same license server as').selectOption({ index: 1 });
  expect(await accessibilityProblems(page)).toEqual([]);
  await row.getByRole('button', { name: 'Save changes' }).click();
  await expect(result).toHaveAttribute('data-standing', 'activated');
  await expect(row.locator('summary')).toContainText('same license server as');
  await page.reload();
  await chooseFiles(page, ['mixed.json', mixed]);
  await expectStanding(page, 'mixed.json', 'activated');
});

test('beside a file the keys are a drawer, what passed is counted and folded, a report is saved, and a print is one clean page', async ({
  extension,
}) => {
  const page = await extension.open('verifier.html');
  await expect(page.getByLabel('Public key')).toBeVisible();
  await pinKey(page, authority.publicKey);
  await chooseFiles(page, ['one.json', state]);
  await expectStanding(page, 'one.json', 'activated');
  const report = await savedReport(page, 'Save report');
  expect(report).toMatch(/^# Genuine, active on shop/);
  const json = await savedReport(page, 'As JSON');
  expect(JSON.parse(json)).toMatchObject({ format: 'counterfoil-report', version: 1 });
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('button', { name: 'Copy reply' })).toBeHidden();
  await expect(page.getByRole('heading', { name: 'Pinned keys' })).toBeHidden();
  const pdf = (await page.pdf({ format: 'A4' })).toString('latin1');
  expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
  await page.emulateMedia({ media: null });
  await expect(page.getByLabel('Public key')).toBeHidden();
  await page.getByRole('heading', { name: 'Pinned keys' }).click();
  await expect(page.getByLabel('Public key')).toBeVisible();

  const passed = page.locator('[data-check][data-outcome="pass"]');
  await expect(passed).toHaveCount(13);
  await expect(passed.first()).toBeHidden();
  await page.getByText('13 checks passed').click();
  await expect(passed.first()).toBeVisible();

  await page.getByLabel('Product').fill('Orbit CRM');
  await expect(checkRow(page, 'product')).toHaveAttribute('data-outcome', 'warn');
  await expect(checkRow(page, 'product')).toBeVisible();
  await expect(page.getByText('12 checks passed')).toBeVisible();
  await page.locator('.key-row summary').click();
  await page.getByLabel('Also called').fill('Orbit CRM = orbit-crm');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(checkRow(page, 'product')).toHaveAttribute('data-outcome', 'pass');
});

test('a key that was confirmed without a choice is for neither use until the agent says so', async ({
  extension,
}) => {
  const page = await extension.open('verifier.html');
  await enterKey(page, authority.publicKey);
  await expect(page.getByRole('radio', { checked: true })).toHaveCount(0);
  await page.getByRole('button', { name: 'Confirm' }).click();
  await chooseFiles(page, ['one.json', state]);
  await expectStanding(page, 'one.json', 'activated');
  const result = resultOf(page, 'one.json');
  await expect(result.getByText('Real or test: not specified')).toBeVisible();
  await expect(checkRow(page, 'key-status')).toHaveAttribute('data-outcome', 'warn');
  await result.getByRole('button', { name: 'Test licenses' }).click();
  await expect(result.getByText('Test license', { exact: true })).toBeVisible();
  await expect(checkRow(page, 'key-status')).toHaveAttribute('data-outcome', 'pass');
});
