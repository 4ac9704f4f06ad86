import { generateKeyPairSync } from 'node:crypto';

import type { Page } from '@playwright/test';

import { defaultDialect } from '#core/connections/index';
import { hexOf } from '#core/encoding/index';
import { fingerprintOf, groupedFingerprint } from '#core/keys/index';
import { createOpenIdSignIn } from '#relay/join/openid';
import { sampleCodes } from '#sandbox/seed/sample-codes';
import { checkCode } from '#scripts/running/agent';
import { stopWorker } from '#scripts/running/extension';
import { type OpenIdProvider, openIdProvider } from '#tests/relay/support/openid-provider';
import { type RelayFiles, relayFiles } from '#tests/relay/support/relay';
import { type TwoInstances, startTwoInstances } from '#tests/relay/support/two-instances';
import { createDatabaseAt, startPreparedPostgres } from '#tests/relay/support/prepared-postgres';
import { accessibilityProblems } from '#tests/support/accessibility';
import { expect, test as base } from '#tests/support/extension';
import { createTeamSigner, type TeamPayload, type TeamSigner } from '#tests/support/team-signer';

const codes = sampleCodes('/demo');
const email = 'ada@fenwick.test';

interface Team {
  readonly files: RelayFiles;
  readonly relay: TwoInstances;
  readonly signer: TeamSigner;
  /** Has the relay hand out settings with its connection and these. */
  offer(version: number, settings?: object, change?: Partial<TeamPayload>): Promise<void>;
  /** Returns a new invite link. */
  invite(): Promise<string>;
}

const test = base.extend<{
  team: Team;
  provider: OpenIdProvider | undefined;
  withProvider: boolean;
}>({
  withProvider: [false, { option: true }],

  /** A real OpenID provider, where a test asks for one. */
  provider: async ({ withProvider }, use) => {
    const provider = withProvider ? await openIdProvider() : undefined;
    await use(provider);
    await provider?.close();
  },

  /** A real relay before the sandbox, two instances on PostgreSQL, with one agent. */
  team: async ({ kept, provider, sandbox }, use) => {
    const postgres = await kept('a PostgreSQL', async () => {
      const value = await startPreparedPostgres();
      return { value, end: () => value.stop() };
    });
    const files = relayFiles(await createDatabaseAt(postgres));
    const { baseAddress, apiKey } = sandbox.connection('/demo', 'Fenwick');
    await files.connect('shop', baseAddress, apiKey, '--limit 6000');
    await files.admin(`agents add ${email}`);
    const signIn = provider && createOpenIdSignIn(provider, console.error);
    const relay = await startTwoInstances(files, { signIn });
    provider?.register(`${relay.origin}/relay/v1/join/sign-in/callback`);
    const signer = createTeamSigner();
    const dialect = { ...defaultDialect, keyPlacement: 'Authorization' };
    const shop = { id: 'shop', name: 'Team shop', baseAddress: `${relay.origin}/c/shop`, dialect };
    await use({
      files,
      relay,
      signer,
      offer: async (version, settings = {}, change = {}) => {
        const signed = signer.sign({
          version,
          relay: relay.origin,
          settings: { connections: [shop], ...settings },
          ...change,
        });
        await files.admin('settings set --new-signer', JSON.stringify(signed));
      },
      invite: async () =>
        `${relay.origin}/relay/v1/join#invite=${(await files.admin(`invites add ${email}`)).replace(/^.*#invite=/su, '')}`,
    });
    // Each instance had a part in it.
    expect(relay.served().every((calls) => calls > 0)).toBe(true);
    await relay.stop();
    files.remove();
  },
});

const section = (options: Page) => options.locator('[data-team]');

async function lookUp(options: Page, address: string): Promise<void> {
  await options.getByRole('textbox', { name: 'Relay address or invite link' }).fill(address);
  await options.getByRole('button', { name: 'Look it up' }).click();
}

/** Looks on the other page whether the team's connection is there, and comes back. */
async function expectTeamShop(options: Page, isThere: boolean): Promise<void> {
  await options.getByRole('link', { name: 'You', exact: true }).click();
  const shop = options.getByRole('heading', { name: 'Team shop', exact: true });
  await expect(shop).toHaveCount(isThere ? 1 : 0);
  await options.getByRole('link', { name: 'Team setup' }).click();
  await expect(section(options)).toBeVisible();
}

async function use(options: Page): Promise<void> {
  await options.getByRole('button', { name: 'Use these settings' }).click();
  // The button is gone, so that the focus is led on.
  await expect(options.getByRole('heading', { name: 'You have joined Fenwick' })).toBeFocused();
}

function publicKey(): { raw: string; fingerprint: string } {
  const spki = generateKeyPairSync('ed25519').publicKey.export({ format: 'der', type: 'spki' });
  const bytes = spki.subarray(-32);
  return { raw: hexOf(bytes), fingerprint: fingerprintOf(bytes) };
}

