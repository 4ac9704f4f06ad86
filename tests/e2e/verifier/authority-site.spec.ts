import { createTestAuthority, installationState } from '#tests/support/license-files';
import { expect, test } from '#tests/support/pwa';
import { chooseFiles, expectOpenStanding, pinKey } from '#tests/support/pages/verifier-page';

test('the site neither asks nor rehearses, and says why', async ({ pwa }) => {
  const authority = createTestAuthority();
  const page = await pwa.open();
  await pinKey(page, authority.publicKey);
  await chooseFiles(page, ['state.json', installationState(authority)]);
  await expectOpenStanding(page, 'activated');
  await expect(page.getByRole('button', { name: 'Ask the license server' })).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'Rehearsal' })).toHaveCount(0);
  await expect(page.getByText('This site cannot send anything')).toBeVisible();
});
