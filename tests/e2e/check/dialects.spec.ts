import { sampleCodes } from '#sandbox/seed/sample-codes';
import { checkCode } from '#scripts/running/agent';
import { expect, test } from '#tests/support/connected';
import {
  connectionChoice,
  enterCode,
  expectVerdict,
  settledVerdicts,
} from '#tests/support/pages/popup-page';

// The browser writes the form and sets the User-Agent; `tests/background/check/check-handlers.test.ts` has what else
// deployments differ in.
test('a form that alone is read is sent, and a deployment that turns browsers away is named, and cured with one click', async ({
  connected,
  extension,
}) => {
  const [form, turnsAway] = ['/dialect/multipart-only', '/dialect/turns-browsers-away'] as const;
  const popup = await connected(form, turnsAway);
  await connectionChoice(popup).selectOption({ label: 'multipart-only' });
  const paid = sampleCodes(form);
  await enterCode(popup, [paid.supported, paid.lapsed, paid.noSupport].join(' '));
  await expect(settledVerdicts(popup)).toHaveCount(3);
  const verdicts = await settledVerdicts(popup).evaluateAll((all) =>
    all.map((each) => each.getAttribute('data-verdict')),
  );
  expect(verdicts).toEqual(['supported', 'lapsed', 'no-support']);

  await popup.reload();
  await connectionChoice(popup).selectOption({ label: 'turns-browsers-away' });
  const { supported, lapsed } = sampleCodes(turnsAway);
  expect(await checkCode(popup, supported)).toMatchObject({
    verdict: 'fault',
    fault: 'redirected',
    sentence: 'turns-browsers-away turns browsers away',
  });
  await popup.getByRole('button', { name: 'Turn on plain requests' }).click();
  await expectVerdict(popup, 'supported');

  // The cure is remembered, and stands before the first request of a new worker.
  await extension.restart();
  const later = await extension.open('popup.html');
  await connectionChoice(later).selectOption({ label: 'turns-browsers-away' });
  expect(await checkCode(later, lapsed)).toMatchObject({ verdict: 'lapsed' });
});