const pinnedKey = ({ raw, fingerprint }: ReturnType<typeof publicKey>, label: string) => ({
  id: fingerprint,
  label,
  raw,
  fingerprint,
  revoked: false,
  kind: 'live',
});

test('an agent joins a team by an invite link, checks codes through its relay, takes over its settings, and leaves it', async ({
  extension,
  sandbox,
  team,
}) => {
  test.setTimeout(400_000);
  const options = await extension.open('options.html#team');
  const opened = (): Promise<Page> => options.context().waitForEvent('page');

  await test.step('what is no relay, and an agent who changes their mind, join nothing', async () => {
    await lookUp(options, sandbox.origin);
    await expect(section(options)).toContainText('does not belong to a Counterfoil relay');
    await lookUp(options, await team.invite());
    await expect(section(options)).toContainText('hands out no settings yet');
    const page = opened();
    await options.getByRole('button', { name: 'Join this team' }).click();
    await (await page).getByRole('button', { name: 'Cancel' }).click();
    await expect(section(options)).toContainText('You did not join');
    expect(await accessibilityProblems(options)).toEqual([]);
  });

  await team.offer(1);
  await options.reload();
  await test.step('by an invite link, with the fingerprint compared, a code is checked through the relay', async () => {
    await lookUp(options, await team.invite());
    const fingerprint = fingerprintOf(Buffer.from(team.signer.key, 'hex'));
    await expect(section(options)).toContainText('Fenwick');
    await expect(section(options)).toContainText(groupedFingerprint(fingerprint));
    expect(await accessibilityProblems(options)).toEqual([]);
    const page = opened();
    await options.getByRole('button', { name: 'Join this team' }).click();
    const button = (await page).getByRole('button', { name: 'Join', exact: true });
    await button.waitFor();
    // The browser stops the worker while the agent signs in.
    await stopWorker(extension.now);
    await button.click();
    await expect(section(options)).toContainText('You have joined Fenwick');
    await expect(section(options)).toContainText(email);
    await expect(section(options)).toContainText('Connections1 new: Team shop');
    await expectTeamShop(options, false);
    expect(await accessibilityProblems(options)).toEqual([]);

    await use(options);
    await expect(section(options)).toContainText('The team’s settings are in use.');
    await expectTeamShop(options, true);
  });

  const popup = await extension.open('popup.html');
  expect(await checkCode(popup, codes.supported)).toMatchObject({ verdict: 'supported' });
  expect(await checkCode(popup, codes.unknown)).toMatchObject({ verdict: 'not-found' });

  await test.step('a lead reads on the desk what the whole team has checked', async () => {
    const desk = await extension.open('desk.html#/report');
    await desk.getByLabel('Counted from').selectOption('The team');
    const alert = desk.getByRole('alert');
    await expect(alert).toContainText('Your role does not see the team’s report');
    await team.files.admin('roles set lead report');
    await team.files.admin(`agents role ${email} lead`);
    await alert.getByRole('button', { name: 'Try again' }).click();
    await expect(desk.getByText('1 of 2 checks')).toBeVisible();
    await expect(desk.getByRole('rowheader', { name: email })).toBeVisible();
    expect(await accessibilityProblems(desk)).toEqual([]);
    const saved = desk.waitForEvent('download');
    await desk.getByRole('button', { name: 'CSV' }).click();
    expect((await saved).suggestedFilename()).toMatch(/^report-team-\d{4}-\d\d\.csv$/u);
    expect(await team.files.admin('audit csv')).toContain('report-read-');
    await desk.close();
  });

  await test.step('a revoked token is said, never as a missing purchase, and Sign in again mends it', async () => {
    const [token = ''] = (await team.files.admin('tokens list')).split(/\s/u);
    await team.files.admin(`tokens revoke ${token}`);
    expect(await checkCode(popup, codes.lapsed)).toMatchObject({
      verdict: 'fault',
      fault: 'relay-sign-in',
      sentence: 'Your team’s relay has ended your sign-in',
    });
    await options.getByRole('link', { name: 'You', exact: true }).click();
    const connection = options.getByRole('article', { name: 'Team shop' });
    await expect(connection).toContainText('Your team’s relay has ended your sign-in');
    await expect(options.getByText(/holds the key|Connected/u)).toHaveCount(0);
    await options.getByRole('link', { name: 'Team setup' }).click();

    const link = await team.invite();
    const joinPages = (): Page[] =>
      options
        .context()
        .pages()
        .filter((each) => each.url().includes('/relay/v1/join?'));
    const page = opened();
    await popup.getByRole('button', { name: 'Sign in again' }).click();
    const again = await page;
    await expect.poll(joinPages).toHaveLength(1);
    const [closed = again] = joinPages();
    await closed.close();
    await expect(section(again)).toContainText('You are not signed in at your team’s relay.');
    const anew = opened();
    await section(again).getByRole('button', { name: 'Sign in again' }).click();
    const joinPage = await anew;
    await expect(again).toHaveURL(/options\.html#team$/u);
    await expect(section(again)).toContainText('in the tab that was opened');
    await expect(section(again)).not.toContainText('ended your sign-in');
    await joinPage.getByRole('textbox', { name: 'Invite link' }).fill(link);
    await joinPage.getByRole('button', { name: 'Use invite' }).click();
    await joinPage.getByRole('button', { name: 'Join', exact: true }).click();
    await expect(section(again)).toContainText('You are signed in again.');
    expect(await checkCode(popup, codes.lapsed)).toMatchObject({ verdict: 'lapsed' });
    await again.close();
  });
  await popup.close();

  const [kept, dropped] = [publicKey(), publicKey()];
  const keys = [pinnedKey(kept, 'Kept key'), pinnedKey(dropped, 'Stolen key')];
  await test.step('newer settings are shown first', async () => {
    await team.offer(2, { keys, sites: [{ origin: 'http://127.0.0.1:9', automatic: false }] });
    await options.reload();
    await expect(section(options)).toContainText('Public keys2 new: Kept key, Stolen key');
    await use(options);
    await expect(section(options)).toContainText('The team’s settings are in use.');
    await expect(section(options)).toContainText('version 2');
  });

  await test.step('settings that another key signed change nothing', async () => {
    const stranger = createTeamSigner();
    const signed = stranger.sign({ version: 9, relay: team.relay.origin, settings: {} });
    await team.files.admin('settings set --new-signer', JSON.stringify(signed));
    await options.reload();
    await expect(section(options)).toContainText('signed with a different key');
    await expect(options.getByRole('button', { name: 'Use these settings' })).toHaveCount(0);
    await expectTeamShop(options, true);
  });

  await test.step('a key that the team revoked is revoked at once', async () => {
    await team.offer(10, { connections: [], keys }, { revokedKeys: [dropped.raw] });
    await options.reload();
    await expect(section(options)).toContainText('Your team has revoked a public key');
    await expect(section(options)).toContainText('Stolen key');
    await expect(section(options)).toContainText('Connections1 removed: Team shop');
    await expectTeamShop(options, true);
    await use(options);
    await expectTeamShop(options, false);
  });

  await test.step('leaving removes all that the team added, and ends the sign-in', async () => {
    await team.offer(11, { keys: keys.slice(0, 1) });
    await options.reload();
    await use(options);
    await expectTeamShop(options, true);
    await options.getByRole('button', { name: 'Leave the team…' }).click();
    expect(await accessibilityProblems(options)).toEqual([]);
    await options.getByRole('button', { name: 'Leave now' }).click();
    await expect(section(options)).toContainText('You have left the team.');
    await expectTeamShop(options, false);
    expect(await team.files.admin('tokens list')).not.toContain('holds until');
    const verifier = await extension.open('verifier.html');
    await expect(verifier.getByText('Until the license server’s key is pinned')).toBeVisible();
  });
});

test.describe('with an OpenID provider', () => {
  test.use({ withProvider: true });

  test('an agent signs in there, without an invite, and checks a code through the relay', async ({
    extension,
    team,
    provider,
  }) => {
    await team.offer(1);
    const options = await extension.open('options.html#team');
    const signInAs = async (login: string): Promise<Page> => {
      await lookUp(options, team.relay.origin);
      const opened = options.context().waitForEvent('page');
      await options.getByRole('button', { name: 'Join this team' }).click();
      const page = await opened;
      await page.getByRole('link', { name: 'Sign in' }).click();
      await expect(page).toHaveURL(new RegExp(`^${provider?.issuer.origin ?? ''}/`, 'u'));
      // The browser stops the worker while the agent is at the provider.
      await stopWorker(extension.now);
      await page.getByPlaceholder('Enter any login').fill(login);
      await page.getByPlaceholder('and password').fill('x');
      await page.getByRole('button', { name: 'Sign-in' }).click();
      await page.getByRole('button', { name: 'Continue' }).click();
      return page;
    };

    await test.step('someone who is no agent of the team is told so, and joins nothing', async () => {
      const page = await signInAs('eve');
      await expect(page.getByRole('alert')).toContainText('is not on this team’s list of agents');
      await page.close();
      await expect(section(options)).not.toContainText('You have joined');
      expect(await team.files.admin('tokens list')).toContain('There are no tokens');
    });

    await options.context().clearCookies();
    await options.reload();
    const page = await signInAs('ada');
    await expect(page.getByText(email)).toBeVisible();
    await page.getByRole('button', { name: 'Join', exact: true }).click();
    await expect(section(options)).toContainText('You have joined Fenwick');
    await expect(section(options)).toContainText(email);
    expect(await team.files.admin('audit csv')).toContain('join-confirmed-by-sign-in');

    await use(options);
    const popup = await extension.open('popup.html');
    expect(await checkCode(popup, codes.supported)).toMatchObject({ verdict: 'supported' });
  });
});
