import { sampleCodes } from '#sandbox/seed/sample-codes';
import { checkCode } from '#scripts/running/agent';
import { stopWorker } from '#scripts/running/extension';
import { problemsInLightAndDark } from '#tests/support/accessibility';
import { expect, test } from '#tests/support/connected';
import { addToStoredList, oddConnections, oddKeys } from '#tests/support/stored-lists';

const newer = 'A newer version of Counterfoil stored some of this data.';
const newerKeys = 'A newer version of Counterfoil stored some of the pinned keys.';

test('a connection that cannot be read is named under Options until it is removed, one of a newer version is left alone; so are pinned keys, on the verifier page as well', async ({
  connected,
  extension,
}) => {
  const popup = await connected('/demo');
  await addToStoredList(popup, 'connections', oddConnections);
  // It reads what it alone writes once in its life.
  await stopWorker(extension.now);

  const options = await extension.open('options.html');
  const notice = options.getByRole('region', { name: 'Some stored data could not be read' });
  await expect(notice).toContainText('Connection Old shop');
  await expect(notice).toContainText('unreadable part: dialect.');
  await expect(options.getByText(newer)).toBeVisible();
  await expect(options.locator('article h3')).toHaveText(['demo']);
  expect(await problemsInLightAndDark(options)).toEqual([]);

  await notice.getByRole('button', { name: 'Remove this record' }).click();
  await notice.getByRole('button', { name: 'Remove it for good' }).click();
  await expect(notice).toBeHidden();
  await options.reload();
  await expect(options.getByText(newer)).toBeVisible();
  await expect(notice).toBeHidden();

  const again = await extension.open('popup.html');
  const { verdict } = await checkCode(again, sampleCodes('/demo').supported);
  expect(verdict).toBe('supported');

  const verifier = await extension.open('verifier.html');
  await addToStoredList(verifier, 'pinned-keys', oddKeys);
  await verifier.reload();
  await expect(verifier.getByText(newerKeys)).toBeVisible();
  const unreadable = verifier.getByText('A pinned key could not be read and was set aside');
  await expect(unreadable).toBeVisible();
  expect(await problemsInLightAndDark(verifier)).toEqual([]);

  await options.reload();
  await expect(options.getByText('Pinned public key Old key')).toBeVisible();

  await verifier.getByRole('button', { name: 'Remove what was set aside' }).click();
  await expect(unreadable).toBeHidden();
  await verifier.reload();
  await expect(verifier.getByText(newerKeys)).toBeVisible();
  await expect(unreadable).toBeHidden();
});
