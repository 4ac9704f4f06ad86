import { sampleCodes } from '#sandbox/seed/sample-codes';
import { checkCode } from '#scripts/agent';
import { stopWorker } from '#scripts/extension';
import { accessibilityProblems } from '#tests/support/accessibility';
import { expect, test } from '#tests/support/connected';
import { addToStoredList, oddConnections, oddKeys } from '#tests/support/stored-lists';
import { testFirstConnection } from '#tests/support/pages/options-page';

const codes = sampleCodes('/demo');
const verdicts = ['supported', 'lapsed', 'noSupport', 'unknown'] as const;

// One page a test: axe takes long on a busy machine.
for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`in ${colorScheme} axe finds nothing`, () => {
    test.use({ colorScheme });

    for (const path of ['popup', 'sidepanel', 'options', 'desk', 'verifier'])
      test(`on ${path}.html at first use`, async ({ extension }) => {
        expect(await accessibilityProblems(await extension.open(`${path}.html`))).toEqual([]);
      });

    test('on the form for a connection', async ({ extension }) => {
      const options = await extension.open('options.html');
      await options.getByRole('button', { name: 'Add connection' }).first().click();
      await options.getByText('Advanced:').click();
      await options.getByText('Where do I find my key?').first().click();
      expect(await accessibilityProblems(options)).toEqual([]);
    });

    for (const verdict of verdicts)
      test(`on the verdict on a code: ${verdict}`, async ({ connected }) => {
        const popup = await connected('/demo');
        await checkCode(popup, codes[verdict]);
        expect(await accessibilityProblems(popup)).toEqual([]);
      });

    test('on a fault', async ({ connected, sandbox }) => {
      const popup = await connected('/demo');
      await sandbox.injectFault('/demo', { fault: 'html-500', times: 9 });
      await checkCode(popup, codes.extended);
      expect(await accessibilityProblems(popup)).toEqual([]);
    });

    test('on options that name records that cannot be read', async ({ extension }) => {
      const options = await extension.open('options.html');
      await addToStoredList(options, 'connections', oddConnections);
      // A worker reads the list once in its life.
      await stopWorker(extension.now);
      await options.reload();
      await expect(options.getByText('Connection Old shop')).toBeVisible();
      expect(await accessibilityProblems(options)).toEqual([]);
    });

    test('on the verifier with keys that cannot be used', async ({ extension }) => {
      const verifier = await extension.open('verifier.html');
      await addToStoredList(verifier, 'pinned-keys', oddKeys);
      await verifier.reload();
      await expect(verifier.getByText('A pinned key could not be read')).toBeVisible();
      expect(await accessibilityProblems(verifier)).toEqual([]);
    });

    test('on options in use', async ({ connected, extension }) => {
      await connected('/demo', '/market');
      const options = await extension.open('options.html');
      await testFirstConnection(options);
      expect(await accessibilityProblems(options)).toEqual([]);
    });
  });
}

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
