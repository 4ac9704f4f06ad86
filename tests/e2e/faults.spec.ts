import { sampleCodes } from '#sandbox/seed/sample-codes';
import { checkCode } from '#scripts/agent';
import { expect, test } from '#tests/support/connected';
import { listen } from '#tests/support/listener';
import { codeField, enterCode, expectVerdict } from '#tests/support/pages/popup-page';
import { deleteFirstConnection, replaceApiKey } from '#tests/support/pages/options-page';

const codes = sampleCodes('/demo');
const endpoint = 'validation';

/** How often a request is sent at most: once, and two retries. */
const everyTry = 3;

/** Each is tried with a code of its own, since the reply to one that was asked about is kept. */
const faults = [
  {
    // The browser itself asks once more where a connection that was kept alive is reset.
    command: { fault: 'reset', times: everyTry + 1 },
    kind: 'unreachable',
    sentence: 'demo could not be reached',
    code: 'supported',
    verdict: 'supported',
  },
  {
    command: { fault: 'cut-off', times: everyTry },
    kind: 'unreachable',
    sentence: 'demo could not be reached',
    code: 'extended',
    verdict: 'supported',
  },
  {
    command: { fault: 'html-500', times: everyTry },
    kind: 'server-error',
    sentence: 'demo has a problem of its own',
    code: 'lapsed',
    verdict: 'lapsed',
  },
  {
    command: { fault: 'truncated' },
    kind: 'not-json',
    sentence: 'demo answered with something unreadable',
    code: 'lapsedYesterday',
    verdict: 'lapsed',
  },
  {
    command: { fault: 'wrong-types' },
    kind: 'unreadable',
    sentence: 'demo answered in an unknown form',
    code: 'endsTomorrow',
    verdict: 'supported',
  },
  {
    command: { fault: 'endless' },
    kind: 'too-large',
    sentence: 'demo sent far too much',
    code: 'noSupport',
    verdict: 'no-support',
  },
  {
    command: { fault: 'other-code' },
    kind: 'mismatch',
    sentence: 'demo answered about another code',
    code: 'supportDisabled',
    verdict: 'no-support',
  },
] as const;

test('each fault has a sentence of its own, and the agent can ask again', async ({
  connected,
  sandbox,
}) => {
  const popup = await connected('/demo');
  for (const { command, kind, sentence, code, verdict } of faults)
    await test.step(`${command.fault}: “${sentence}”`, async () => {
      await sandbox.injectFault('/demo', { ...command, endpoint });
      const seen = await checkCode(popup, codes[code]);
      expect(seen).toMatchObject({ verdict: 'fault', fault: kind, sentence });
      await expect(popup.locator('[data-verdict]')).toContainText('The code was not judged.');
      await sandbox.reset();
      expect(await checkCode(popup, codes[code])).toMatchObject({ verdict });
    });
});

test('with the network off the agent reads that this computer is offline, and can ask again', async ({
  connected,
  extension,
}) => {
  const popup = await connected('/demo');
  await extension.now.context.setOffline(true);
  expect(await checkCode(popup, codes.supported)).toMatchObject({
    verdict: 'fault',
    fault: 'offline',
    sentence: 'This computer is offline',
  });
  await extension.now.context.setOffline(false);
  await popup.getByRole('button', { name: 'Try again' }).click();
  await expectVerdict(popup, 'supported');
});

test('a redirect is not followed: the other origin sees no request', async ({
  connected,
  sandbox,
}) => {
  const elsewhere = await listen();
  const popup = await connected('/demo');
  await sandbox.injectFault('/demo', {
    fault: 'redirect',
    to: `${elsewhere.origin}/api`,
    times: 100,
  });
  const seen = await checkCode(popup, codes.supported);
  expect(seen).toMatchObject({ verdict: 'fault', fault: 'redirected' });
  expect(seen.sentence).toBe('demo sends every question elsewhere');
  expect(elsewhere.requests).toEqual([]);
  await elsewhere.close();
});

