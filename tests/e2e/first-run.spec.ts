import { sampleCodes } from '#sandbox/seed/sample-codes';
import { addConnection, checkCode } from '#scripts/agent';
import { expect, test } from '#tests/support/extension';
import { codeField } from '#tests/support/pages/popup-page';

test('from an empty profile to the first verdict', async ({ extension, sandbox }) => {
  const popup = await extension.open('popup.html');
  await expect(codeField(popup)).toBeFocused();
  await expect(popup.getByText('Whose sales shall we look up?')).toBeVisible();

  const [options] = await Promise.all([
    extension.now.context.waitForEvent('page'),
    popup.getByRole('button', { name: 'Set up Counterfoil' }).click(),
  ]);
  await options.waitForLoadState();
  expect(new URL(options.url()).pathname).toBe('/options.html');
  await addConnection(options, sandbox.connection('/demo', 'Fenwick'));
  await options.getByRole('button', { name: 'Test connection' }).click();
  for (const fact of ['Ada Fenwick', 'fenwick-studio', '412.50']) {
    await expect(options.getByText(fact).first()).toBeVisible();
  }

  await popup.reload();
  await expect(popup.getByText('Fenwick')).toBeVisible();
  const seen = await checkCode(popup, sampleCodes('/demo').supported);
  expect(seen).toMatchObject({ verdict: 'supported' });
});

test('the field takes the focus back, with its text selected, for the next paste', async ({
  extension,
}) => {
  const popup = await extension.open('popup.html');
  const field = codeField(popup);
  await field.fill('no code in here');
  await field.press('Enter');
  await expect(field).toBeFocused();
  await popup.keyboard.insertText('x');
  await expect(field).toHaveValue('x');
});
