import type { Base } from '#sandbox/seller/deployments';
import { sampleCodes } from '#sandbox/seed/sample-codes';
import { checkCode } from '#scripts/running/agent';
import { expect, test } from '#tests/support/connected';
import {
  connectionChoice,
  enterCode,
  expectVerdict,
  settledVerdicts,
} from '#tests/support/pages/popup-page';

/** Deployments that differ in how they answer alone: a code is confirmed at once. */
const understood: readonly Exclude<Base, '/demo'>[] = [
  '/dialect/item-reply',
  '/dialect/translated',
  '/dialect/translated-errors',
  '/dialect/php',
  '/dialect/php-bom',
  '/dialect/php-notice',
  '/dialect/one-item',
  '/dialect/rate-limited',
  '/dialect/json-only',
  '/dialect/multipart-only',
  '/dialect/query-only',
];

test('deployments that differ in how they answer alone are understood as they are, and a switched-off API is named', async ({
  connected,
}) => {
  const switchedOff = '/dialect/api-off';
  const popup = await connected(...understood, switchedOff);
  const choose = async (base: Base): Promise<void> => {
    // A check reloads a popup with a verdict, and a choice is lost with the page that has not written it yet.
    await popup.reload();
    await connectionChoice(popup).selectOption({ label: base.replace('/dialect/', '') });
  };
  for (const base of understood)
    await test.step(base, async () => {
      await choose(base);
      const { supported, lapsed, noSupport } = sampleCodes(base);
      await enterCode(popup, [supported, lapsed, noSupport].join(' '));
      await expect(settledVerdicts(popup)).toHaveCount(3);
      const verdicts = await settledVerdicts(popup).evaluateAll((all) =>
        all.map((each) => each.getAttribute('data-verdict')),
      );
      expect(verdicts).toEqual(['supported', 'lapsed', 'no-support']);
    });

  await test.step('an error in another language is still no verdict on the code', async () => {
    const base = '/dialect/translated-errors';
    await choose(base);
    const { unknown } = sampleCodes(base);
    expect(await checkCode(popup, unknown)).toMatchObject({ verdict: 'not-found' });
  });

  await test.step('a switched-off API is named', async () => {
    await choose(switchedOff);
    expect(await checkCode(popup, sampleCodes(switchedOff).supported)).toMatchObject({
      verdict: 'fault',
      fault: 'api-off',
      sentence: 'No seller API at this address',
    });
  });
});

test('a deployment that turns browsers away is named, and cured with one click', async ({
  connected,
  extension,
}) => {
  const base = '/dialect/turns-browsers-away';
  const popup = await connected(base);
  const { supported, lapsed } = sampleCodes(base);
  const seen = await checkCode(popup, supported);
  expect(seen).toMatchObject({ verdict: 'fault', fault: 'redirected' });
  expect(seen.sentence).toBe('turns-browsers-away turns browsers away');
  await popup.getByRole('button', { name: 'Turn on plain requests' }).click();
  await expectVerdict(popup, 'supported');

  // The cure is remembered, and stands before the first request of a new worker.
  await extension.restart();
  const later = await extension.open('popup.html');
  expect(await checkCode(later, lapsed)).toMatchObject({ verdict: 'lapsed' });
});
