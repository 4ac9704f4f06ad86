import { codes as envatoCodes } from '#sandbox/marketplaces/envato';
import { codes as gumroadCodes } from '#sandbox/marketplaces/gumroad';
import { codes as lemonSqueezyCodes } from '#sandbox/marketplaces/lemon-squeezy';
import { sampleCodes } from '#sandbox/seed/sample-codes';
import { connectMarketplaces } from '#tests/relay/support/marketplaces';
import { relayFiles } from '#tests/relay/support/relay';
import { enterCode, settledVerdicts } from '#tests/support/pages/popup-page';
import { createTeamSigner } from '#tests/support/team-signer';
import { expect, test } from '#tests/support/extension';

const ticket = `Hello,
I bought a theme, ${envatoCodes.supported}, and the sounds: ${gumroadCodes.secondProduct}.
The app is ${lemonSqueezyCodes.expired}, and the plugin ${sampleCodes('/demo').lapsed}.
Ada`;

// `marketplaces/each-marketplace.spec.ts` shows that panel, chips and bulk give the verdicts of the popup.
test('codes of several places have the right verdicts through a relay', async ({
  extension,
  sandbox,
}) => {
  const files = relayFiles();
  const demo = sandbox.connection('/demo');
  await files.connect('shop', demo.baseAddress, demo.apiKey, '--limit 6000');
  await connectMarketplaces(files, sandbox);
  await files.admin('agents add ada@fenwick.test');
  const relay = await files.start();
  const drafted: unknown = JSON.parse(await files.admin('settings draft', '', relay.origin));
  const signed = createTeamSigner().sign({
    version: 1,
    relay: relay.origin,
    settings: drafted as object,
  });
  await files.admin('settings set', JSON.stringify(signed));

  const options = await extension.open('options.html#team');
  const invite = await files.admin('invites add ada@fenwick.test', '', relay.origin);
  await options.getByRole('textbox', { name: 'Relay address or invite link' }).fill(invite);
  await options.getByRole('button', { name: 'Look it up' }).click();
  const opened = options.context().waitForEvent('page');
  await options.getByRole('button', { name: 'Join this team' }).click();
  await (await opened).getByRole('button', { name: 'Join', exact: true }).click();
  await options.getByRole('button', { name: 'Use these settings' }).click();
  await expect(options.locator('[data-team]')).toContainText('settings are in use');

  await sandbox.reset();
  const popup = await extension.open('popup.html');
  await enterCode(popup, ticket);
  const verdicts = settledVerdicts(popup);
  await expect(verdicts).toHaveCount(4);
  const seen = await verdicts.evaluateAll((cards) =>
    cards.map((card) => {
      const { verdict, because } = (card as HTMLElement).dataset;
      return because ?? verdict;
    }),
  );
  expect(seen).toEqual(['supported', 'untold', 'expired', 'lapsed']);
  // The form of a code tells where it may be from.
  const asked = (await sandbox.requests()).filter(({ path }) => path.startsWith('/gumroad/'));
  expect(asked.map(({ path }) => path)).toEqual([
    '/gumroad/v2/sales',
    '/gumroad/v2/licenses/verify',
  ]);

  await relay.stop();
  files.remove();
});
