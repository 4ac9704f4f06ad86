import { sampleCodes } from '#sandbox/seed/sample-codes';
import { addConnection, checkCode } from '#scripts/running/agent';
import { expect, test } from '#tests/support/connected';
import { listen } from '#tests/support/listener';
import { filesHolding, recordMessages, storedText, textOf } from '#tests/support/traces';
import { settledVerdicts } from '#tests/support/pages/popup-page';
import { testFirstConnection } from '#tests/support/pages/options-page';

const codes = sampleCodes('/demo');

test('the API key is found nowhere but in the requests to its own base address', async ({
  extension,
  sandbox,
}) => {
  const canary = sandbox.keys['/demo'];
  const { context } = extension.now;
  const logged: string[] = [];
  context.on('console', (message) => logged.push(message.text()));
  extension.now.worker.on('console', (message) => logged.push(message.text()));
  await recordMessages(context);
  const elsewhere = await listen();

  const options = await extension.open('options.html');
  await addConnection(options, sandbox.connection('/demo', 'Canary'));
  await addConnection(options, {
    name: 'Elsewhere',
    baseAddress: elsewhere.origin,
    apiKey: 'another-key-altogether',
  });
  await testFirstConnection(options);

  const popup = await extension.open('popup.html');
  const seen: string[] = [];
  for (const code of [codes.supported, codes.unknown, codes.noSupport]) {
    if (code === codes.noSupport)
      await sandbox.injectFault('/demo', { fault: 'html-500', times: 9 });
    await checkCode(popup, code);
    await expect(settledVerdicts(popup)).toHaveCount(1);
    seen.push(await textOf(popup));
  }
  seen.push(await textOf(options));

  expect(elsewhere.requests.length).toBeGreaterThan(0);
  expect(elsewhere.requests.filter((request) => request.includes(canary))).toEqual([]);
  const elsewhereInSandbox = (await sandbox.requests()).filter(
    ({ path }) => !path.startsWith('/demo/api/'),
  );
  expect(JSON.stringify(elsewhereInSandbox)).not.toContain(canary);
  expect(JSON.stringify(await sandbox.requests())).toContain(canary);

  for (const [place, text] of Object.entries(await storedText(options))) {
    expect(text, place).not.toContain(canary);
  }
  expect(seen.filter((text) => text.includes(canary))).toEqual([]);
  expect(logged.filter((text) => text.includes(canary))).toEqual([]);

  const messages = [
    ...(await options.evaluate(() => window.sentMessages ?? [])),
    ...(await popup.evaluate(() => window.sentMessages ?? [])),
  ];
  expect(messages.length).toBeGreaterThan(5);
  const carrying = messages.filter((message) => message.includes(canary));
  expect(carrying.map((message) => (JSON.parse(message) as Sent).message.topic)).toEqual([
    'connections.save',
  ]);
  expect(JSON.stringify((JSON.parse(carrying[0] ?? '{}') as Sent).answer)).not.toContain(canary);

  await context.close();
  expect(await filesHolding(extension.profile, canary)).toEqual([]);
  await elsewhere.close();
});

interface Sent {
  readonly message: { readonly topic: string };
  readonly answer: unknown;
}