test('a server that says nothing is given up after ten seconds, and not asked twice', async ({
  connected,
  sandbox,
}) => {
  const popup = await connected('/demo');
  await sandbox.injectFault('/demo', { fault: 'silence', endpoint, times: everyTry });
  const seen = await checkCode(popup, codes.supported);
  expect(seen).toMatchObject({
    verdict: 'fault',
    fault: 'timeout',
    sentence: 'demo did not answer in time',
  });
  expect(
    (await sandbox.requests()).filter(({ path }) => path.endsWith('/purchases/validation')),
  ).toHaveLength(1);
});

test('a busy server is asked again when it said, and meanwhile the wait is shown', async ({
  connected,
  sandbox,
}) => {
  const popup = await connected('/demo');
  await sandbox.injectFault('/demo', { fault: 'busy-503', retryAfter: 3, endpoint });
  await enterCode(popup, codes.supported);
  await expect(popup.getByText(/Asking again in \d s/)).toBeVisible();
  await expect(popup.locator('[data-fault="server-error"]')).toBeVisible();
  await expectVerdict(popup, 'supported');
});

test('a limit that is reached is told from a code that is wrong, and is waited for', async ({
  connected,
  sandbox,
}) => {
  const base = '/dialect/rate-limited';
  const popup = await connected(base);
  for (let spent = 0; spent < 60; spent += 1) {
    await fetch(`${sandbox.origin}${base}/api/account/details?api_key=${sandbox.keys[base]}`);
  }
  const seen = await checkCode(popup, sampleCodes(base).supported);
  expect(seen).toMatchObject({
    verdict: 'fault',
    fault: 'rate-limited',
    sentence: 'rate-limited asks us to wait',
  });
  await expect(popup.getByText(/Asking again in \d+ s|Worth asking again/)).toBeVisible();
});

test("the fault buttons of the sandbox's page decide the next answer", async ({
  connected,
  extension,
  sandbox,
}) => {
  const popup = await connected('/demo');
  const page = await extension.now.context.newPage();
  await page.goto(sandbox.origin);
  await page.getByLabel('Next answer of').selectOption('/demo');
  await page.getByRole('button', { name: 'Half of the JSON' }).click();
  await expect(page.getByRole('status')).toHaveText('Next answer of /demo: Half of the JSON.');
  expect(await checkCode(popup, codes.supported)).toMatchObject({ fault: 'not-json' });
  await page.getByRole('button', { name: 'Half of the JSON' }).click();
  await page.getByRole('button', { name: 'Remove all that wait' }).click();
  await expect(page.getByRole('status')).toHaveText('No fault waits. Every answer is right.');
  expect(await checkCode(popup, codes.lapsed)).toMatchObject({ verdict: 'lapsed' });
});

test('a wrong key is named as such, not as a wrong code', async ({ connected, extension }) => {
  const popup = await connected('/demo');
  const options = await extension.open('options.html');
  await replaceApiKey(options, 'a-key-of-nobody');
  const seen = await checkCode(popup, codes.supported);
  expect(seen).toMatchObject({
    verdict: 'fault',
    fault: 'refused',
    sentence: 'demo does not accept the API key',
  });
  await expect(popup.locator('[data-verdict]')).toContainText('Invalid request');
});

test('an origin that the browser no longer allows is named', async ({ connected, extension }) => {
  const popup = await connected('/demo');
  const options = await extension.open('options.html');
  await options.evaluate(() => chrome.permissions.remove({ origins: ['http://127.0.0.1/*'] }));
  expect(await checkCode(popup, codes.supported)).toMatchObject({
    verdict: 'fault',
    fault: 'not-permitted',
    sentence: 'The browser may not reach demo',
  });
  await expect(popup.getByRole('button', { name: 'Allow access' })).toBeVisible();
});

test('a connection deleted meanwhile is named', async ({ connected, extension }) => {
  const popup = await connected('/demo', '/market');
  const field = codeField(popup);
  await field.fill(codes.supported);
  const options = await extension.open('options.html');
  await deleteFirstConnection(options);
  await popup.bringToFront();
  await field.press('Enter');
  await expect(popup.locator('[data-fault="no-connection"]')).toContainText(
    'This marketplace is not set up any more',
  );
});
