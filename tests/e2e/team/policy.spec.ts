import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Page } from '@playwright/test';

import { sampleCodes } from '#sandbox/seed/sample-codes';
import { checkCode } from '#scripts/running/agent';
import { type Extension, grantHosts, launchExtension, openPage } from '#scripts/running/extension';
import { expect, fewerProcesses, test as base } from '#tests/support/extension';
import { chromiumPolicy, type PolicyFile, whyNoChromiumPolicy } from '#tests/support/policy-files';

const { supported } = sampleCodes('/demo');
const passphrase = 'correct horse battery';
const rfcKey = 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a';
const rfcFingerprint = '21fe31dfa154a261626bf854046fd2271b7bed4b6abe45aa58877ef47f9721b9';

interface Managed {
  readonly policy: PolicyFile;
  /** Starts a browser whose administrator has set this; closes it before where it is open. */
  start(settings: unknown): Promise<Extension>;
}

/** A Chromium with a real policy file. Machine-wide, but for an id of its own: other browsers take no notice. */
const test = base.extend<{ managed: Managed }>({
  managed: async ({ chromium }, use) => {
    const why = whyNoChromiumPolicy();
    base.skip(why !== undefined, why);
    const profile = await mkdtemp(join(tmpdir(), 'counterfoil-'));
    const policy = await chromiumPolicy();
    let running: Extension | undefined;
    try {
      const { build } = policy;
      await grantHosts(profile, ['http://127.0.0.1/*'], build);
      await use({
        policy,
        async start(settings) {
          await policy.write(settings);
          await running?.context.close();
          const options = { executablePath: chromium, headless: true, build, args: fewerProcesses };
          running = await launchExtension(profile, options);
          return running;
        },
      });
    } finally {
      await policy.remove();
      await running?.context.close();
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    }
  },
});

const policyOf = (parts: object): string =>
  JSON.stringify({ format: 'counterfoil-settings', version: 2, ...parts });
const cardOf = (options: Page, name: string) => options.getByRole('article', { name, exact: true });

/** Enters the agent's key at a connection of the policy. */
async function enterKey(options: Page, name: string, apiKey: string): Promise<void> {
  await cardOf(options, name).getByRole('button', { name: 'Enter your key' }).click();
  await expect(options.getByLabel('Base address', { exact: true })).toHaveAttribute('readonly');
  await options.getByLabel('API key', { exact: true }).fill(apiKey);
  await options.getByRole('button', { name: 'Save', exact: true }).click();
}

test('with a policy file an agent enters a passphrase and a key, and checks a code; a file that changes is followed', async ({
  managed,
  sandbox,
}) => {
  const { name, baseAddress, apiKey } = sandbox.connection('/demo', 'Fenwick');
  const connection = { id: 'fenwick', name, baseAddress };
  const extension = await managed.start(
    policyOf({
      connections: [connection],
      sites: [{ origin: 'https://desk.example', automatic: true }],
      keys: [{ label: 'Theirs', raw: rfcKey, fingerprint: rfcFingerprint, kind: 'live' }],
      keyStorage: { mode: 'passphrase', lockAfterMinutes: 7 },
      privacy: {
        pictures: false,
        maskCodes: true,
        selectionAtOnce: true,
        history: { days: 5, codes: 'masked', tickets: false, goesWithConnection: true },
      },
    }),
  );
  const options = await openPage(extension, 'options.html');
  await expect(options.getByText('Your organization has set some of these settings')).toBeVisible();
  const card = cardOf(options, name);
  await expect(card.getByText('Set by your organization')).toBeVisible();
  await expect(card.getByRole('button', { name: 'Delete' })).toHaveCount(0);
  await expect(options.getByRole('switch', { name: 'Show pictures' })).toBeDisabled();
  await expect(options.getByRole('switch', { name: 'Show pictures' })).not.toBeChecked();
  await expect(options.getByText('https://desk.example')).toBeVisible();
  await expect(options.getByRole('button', { name: 'Remove https://desk.example' })).toHaveCount(0);

  await enterKey(options, name, apiKey);
  await expect(
    options.getByText('Your organization has set how keys are stored. Change it'),
  ).toBeVisible();
  await options.getByRole('button', { name: 'Cancel' }).click();
  await options.getByLabel('New passphrase', { exact: true }).fill(passphrase);
  await options.getByLabel('New passphrase, again').fill(passphrase);
  await options.getByRole('button', { name: 'Use this' }).click();
  await expect(options.getByRole('combobox', { name: 'Lock after' })).toHaveValue('7');
  await enterKey(options, name, apiKey);
  await expect(card.locator('[data-connection-test] article')).toBeVisible();

  const popup = await openPage(extension, 'popup.html');
  await checkCode(popup, supported);
  await expect(popup.locator('[data-verdict="supported"]')).toBeVisible();

  const verifier = await openPage(extension, 'verifier.html');
  const key = verifier.locator('.key-row', { hasText: 'Theirs' });
  await key.locator('summary').click();
  await expect(key.getByText('Set by your organization')).toBeVisible();
  await expect(key.getByRole('button')).toHaveCount(0);

  const desk = await openPage(extension, 'desk.html#/history');
  await desk.getByRole('button', { name: 'History settings' }).click();
  await expect(desk.getByRole('switch').first()).toBeDisabled();

  await test.step('a policy file that changes is followed: refused by its path, in force again, and gone', async () => {
    const careless = 'canary-key-of-a-careless-lead';
    await managed.policy.write(policyOf({ connections: [{ ...connection, apiKey: careless }] }));
    const alert = options.locator('[data-fault="holds-secret"]');
    await expect(alert).toContainText('connections.0.apiKey', { timeout: 60_000 });
    await expect(alert).toContainText('stays in force');
    await expect(card).toBeVisible();
    expect(
      JSON.stringify(await extension.worker.evaluate(() => chrome.storage.local.get())),
    ).not.toContain(careless);

    const second = { id: 'second', name: 'Second', baseAddress };
    await managed.policy.write(policyOf({ connections: [connection, second] }));
    await expect(cardOf(options, 'Second')).toBeVisible({ timeout: 60_000 });
    await expect(alert).toHaveCount(0);

    await managed.policy.write('');
    await expect(options.getByText('Connect your marketplace')).toBeVisible({ timeout: 60_000 });
    await expect(options.getByText('Set by your organization')).toHaveCount(0);
  });

  await test.step('a value that is no text is withheld by Chromium, so that nothing is set', async () => {
    const later = await managed.start({ format: 'counterfoil-settings', version: 2 });
    const page = await openPage(later, 'options.html');
    await expect(page.getByText('Connect your marketplace')).toBeVisible();
    await expect(page.getByText('Your organization')).toHaveCount(0);
  });
});
