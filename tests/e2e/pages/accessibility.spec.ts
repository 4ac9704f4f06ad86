import { sampleCodes } from '#sandbox/seed/sample-codes';
import { checkCode } from '#scripts/running/agent';
import { problemsInLightAndDark } from '#tests/support/accessibility';
import { expect, test } from '#tests/support/connected';
import { testFirstConnection } from '#tests/support/pages/options-page';

const codes = sampleCodes('/demo');

test.describe('axe finds nothing, in light and in dark,', () => {
  test('on any page at first use, and on the form for a connection', async ({ extension }) => {
    for (const path of ['popup', 'sidepanel', 'desk', 'verifier', 'options']) {
      const page = await extension.open(`${path}.html`);
      expect.soft(await problemsInLightAndDark(page), path).toEqual([]);
      if (path === 'options') {
        await page.getByRole('button', { name: 'Add connection' }).first().click();
        await page.getByText('Advanced:').click();
        await page.getByText('Where do I find my key?').first().click();
        expect(await problemsInLightAndDark(page)).toEqual([]);
      }
      await page.close();
    }
  });

  test('on a verdict on a code, whatever it is, on a fault, and on options in use', async ({
    connected,
    extension,
    sandbox,
  }) => {
    const popup = await connected('/demo');
    for (const verdict of ['supported', 'lapsed', 'noSupport', 'unknown'] as const) {
      await checkCode(popup, codes[verdict]);
      expect.soft(await problemsInLightAndDark(popup), verdict).toEqual([]);
    }
    await sandbox.injectFault('/demo', { fault: 'html-500', times: 9 });
    expect(await checkCode(popup, codes.extended)).toMatchObject({ verdict: 'fault' });
    expect(await problemsInLightAndDark(popup), 'a fault').toEqual([]);
    await sandbox.removeFaults();
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
