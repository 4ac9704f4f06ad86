import { sampleCodes } from '#sandbox/seed/sample-codes';
import { checkCode } from '#scripts/running/agent';
import { stopWorker } from '#scripts/running/extension';
import { problemsInLightAndDark } from '#tests/support/accessibility';
import { expect, test } from '#tests/support/connected';
import { addToStoredList, oddConnections, oddKeys } from '#tests/support/stored-lists';
import { testFirstConnection } from '#tests/support/pages/options-page';

const codes = sampleCodes('/demo');

test.describe('axe finds nothing, in light and in dark,', () => {
  test('on any page at first use', async ({ extension }) => {
    for (const path of ['popup', 'sidepanel', 'options', 'desk', 'verifier']) {
      const page = await extension.open(`${path}.html`);
      expect.soft(await problemsInLightAndDark(page), path).toEqual([]);
      await page.close();
    }
  });

  test('on the form for a connection', async ({ extension }) => {
    const options = await extension.open('options.html');
    await options.getByRole('button', { name: 'Add connection' }).first().click();
    await options.getByText('Advanced:').click();
    await options.getByText('Where do I find my key?').first().click();
    expect(await problemsInLightAndDark(options)).toEqual([]);
  });

  test('on a verdict on a code, whatever it is, and on a fault', async ({ connected, sandbox }) => {
    const popup = await connected('/demo');
    for (const verdict of ['supported', 'lapsed', 'noSupport', 'unknown'] as const) {
      await checkCode(popup, codes[verdict]);
      expect.soft(await problemsInLightAndDark(popup), verdict).toEqual([]);
    }
    await sandbox.injectFault('/demo', { fault: 'html-500', times: 9 });
    expect(await checkCode(popup, codes.extended)).toMatchObject({ verdict: 'fault' });
    expect(await problemsInLightAndDark(popup), 'a fault').toEqual([]);
  });

  test('on options that name records that cannot be read', async ({ extension }) => {
    const options = await extension.open('options.html');
    await addToStoredList(options, 'connections', oddConnections);
    // A worker reads the list once in its life.
    await stopWorker(extension.now);
    await options.reload();
    await expect(options.getByText('Connection Old shop')).toBeVisible();
    expect(await problemsInLightAndDark(options)).toEqual([]);
  });

  test('on the verifier with keys that cannot be used', async ({ extension }) => {
    const verifier = await extension.open('verifier.html');
    await addToStoredList(verifier, 'pinned-keys', oddKeys);
    await verifier.reload();
    await expect(verifier.getByText('A pinned key could not be read')).toBeVisible();
    expect(await problemsInLightAndDark(verifier)).toEqual([]);
  });

  test('on options in use', async ({ connect, extension }) => {
    await connect('/demo', '/market');
    const options = await extension.open('options.html');
    await testFirstConnection(options);
    expect(await problemsInLightAndDark(options)).toEqual([]);
  });
});

test('nothing moves for a person who asked for less motion', async ({ connected, sandbox }) => {
  const popup = await connected('/demo');
  await popup.emulateMedia({ reducedMotion: 'reduce' });
  await sandbox.injectFault('/demo', { fault: 'silence', times: 9 });
  await popup.getByRole('textbox', { name: 'Purchase code' }).fill(codes.supported);
  await popup.keyboard.press('Enter');
  await expect(popup.locator('[aria-busy="true"]')).toBeVisible();
  const moving = (): Promise<string[]> =>
    popup.evaluate(() =>
      document
        .getAnimations()
        .filter(({ playState }) => playState === 'running')
        .map(({ effect }) => (effect as KeyframeEffect).target?.className.toString() ?? ''),
    );
  await expect.poll(moving).toEqual([]);
  await popup.emulateMedia({ reducedMotion: 'no-preference' });
  await expect.poll(moving).not.toEqual([]);
});
