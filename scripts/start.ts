import { mkdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';

import { sampleCodes } from '#sandbox/seed/sample-codes';
import { obtainChromium } from '#scripts/machine/browsers';
import { buildExtension } from '#scripts/build/build';
import { type FirstCheck, makeFirstCheck } from '#scripts/running/first-check';
import { parsePort } from '#scripts/command-line/number-argument';
import { endAllOnSignals, root, untilAskedToStop } from '#scripts/machine/processes';
import { Refusal, runCommand } from '#scripts/command-line/refusal';
import { setUpAuthority } from '#scripts/running/set-up-authority';
import { startSandboxRelay } from '#scripts/running/start-relay';
import { startSandboxAtFreePorts } from '#scripts/running/start-sandbox';

const removeSignalHandlers = endAllOnSignals();
const expectedVerdict = 'supported';

await runCommand(async () => {
  const { port, once, json, headless, relay: withRelay } = readArguments();
  // With --json only the result goes to stdout; messages for people go to stderr.
  const log = json ? console.error : console.log;
  const folder = join(root, '.sandbox');
  await mkdir(folder, { recursive: true });
  // Before the build, which takes long enough for another program to take the ports.
  const sandbox = await startSandboxAtFreePorts({ port, db: join(folder, 'sandbox.db') });
  const { seller, authority } = sandbox;
  const executablePath = await obtainChromium(log);
  await buildExtension(log);

  const account = { baseAddress: `${seller.origin}/demo`, apiKey: seller.keys['/demo'] };
  const relay = withRelay
    ? await startSandboxRelay(join(folder, `relay-${String(seller.port)}`), account)
    : undefined;

  const { extension, check } = await makeFirstCheck({
    executablePath,
    headless,
    profile: join(folder, `profile-${String(seller.port)}`),
    connection: relay?.connection ?? { name: 'Sandbox', ...account },
    code: sampleCodes('/demo').supported,
    screenshot: join(folder, 'first-check.png'),
  });

  log(formatCheck(check));
  if (json) console.log(toJson(check));
  if (!once) {
    await setUpAuthority(extension, authority);
    log(`Seller API, with its addresses, keys and sample codes: ${seller.origin}/`);
    if (relay !== undefined) log(`Team relay: ${relay.origin}/ (an invite: ${relay.invite})`);
    log(`License authority, set up in the verifier: ${authority.origin}/`);
    log('Ctrl-C ends browser and sandbox.');
    const page = await extension.context.newPage();
    await page.goto(seller.origin);
    removeSignalHandlers();
    await Promise.race([
      untilAskedToStop(),
      new Promise((closed) => extension.context.once('close', closed)),
    ]);
  }
  await extension.context.close();
  await relay?.stop();
  await sandbox.close();
  return check.verdict === expectedVerdict ? 0 : 1;
});

function readArguments(): {
  port: number | undefined;
  once: boolean;
  json: boolean;
  headless: boolean;
  relay: boolean;
} {
  let values;
  try {
    ({ values } = parseArgs({
      options: {
        port: { type: 'string' },
        once: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        relay: { type: 'boolean', default: false },
        headless: { type: 'boolean', default: !hasDisplay() },
      },
    }));
  } catch {
    throw new Refusal(
      'Usage: npm start -- [--once] [--json] [--headless] [--relay] [--port NUMBER]',
    );
  }
  if (values.port === undefined) return { ...values, port: undefined };
  return { ...values, port: parsePort(values.port, { min: 1, max: 65_534 }) };
}

function hasDisplay(): boolean {
  if (process.platform !== 'linux') return true;
  return [process.env['DISPLAY'], process.env['WAYLAND_DISPLAY']].some(
    (display) => display !== undefined && display !== '',
  );
}

function formatCheck(check: FirstCheck): string {
  return [
    `${check.sentence} (${check.verdict})`,
    `  ${check.item ?? 'no item'} · ${check.code} · ${String(check.milliseconds)} ms from Enter to verdict`,
    `  Screenshot: ${relative(process.cwd(), check.screenshot)}`,
  ].join('\n');
}

function toJson(check: FirstCheck): string {
  const { verdict, code, item, supportedUntil, milliseconds, screenshot } = check;
  return JSON.stringify({ verdict, code, item, supportedUntil, milliseconds, screenshot });
}
