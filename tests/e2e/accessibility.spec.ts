import { sampleCodes } from '#sandbox/seed/sample-codes';
import { checkCode } from '#scripts/agent';
import { accessibilityProblems } from '#tests/support/accessibility';
import { expect, test } from '#tests/support/connected';

const codes = sampleCodes('/demo');

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`in ${colorScheme}`, () => {
    test.use({ colorScheme });

    test('axe finds nothing on first use', async ({ extension }) => {
      expect(await accessibilityProblems(await extension.open('popup.html'))).toEqual([]);
      const options = await extension.open('options.html');
      expect(await accessibilityProblems(options)).toEqual([]);
      await options.getByRole('button', { name: 'Add connection' }).first().click();
      await options.getByText('Advanced:').click();
      await options.getByText('Where do I find my key?').first().click();
      expect(await accessibilityProblems(options)).toEqual([]);
    });

    test('axe finds nothing on any verdict', async ({ connected, sandbox }) => {
      const popup = await connected('/demo');
      for (const code of [codes.supported, codes.lapsed, codes.noSupport, codes.unknown]) {
        await checkCode(popup, code);
        expect(await accessibilityProblems(popup), code).toEqual([]);
      }
      await sandbox.order('/demo', { fault: 'html-500', times: 9 });
      await checkCode(popup, codes.extended);
      expect(await accessibilityProblems(popup)).toEqual([]);
    });

    test('axe finds nothing on options in use', async ({ connected, extension }) => {
      await connected('/demo', '/market');
      const options = await extension.open('options.html');
      await options
        .getByRole('button', { name: /^Test connection/ })
        .first()
        .click();
      await expect(options.getByText('fenwick-studio').first()).toBeVisible();
      expect(await accessibilityProblems(options)).toEqual([]);
    });
  });
}
