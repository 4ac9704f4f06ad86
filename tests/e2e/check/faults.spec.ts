import { sampleCodes } from '#sandbox/seed/sample-codes';
import { checkCode } from '#scripts/running/agent';
import { expect, test } from '#tests/support/connected';
import { listen } from '#tests/support/listener';
import {
  codeField,
  connectionChoice,
  enterCode,
  expectVerdict,
} from '#tests/support/pages/popup-page';
import { deleteFirstConnection, editConnection } from '#tests/support/pages/options-page';
import { takeTab } from '#tests/support/tabs';

const codes = sampleCodes('/demo');
const endpoint = 'validation';

/** How often a request is sent at most: once, and two retries. */
const everyTry = 3;

/**
 * What the browser's own network makes of a server; `tests/adapters/http`, `tests/core/marketplaces` have what stands
 * in replies.
 */
const faults = [
  // The browser itself asks once more where a connection that was kept alive is reset.
  {
    command: { fault: 'reset', times: everyTry + 1 },
    kind: 'unreachable',
    sentence: 'demo could not be reached',
    code: 'supported',
  },
  {
    command: { fault: 'cut-off', times: everyTry },
    kind: 'unreachable',
    sentence: 'demo could not be reached',
    code: 'extended',
  },
  {
    command: { fault: 'endless' },
    kind: 'too-large',
    sentence: 'demo sent far too much data',
    code: 'endsTomorrow',
  },
] as const;

test('what stands between the agent and the answer is said, and the agent can ask again', async ({
  connected,
  extension,
  sandbox,
}) => {
  const popup = await connected('/demo', '/market');
  // Its ten seconds pass while the others are looked at.
  const silent = await extension.open('popup.html');
  await sandbox.injectFault('/market', { fault: 'silence', endpoint, times: everyTry });
  await connectionChoice(silent).selectOption({ label: 'market' });
  await enterCode(silent, sampleCodes('/market').supported);
  const asked = async (): Promise<string[]> =>
    (await sandbox.requests())
      .map(({ path }) => path)
      .filter((path) => path.startsWith('/market/') && path.endsWith('/purchases/validation'));
  await expect.poll(asked).toHaveLength(1);

  await popup.bringToFront();
  await connectionChoice(popup).selectOption({ label: 'demo' });
  for (const { command, kind, sentence, code } of faults)
    await test.step(`${command.fault}: “${sentence}”`, async () => {
      await sandbox.injectFault('/demo', { ...command, endpoint });
      const seen = await checkCode(popup, codes[code]);
      expect(seen).toMatchObject({ verdict: 'fault', fault: kind, sentence });
      await expect(popup.locator('[data-verdict]')).toContainText(
        'This says nothing about the code.',
      );
      await sandbox.removeFaults();
      expect(await checkCode(popup, codes[code])).toMatchObject({ verdict: 'supported' });
    });

  await test.step('a redirect is not followed: the other origin sees no request', async () => {
    const elsewhere = await listen();
    await sandbox.injectFault('/demo', {
      fault: 'redirect',
      to: `${elsewhere.origin}/api`,
      times: 100,
    });
    expect(await checkCode(popup, codes.lapsed)).toMatchObject({
      verdict: 'fault',
      fault: 'redirected',
      sentence: 'demo redirects every request',
    });
    expect(elsewhere.requests).toEqual([]);
    await elsewhere.close();
    await sandbox.removeFaults();
  });

  await test.step('a busy server is asked again when it said, and meanwhile the wait is shown', async () => {
    await sandbox.injectFault('/demo', { fault: 'busy-503', retryAfter: 3, endpoint });
    await popup.reload();
    await enterCode(popup, codes.noSupport);
    await expect(popup.getByText(/Asking again in \d s/)).toBeVisible();
    await expect(popup.locator('[data-fault="server-error"]')).toBeVisible();
    await expectVerdict(popup, 'no-support');
  });

  await test.step('a server that says nothing is given up, and not asked twice', async () => {
    await silent.bringToFront();
    const verdict = silent.locator('[data-verdict="fault"]:not([aria-busy="true"])');
    await expect(verdict).toHaveAttribute('data-fault', 'timeout');
    await expect(verdict.getByRole('heading').first()).toHaveText('market did not answer in time');
    expect(await asked()).toHaveLength(1);
  });

  await test.step('with the network off this computer is offline', async () => {
    await popup.bringToFront();
    // A page that is loaded anew may end for its process, which is the worker's as well, what was set before.
    await popup.reload();
    await extension.now.context.setOffline(true);
    expect(await checkCode(popup, codes.lapsedYesterday)).toMatchObject({
      verdict: 'fault',
      fault: 'offline',
      sentence: 'This computer is offline',
    });
    await extension.now.context.setOffline(false);
    // The page asks again by itself.
    await expectVerdict(popup, 'lapsed');
  });
});

test("the fault buttons of the sandbox's page decide the next answer; what is wrong with a connection is named", async ({
  connect,
  connected,
  extension,
  sandbox,
}) => {
  const popup = await connected('/demo');
  await test.step('the buttons', async () => {
    const page = await takeTab(extension.now.context);
    await page.goto(sandbox.origin);
    await page.getByLabel('Next answer of').selectOption('/demo');
    await page.getByRole('button', { name: 'Half of the JSON' }).click();
    await expect(page.getByRole('status')).toHaveText('Next answer of /demo: Half of the JSON.');
    expect(await checkCode(popup, codes.supported)).toMatchObject({ fault: 'not-json' });
    await page.getByRole('button', { name: 'Half of the JSON' }).click();
    await page.getByRole('button', { name: 'Remove all that wait' }).click();
    await expect(page.getByRole('status')).toHaveText('No fault waits. Every answer is right.');
    expect(await checkCode(popup, codes.lapsed)).toMatchObject({ verdict: 'lapsed' });
    await page.close();
  });

  const options = await extension.open('options.html');
  await test.step('a wrong key is named as such, not as a wrong code', async () => {
    await editConnection(options);
    await options.getByLabel('API key', { exact: true }).fill('a-key-of-nobody');
    await options.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(options.getByText(/does not accept it/)).toBeVisible();
    await options.getByRole('button', { name: 'Cancel' }).click();
    const seen = await checkCode(popup, codes.supported);
    expect(seen).toMatchObject({
      verdict: 'fault',
      fault: 'refused',
      sentence: 'demo does not accept the API key',
    });
    await expect(popup.locator('[data-verdict]')).toContainText('Invalid request');
  });

  await test.step('an origin that the browser no longer allows is named', async () => {
    await options.evaluate(() => chrome.permissions.remove({ origins: ['http://127.0.0.1/*'] }));
    expect(await checkCode(popup, codes.supported)).toMatchObject({
      verdict: 'fault',
      fault: 'not-permitted',
      sentence: 'The browser is not allowed to reach demo',
    });
    await expect(popup.getByRole('button', { name: 'Allow access' })).toBeVisible();
  });

  await test.step('a connection deleted meanwhile is named', async () => {
    await connect('/market');
    await popup.reload();
    const field = codeField(popup);
    await field.fill(codes.supported);
    await deleteFirstConnection(options);
    await popup.bringToFront();
    await field.press('Enter');
    await expect(popup.locator('[data-fault="no-connection"]')).toContainText(
      'This marketplace is no longer set up',
    );
  });
});
