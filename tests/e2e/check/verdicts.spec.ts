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

test.describe('with one connection', () => {
  const verdicts = [
    // First, while no code has been confirmed.
    ['not-found', demo.unknown, /^No such purchase on this account$/],
    ['supported', demo.supported, /^Supported until /],
    ['supported', demo.endsTomorrow, /^Supported until /],
    ['lapsed', demo.lapsed, /^Genuine, support ended .* ago$/],
    ['lapsed', demo.lapsedYesterday, /^Genuine, support ended /],
    ['no-support', demo.noSupport, /^Genuine, without support$/],
    ['no-support', demo.supportDisabled, /^Genuine, without support$/],
  ] as const;

  test('each verdict leads with its own sentence, and says what is known or possible', async ({
    connected,
  }) => {
    const popup = await connected('/demo');
    const verdictCard = popup.locator('[data-verdict]');
    for (const [verdict, code, sentence] of verdicts) {
      const seen = await checkCode(popup, code);
      expect(seen, code).toMatchObject({ verdict });
      expect(seen.sentence, code).toMatch(sentence);
      const says: readonly string[] =
        code === demo.supported
          ? ['Ledgerline: invoices for small teams', 'Regular', '€']
          : code === demo.unknown
            ? ['Invalid purchase code', 'refunded', 'never confirmed a code']
            : [];
      for (const text of says) await expect(verdictCard).toContainText(text);
      await expect(verdictCard).not.toContainText(/fake/i);
      if (code === demo.supported)
        await expect(verdictCard.locator('time').first()).toHaveAttribute(
          'datetime',
          /^\d{4}-.*Z$/,
        );
    }
  });

  test('codes in odd forms are asked about; a hint comes only with one that is not found', async ({
    connected,
  }) => {
    const popup = await connected('/market');
    const hint = popup.getByText('An unusual format for a code');
    for (const code of [market.oddDashed, market.oddPrefixed, market.oddPlain]) {
      expect(await checkCode(popup, code), code).toMatchObject({ verdict: 'supported' });
      await expect(hint).toHaveCount(0);
    }
    await checkCode(popup, `${market.oddPlain}XYZ`);
    await expect(hint).toBeVisible();
  });

  test('names from the seller are shown as text, whatever they hold', async ({ connected }) => {
    const popup = await connected('/market');
    const dialogs: string[] = [];
    popup.on('dialog', (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    for (const code of [
      market.htmlName,
      market.htmlDescription,
      market.rightToLeft,
      market.longName,
    ]) {
      expect(['supported', 'lapsed', 'no-support']).toContain(
        (await checkCode(popup, code)).verdict,
      );
      await expect(popup.locator('[data-verdict] :is(script, iframe, b:has(script))')).toHaveCount(
        0,
      );
    }
    expect(dialogs).toEqual([]);
  });

  test('several codes in one paste are checked in turn, a letter typed for a digit is corrected by one press', async ({
    connected,
  }) => {
    const popup = await connected('/demo');
    const ticket = `Hello,\nI bought twice: ${demo.supported.toUpperCase()}, and “${demo.lapsed}”.\nAgain: ${demo.supported}\nAda`;
    await enterCode(popup, ticket);
    const settled = settledVerdicts(popup);
    await expect(settled).toHaveCount(2);
    await expect(settled.nth(0)).toHaveAttribute('data-verdict', 'supported');
    await expect(settled.nth(1)).toHaveAttribute('data-verdict', 'lapsed');

    const mistyped = demo.supported.replace('1', 'l');
    expect(mistyped).not.toBe(demo.supported);
    expect(await checkCode(popup, mistyped)).toMatchObject({ verdict: 'not-found' });
    await popup.getByRole('button', { name: `Did you mean ${demo.supported}?` }).click();
    await expectVerdict(popup, 'supported');
    await expect(codeField(popup)).toHaveValue(demo.supported);
    await expect(codeField(popup)).toBeFocused();
    await expect(settled).toHaveCount(1);
  });

  test('text without a code, and a license, are sent nowhere', async ({ connected, sandbox }) => {
    const popup = await connected('/demo');
    await sandbox.reset();
    const field = codeField(popup);
    const segment = 'eyJsaWNlbnNlX2lkIjoiTC0xIiwicHJvZHVjdF9zbHVnIjoib3JiaXQifQ';
    for (const [text, sentence] of [
      ['Hello, my plugin is broken, please help', 'There is no purchase code in this text.'],
      [`${segment}.${'A'.repeat(86)}`, 'This is a license, not a purchase code.'],
    ] as const) {
      await field.fill(text);
      await field.press('Enter');
      await expect(popup.getByText(sentence)).toBeVisible();
    }
    await expect(popup.locator('[data-verdict]')).toHaveCount(0);
    expect(await sandbox.requests()).toEqual([]);
  });
});

test('with two connections both are asked, and one code gives one verdict', async ({
  connected,
  sandbox,
}) => {
  const popup = await connected('/demo', '/market');
  const connection = connectionChoice(popup);
  await expect(connection.getByRole('option')).toHaveText([/demo/, /market/, 'All']);

  await expect(connection).toHaveValue('all');

  await sandbox.reset();
  expect(await checkCode(popup, market.lapsed)).toMatchObject({ verdict: 'lapsed' });
  await expect(popup.getByText('Not on demo', { exact: true })).toBeVisible();
  await expect(popup.locator('[data-verdict]')).toHaveCount(1);
  const asked = new Set((await sandbox.apiRequests()).map(({ path }) => path.split('/')[1]));
  expect([...asked].sort()).toEqual(['demo', 'market']);

  expect(await checkCode(popup, demo.unknown)).toMatchObject({
    verdict: 'not-found',
    sentence: 'No such purchase on these accounts',
  });
  await expect(popup.locator('[data-verdict]')).toHaveCount(1);
});

test('with two connections a fault of one decides over a not-found, and is said beside a hit', async ({
  connected,
  sandbox,
}) => {
  const popup = await connected('/demo', '/market');
  await test.step('two codes are two verdicts, each with its item while folded', async () => {
    await enterCode(popup, `${demo.supported} and ${market.lapsed}`);
    const settled = settledVerdicts(popup);
    await expect(settled).toHaveCount(2);
    await expect(settled.first()).toContainText('Ledgerline: invoices for small teams demo');
    await expect(settled.last()).toContainText('market');
    await expect(popup.locator('[data-verdict] dl')).toHaveCount(0);
  });

  await sandbox.injectFault('/demo', { fault: 'html-500', times: 20 });
  const fault = 'demo is having a problem';
  expect(await checkCode(popup, market.unknown)).toMatchObject({
    verdict: 'fault',
    sentence: fault,
  });
  await expect(popup.getByText('Not on market', { exact: true })).toBeVisible();
  expect(await checkCode(popup, market.supported)).toMatchObject({ verdict: 'supported' });
  await expect(popup.getByText(fault, { exact: true }).first()).toBeVisible();
  await expect(popup.locator('[data-verdict]')).toHaveCount(1);
});

test('a not-found of one chosen connection asks the others by one press', async ({ connected }) => {
  const popup = await connected('/demo', '/market');
  await connectionChoice(popup).selectOption({ label: 'demo' });
  expect(await checkCode(popup, market.supported)).toMatchObject({ verdict: 'not-found' });
  await popup.getByRole('button', { name: 'Ask the others too' }).click();
  await expectVerdict(popup, 'supported');
  await expect(popup.locator('[data-verdict]')).toHaveCount(1);
  await expect(popup.getByText('Not on demo', { exact: true })).toBeVisible();
});
