import { sampleCodes } from '#sandbox/seed/sample-codes';
import { checkCode } from '#scripts/running/agent';
import { expect, test } from '#tests/support/connected';
import {
  codeField,
  connectionChoice,
  enterCode,
  expectVerdict,
  settledVerdicts,
} from '#tests/support/pages/popup-page';

const demo = sampleCodes('/demo');
const market = sampleCodes('/market');

/** Each once: `tests/core/check` and `tests/components/check` have the others of its kind. */
const verdicts = [
  // First, while no code has been confirmed.
  [
    'not-found',
    demo.unknown,
    /^No such purchase on this account$/,
    ['Invalid purchase code', 'refunded', 'never confirmed a code'],
  ],
  [
    'supported',
    demo.supported,
    /^Supported until /,
    ['Ledgerline: invoices for small teams', 'Regular', '€'],
  ],
  ['lapsed', demo.lapsed, /^Genuine, support ended .* ago$/, []],
  ['no-support', demo.noSupport, /^Genuine, without support$/, []],
] as const;

test('each verdict leads with its own sentence, several codes are checked in turn, and what is no code is sent nowhere', async ({
  connected,
  sandbox,
}) => {
  const popup = await connected('/demo');
  const settled = settledVerdicts(popup);
  for (const [verdict, code, sentence, says] of verdicts)
    await test.step(verdict, async () => {
      const seen = await checkCode(popup, code);
      expect(seen).toMatchObject({ verdict });
      expect(seen.sentence).toMatch(sentence);
      for (const text of says) await expect(settled).toContainText(text);
      await expect(settled).not.toContainText(/fake/i);
      if (verdict === 'supported')
        await expect(settled.locator('time').first()).toHaveAttribute('datetime', /^\d{4}-.*Z$/);
    });

  await test.step('text without a code, and a license', async () => {
    await popup.reload();
    await sandbox.reset();
    const segment = 'eyJsaWNlbnNlX2lkIjoiTC0xIiwicHJvZHVjdF9zbHVnIjoib3JiaXQifQ';
    for (const [text, sentence] of [
      ['Hello, my plugin is broken, please help', 'There is no purchase code in this text'],
      [`${segment}.${'A'.repeat(86)}`, 'This is a license, not a purchase code'],
    ] as const) {
      await enterCode(popup, text);
      await expect(popup.getByText(sentence)).toBeVisible();
    }
    await expect(popup.locator('[data-verdict]')).toHaveCount(0);
    expect(await sandbox.requests()).toEqual([]);
  });

  await test.step('several codes in one paste', async () => {
    const ticket = `Hello,\nI bought twice: ${demo.extended.toUpperCase()}, and “${demo.lapsedYesterday}”.\nAgain: ${demo.extended}\nAda`;
    await enterCode(popup, ticket);
    await expect(settled).toHaveCount(2);
    await expect(settled.nth(0)).toHaveAttribute('data-verdict', 'supported');
    await expect(settled.nth(1)).toHaveAttribute('data-verdict', 'lapsed');
  });

  await test.step('a letter typed for a digit is corrected by one press', async () => {
    const mistyped = demo.supported.replace('1', 'l');
    expect(mistyped).not.toBe(demo.supported);
    expect(await checkCode(popup, mistyped)).toMatchObject({ verdict: 'not-found' });
    await popup.getByRole('button', { name: `Did you mean ${demo.supported}?` }).click();
    await expectVerdict(popup, 'supported');
    await expect(codeField(popup)).toHaveValue(demo.supported);
    await expect(codeField(popup)).toBeFocused();
    await expect(settled).toHaveCount(1);
  });
});

test('of two connections both are asked, and one code gives one verdict', async ({
  connected,
  sandbox,
}) => {
  const popup = await connected('/demo', '/market');
  const connection = connectionChoice(popup);
  await expect(connection.getByRole('option')).toHaveText([/demo/, /market/, 'All']);
  await expect(connection).toHaveValue('all');

  await test.step('two codes are two verdicts, each with its item while folded', async () => {
    await enterCode(popup, `${demo.supported} and ${market.lapsed}`);
    const settled = settledVerdicts(popup);
    await expect(settled).toHaveCount(2);
    await expect(settled.first()).toContainText('Ledgerline: invoices for small teams demo');
    await expect(settled.last()).toContainText('market');
    await expect(popup.locator('[data-verdict] dl')).toHaveCount(0);
  });

  await test.step('names from the seller are shown as text, whatever they hold', async () => {
    const dialogs: string[] = [];
    popup.on('dialog', (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    await sandbox.reset();
    for (const code of [market.htmlName, market.htmlDescription]) {
      expect(['supported', 'lapsed', 'no-support']).toContain(
        (await checkCode(popup, code)).verdict,
      );
      await expect(popup.getByText('Not on demo', { exact: true })).toBeVisible();
      await expect(popup.locator('[data-verdict]')).toHaveCount(1);
      await expect(popup.locator('[data-verdict] :is(script, iframe, b:has(script))')).toHaveCount(
        0,
      );
    }
    expect(dialogs).toEqual([]);
    const asked = new Set((await sandbox.apiRequests()).map(({ path }) => path.split('/')[1]));
    expect([...asked].sort()).toEqual(['demo', 'market']);
  });

  await test.step('a fault of one decides over a not-found, and is said beside a hit', async () => {
    await sandbox.injectFault('/demo', { fault: 'html-500', times: 20 });
    const sentence = 'demo is having a problem';
    expect(await checkCode(popup, market.unknown)).toMatchObject({ verdict: 'fault', sentence });
    await expect(popup.getByText('Not on market', { exact: true })).toBeVisible();
    expect(await checkCode(popup, market.supported)).toMatchObject({ verdict: 'supported' });
    await expect(popup.getByText(sentence, { exact: true }).first()).toBeVisible();
    await sandbox.removeFaults();
  });

  await test.step('a not-found of one chosen connection asks the others by one press', async () => {
    await popup.reload();
    await connection.selectOption({ label: 'demo' });
    expect(await checkCode(popup, market.endsTomorrow)).toMatchObject({ verdict: 'not-found' });
    await popup.getByRole('button', { name: 'Ask the other connections too' }).click();
    await expectVerdict(popup, 'supported');
    await expect(popup.locator('[data-verdict]')).toHaveCount(1);
    await expect(popup.getByText('Not on demo', { exact: true })).toBeVisible();
  });
});
