import { recentChecksName } from '#adapters/storage/kept-answers';
import { sampleCodes } from '#sandbox/seed/sample-codes';
import { checkCode } from '#scripts/running/agent';
import { expect, test } from '#tests/support/connected';
import { storedText } from '#tests/support/traces';
import { connectionChoice } from '#tests/support/pages/popup-page';
import {
  deleteFirstConnection,
  editConnection,
  saveConnection,
} from '#tests/support/pages/options-page';
import { savedText } from '#tests/support/pages/downloads';

const { supported, lapsed } = sampleCodes('/demo');

test('what is changed on the options page counts in the popup at once; a link to a section of it opens its page there', async ({
  connected,
  extension,
  sandbox,
}) => {
  const popup = await connected('/demo', '/market');
  const options = await extension.open('options.html');
  await test.step('connections are listed in the order the agent gives them', async () => {
    const titles = options.locator('article h3');
    await options.getByRole('button', { name: 'Move down' }).first().click();
    await expect(titles).toHaveText(['market', 'demo']);
    await popup.reload();
    const listed = connectionChoice(popup).getByRole('option');
    await expect(listed).toHaveText(['market', 'demo', 'All']);
    await deleteFirstConnection(options);
    await expect(titles).toHaveText(['demo']);
    await popup.reload();
  });

  await test.step('with pictures switched off, no picture is asked for', async () => {
    await options.getByRole('switch', { name: 'Show pictures' }).uncheck();
    await popup.reload();
    await sandbox.reset();
    await checkCode(popup, lapsed);
    await expect(popup.locator('[data-verdict] h3')).toBeVisible();
    const asked = await sandbox.requests();
    expect(asked.filter(({ path }) => path.startsWith('/media/'))).toEqual([]);
  });

  await test.step('a changed connection forgets the replies that were kept for it, and one that is deleted can be brought back, key and all', async () => {
    await checkCode(popup, supported);
    expect((await storedText(options))['storage.session']).toContain(supported);
    await editConnection(options);
    await options.getByLabel('Name', { exact: true }).fill('Fenwick & daughters');
    await saveConnection(options);
    const heading = options.getByRole('heading', { name: 'Fenwick & daughters', exact: true });
    await expect(heading).toBeVisible();
    const { [recentChecksName]: recentChecks, ...cached } = await options.evaluate(() =>
      chrome.storage.session.get(),
    );
    expect(JSON.stringify(cached)).not.toContain(supported);
    // What the agent has seen stays seen.
    expect(JSON.stringify(recentChecks)).toContain(supported);

    await deleteFirstConnection(options);
    await expect(options.getByText('Fenwick & daughters and its key were deleted')).toBeVisible();
    await expect(heading).toBeHidden();
    await options.getByRole('button', { name: 'Undo' }).click();
    await expect(heading).toBeVisible();
    expect(await checkCode(popup, supported)).toMatchObject({ verdict: 'supported' });
  });

  await test.step('another path of the same host asks for the key', async () => {
    await editConnection(options);
    await options.getByLabel('Base address', { exact: true }).fill(`${sandbox.origin}/market`);
    await expect(options.getByText('so the key must be entered again')).toBeVisible();
    await options.getByRole('button', { name: 'Save', exact: true }).click();
    const key = options.getByLabel('API key', { exact: true });
    await expect(key).toHaveAttribute('aria-invalid', 'true');
    await key.fill(sandbox.keys['/market']);
    await saveConnection(options);
    expect(await checkCode(popup, sampleCodes('/market').supported)).toMatchObject({
      verdict: 'supported',
    });
  });

  await test.step('a link to a section opens its page there, and the sidebar marks that page', async () => {
    for (const [section, title, page, heading] of [
      ['key-storage', 'Key storage', 'You', 'Settings'],
      ['diagnostics', 'Diagnostics and erasing', 'You', 'Settings'],
      ['authorities', 'License servers', 'Team setup', 'Team setup'],
      ['file', 'Settings file', 'Team setup', 'Team setup'],
    ] as const) {
      const opened = await extension.open(`options.html#${section}`);
      await expect(opened.getByRole('heading', { name: heading, level: 1 })).toBeVisible();
      await expect(opened.getByRole('heading', { name: title, level: 2 })).toBeInViewport();
      await expect(opened.getByRole('navigation').locator('[aria-current="page"]')).toHaveText(
        page,
      );
      await opened.close();
    }
  });
});

test('Detect settles how a server likes to be asked, and an imported file puts no stored key into a query, and the page says so', async ({
  extension,
  sandbox,
}) => {
  const options = await extension.open('options.html');
  for (const base of ['/dialect/header-only', '/dialect/bearer-only'] as const) {
    const name = base.replace('/dialect/', '');
    const { baseAddress, apiKey } = sandbox.connection(base, name);
    await options.getByRole('button', { name: 'Add connection' }).first().click();
    await options.getByLabel('Name', { exact: true }).fill(name);
    await options.getByLabel('Base address', { exact: true }).fill(baseAddress);
    await options.getByLabel('API key', { exact: true }).fill(apiKey);
    await options.getByRole('button', { name: 'Save', exact: true }).click();
    // Asked in the usual way, the server takes the key for a wrong one: the form opens again.
    await expect(options.getByText(/may read it from another place/)).toBeVisible();
    await options.getByText('Advanced: how this server expects requests').click();
    await options.getByLabel('A code known to be good').fill(sampleCodes(base).supported);
    await options.getByRole('button', { name: 'Detect' }).click();
    await expect(options.getByText(/^Found: the header/)).toBeVisible();
    await options.getByRole('button', { name: 'Cancel' }).click();
  }
  const popup = await extension.open('popup.html');
  await connectionChoice(popup).selectOption('header-only');
  expect(await checkCode(popup, sampleCodes('/dialect/header-only').lapsed)).toMatchObject({
    verdict: 'lapsed',
  });
  const expectKeyInHeader = async (code: string): Promise<void> => {
    const sent = (await sandbox.requests())
      .filter(({ path }) => path.startsWith('/dialect/header-only/'))
      .map(({ body, query }) => body + query)
      .filter((text) => text.includes(code));
    expect(sent).toHaveLength(1);
    expect(sent.join()).not.toContain(sandbox.keys['/dialect/header-only']);
  };
  await expectKeyInHeader(sampleCodes('/dialect/header-only').lapsed);

  await options.getByRole('link', { name: 'Team setup' }).click();
  const file = await savedText(options, options.getByRole('button', { name: 'Export' }));
  await options.locator('input[type=file]').setInputFiles({
    name: 'counterfoil-settings.json',
    mimeType: 'application/json',
    buffer: Buffer.from(file.replaceAll('X-API-Key', 'parameter')),
  });
  await expect(options.getByText('Everything in this file is already here.')).toBeVisible();
  await expect(options.getByText(/keeps sending its key in a header/).first()).toBeVisible();
  const { noSupport } = sampleCodes('/dialect/header-only');
  expect(await checkCode(popup, noSupport)).toMatchObject({ verdict: 'no-support' });
  await expectKeyInHeader(noSupport);
});
