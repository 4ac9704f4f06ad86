import type { Page } from 'puppeteer-core';

import { defaultDialect } from '#core/connections/index';
import { codes as envatoCodes } from '#sandbox/marketplaces/envato';
import { codes as gumroadCodes } from '#sandbox/marketplaces/gumroad';
import { codes as lemonSqueezyCodes } from '#sandbox/marketplaces/lemon-squeezy';
import { sampleCodes } from '#sandbox/seed/sample-codes';
import { connectMarketplaces } from '#tests/relay/support/marketplaces';
import { relayFiles } from '#tests/relay/support/relay';
import { findExtensionPage, stopEventPage } from '#tests/support/firefox';
import {
  expect,
  fillField,
  press,
  test,
  verdictOn,
  waitForText,
} from '#tests/support/firefox-fixture';
import { createTeamSigner } from '#tests/support/team-signer';

const codes = sampleCodes('/demo');
const email = 'ada@fenwick.test';

test('in the stock Firefox an agent joins a team, checks a code through its relay, and leaves it', async ({
  firefox,
}) => {
  const files = relayFiles();
  const { baseAddress, apiKey } = firefox.sandbox.connection('/demo', 'Fenwick');
  await files.connect('shop', baseAddress, apiKey, '--limit 6000');
  await files.admin(`agents add ${email}`);
  const relay = await files.start();
  const dialect = { ...defaultDialect, keyPlacement: 'Authorization' };
  const shop = { id: 'shop', name: 'Team shop', baseAddress: `${relay.origin}/c/shop`, dialect };
  const places = await connectMarketplaces(files, firefox.sandbox, relay.origin);
  const settings = { connections: [shop, ...places] };
  const signed = createTeamSigner().sign({ version: 1, relay: relay.origin, settings });
  await files.admin('settings set', JSON.stringify(signed));
  const invite = (await files.admin(`invites add ${email}`)).replace(/^.*#invite=/su, '');

  const options = await firefox.open('options.html');
  await waitForText(options, 'Connect your marketplace');
  // Without a policy nothing is set.
  expect(await options.evaluate(() => document.body.innerText)).not.toContain('organization');
  await options.evaluate(() => {
    location.hash = 'team';
  });
  await fillField(
    options,
    'Relay address or invite link',
    `${relay.origin}/relay/v1/join#invite=${invite}`,
  );
  await press(options, 'Look it up');
  await waitForText(options, 'Is this your team?');
  await press(options, 'Join this team');
  const joinPage = await findTab(firefox.browser, relay.origin);
  await joinPage.waitForSelector('button[value="join"]');
  // The browser stops the event page while the agent signs in.
  await stopEventPage(firefox.browser);
  await joinPage.locator('button[value="join"]').click();
  await waitForText(options, 'You have joined Fenwick');
  await waitForText(options, `${String(settings.connections.length)} new: Team shop`);
  await press(options, 'Use these settings');
  await waitForText(options, 'The team’s settings are in use.');

  const popup = await firefox.open('popup.html');
  expect(await verdictOn(popup, codes.supported)).toBe('supported');
  expect(await verdictOn(popup, codes.unknown)).toBe('not-found');
  expect(await verdictOn(popup, envatoCodes.supported)).toBe('supported');
  expect(await verdictOn(popup, gumroadCodes.secondProduct)).toBe('no-support');
  expect(await verdictOn(popup, lemonSqueezyCodes.active)).toBe('no-support');
  const [token = ''] = (await files.admin('tokens list')).split(/\s/u);
  await files.admin(`tokens revoke ${token}`);
  expect(await verdictOn(popup, codes.lapsed)).toBe('fault');
  const fault = await popup.$eval('[data-fault]', (element) => element.getAttribute('data-fault'));
  expect(fault).toBe('relay-sign-in');

  const again = await findExtensionPage(firefox.browser, 'options.html');
  await press(again, 'Leave the team…');
  await press(again, 'Leave now');
  await waitForText(again, 'You have left the team.');
  await relay.stop();
  files.remove();
});

async function findTab(browser: { pages(): Promise<Page[]> }, origin: string): Promise<Page> {
  let found: Page | undefined;
  await expect
    .poll(
      async () => {
        for (const page of await browser.pages())
          if ((await page.evaluate(() => location.origin).catch(() => '')) === origin) found = page;
        return found !== undefined;
      },
      { timeout: 60_000 },
    )
    .toBe(true);
  if (found === undefined) throw new Error('No such tab.');
  return found;
}
