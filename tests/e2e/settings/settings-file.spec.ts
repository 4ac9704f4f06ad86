import type { Page } from '@playwright/test';

import { placeOf } from '#core/marketplaces/index';
import { checkCode } from '#scripts/running/agent';
import { emulations } from '#sandbox/marketplaces/marketplaces';
import { sampleCodes } from '#sandbox/seed/sample-codes';
import { expect, sampleFile, test } from '#tests/support/authority';
import { savedText } from '#tests/support/pages/downloads';
import { marketplaceDraft } from '#tests/support/marketplaces';
import { chooseFiles, resultOf } from '#tests/support/pages/verifier-page';
import { addConnectionQuietly, withQuietPage } from '#tests/support/quiet-page';
import { storedText } from '#tests/support/traces';

const { supported } = sampleCodes('/demo');
const places = ['easy-digital-downloads', 'freemius'] as const;

/** What the browser has allowed, and where the ticket script runs. */
function granted(options: Page): Promise<{ origins: string[]; scripts: number }> {
  return options.evaluate(async () => ({
    origins: (await chrome.permissions.getAll()).origins ?? [],
    scripts: (await chrome.scripting.getRegisteredContentScripts()).length,
  }));
}

test('the settings of a team go into a file, everything is erased, and the file brings them back', async ({
  authority,
  verifier,
  extension,
  sandbox,
}) => {
  await withQuietPage(extension.now, async (quiet) => {
    await addConnectionQuietly(quiet, sandbox.connection('/demo', 'Fenwick'));
    for (const id of places) await quiet.ask('connections.save', marketplaceDraft(sandbox, id));
    await quiet.ask('sites.allow', { origin: sandbox.origin });
  });
  const options = await extension.open('options.html');
  await options.getByRole('switch', { name: 'Show pictures' }).uncheck();
  const [popup, panel] = [
    await extension.open('popup.html'),
    await extension.open('sidepanel.html'),
  ];
  for (const page of [popup, panel]) {
    await checkCode(page, supported);
    await expect(page.locator('[data-verdict="supported"]')).toBeVisible();
  }
  const desk = await extension.open('desk.html#/history');
  await expect(desk.getByRole('row').nth(1)).toBeVisible();
  await chooseFiles(verifier, ['state.json', await sampleFile(authority, 'activated-bundle.json')]);
  await expect(resultOf(verifier, 'state.json')).toBeVisible();

  await options.getByRole('link', { name: 'Team setup' }).click();
  const file = await savedText(options, options.getByRole('button', { name: 'Export' }));
  for (const key of [sandbox.keys['/demo'], ...places.map((id) => sandbox.tokens[`/${id}`].whole)])
    expect(file).not.toContain(key);
  expect(await granted(options)).toMatchObject({ origins: ['http://127.0.0.1/*'], scripts: 1 });

  await options.getByRole('link', { name: 'You', exact: true }).click();
  await options.getByRole('button', { name: 'Erase everything…' }).click();
  await options.getByRole('button', { name: 'Erase everything now' }).click();
  await expect(options.getByText('Connect your marketplace')).toBeVisible();
  await test.step('no open page shows anything after everything was erased', async () => {
    for (const page of [popup, panel]) {
      await expect(page.getByText('Connect your marketplace')).toBeVisible();
      await expect(page.locator('[data-verdict]')).toHaveCount(0);
      await expect(page.getByRole('textbox', { name: 'Purchase code' })).toHaveValue('');
    }
    await expect(verifier.getByText('Until the license server’s key is pinned')).toBeVisible();
    await expect(resultOf(verifier, 'state.json')).toHaveCount(0);
    await expect(desk.getByRole('heading', { name: 'History', level: 1 })).toBeVisible();
    await expect(desk.getByRole('row')).toHaveCount(0);
  });
  expect(await granted(options)).toEqual({ origins: [], scripts: 0 });
  const stored = JSON.stringify(await storedText(options));
  for (const trace of ['Fenwick', supported, sandbox.keys['/demo']])
    expect(stored).not.toContain(trace);
  await expect(options.getByRole('switch', { name: 'Show pictures' })).toBeChecked();

  await options.getByRole('link', { name: 'Team setup' }).click();
  await options.locator('input[type=file]').setInputFiles({
    name: 'counterfoil-settings.json',
    mimeType: 'application/json',
    buffer: Buffer.from(file),
  });
  const preview = options.getByRole('region', { name: 'This import will change' });
  await expect(preview).toContainText('3 new: Fenwick');
  await expect(preview).toContainText('Show pictures: off');
  await expect(preview).toContainText('to be confirmed by their fingerprints: Sandbox');
  await preview.getByRole('button', { name: 'Import this' }).click();
  await expect(options.getByText('Imported.', { exact: true })).toBeVisible();
  await expect(options.getByRole('link', { name: 'Connections: 3' })).toBeVisible();
  await expect(options.getByRole('link', { name: 'Privacy', exact: true })).toBeVisible();
  await expect(options.getByRole('article', { name: 'Sandbox' })).toBeVisible();
  const you = await extension.open('options.html');
  const card = you.getByRole('article', { name: 'Fenwick' });
  await card.getByRole('button', { name: 'Allow access' }).click();
  await expect(card).toContainText('This connection has no API key yet');
  await expect(you.getByRole('switch', { name: 'Show pictures' })).not.toBeChecked();
  await test.step('a shop has its address again, and a product its number', async () => {
    for (const id of places) {
      const { title, store = '' } = emulations[id];
      const edit = you.getByRole('article', { name: title }).getByRole('button', { name: 'Edit' });
      await edit.click();
      const field = you.getByLabel(placeOf(id).store?.label ?? 'Base address', {
        exact: true,
      });
      await expect(field).toHaveValue(store || `${sandbox.origin}/${id}`);
      await you.getByRole('button', { name: 'Cancel' }).click();
    }
  });
  await you.close();

  await expect(verifier.getByText('Until the license server’s key is pinned')).toBeVisible();
  await expect(options.getByText('Is this the license server’s fingerprint?')).toBeVisible();
  await options.getByRole('button', { name: 'Confirm' }).click();
  await expect(options.getByText('Is this the license server’s fingerprint?')).toBeHidden();
  await verifier.reload();
  await expect(verifier.getByText('Sandbox', { exact: true }).first()).toBeVisible();
});
