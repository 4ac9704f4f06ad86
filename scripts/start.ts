import { mkdir, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';

import type { RunningAuthority } from '#sandbox/authority/server';
import { sampleCodes } from '#sandbox/seed/sample-codes';
import { buildExtension } from '#scripts/build/build';
import { parsePort, Refusal, runCommand } from '#scripts/command-line/refusal';
import { obtainChromium } from '#scripts/machine/system-packages';
import { endAllOnSignals, root, untilAskedToStop } from '#scripts/machine/processes';
import {
  type ConnectionEntry,
  type Seen,
  addAuthority,
  addConnection,
  checkCode,
  pinTestKey,
} from '#scripts/running/agent';
import { type Extension, grantHosts, launchExtension, openPage } from '#scripts/running/extension';
import { startSandboxRelay } from '#scripts/running/start-relay';
import { startSandboxAtFreePorts } from '#scripts/running/start-sandbox';

interface FirstCheck extends Seen {
  readonly code: string;
  /** The item's name on the page; `null` where none is shown. */
  readonly item: string | null;
  /** ISO 8601, from the page's `time` element. */
  readonly supportedUntil: string | null;
  readonly screenshot: string;
}

/**
 * Makes a first run: starts a browser with the extension on an empty profile, adds a connection on the options page and
 * checks one code in the popup. The browser stays open.
 */
async function makeFirstCheck(plan: {
  readonly executablePath: string;
  readonly headless: boolean;
  /** A folder; its content is deleted. */
  readonly profile: string;
  readonly connection: ConnectionEntry;
  readonly code: string;
  readonly screenshot: string;
}): Promise<{ extension: Extension; check: FirstCheck }> {
  const { executablePath, headless, profile, connection, code, screenshot } = plan;
  await rm(profile, { recursive: true, force: true });
  await grantHosts(profile, ['http://127.0.0.1/*']);
  const extension = await launchExtension(profile, { executablePath, headless });

  const options = await openPage(extension, 'options.html');
  await addConnection(options, connection);
  await options.close();

  const popup = await openPage(extension, 'popup.html');
  await popup.setViewportSize({ width: 384, height: 600 });
  const checked = await checkCode(popup, code);
  const seen = { ...checked, milliseconds: Math.round(checked.milliseconds) };
  await popup.waitForLoadState('networkidle');
  await popup.screenshot({ path: screenshot, fullPage: true });
  const verdict = popup.locator('[data-verdict]').first();
  const item = verdict.locator('h3');
  const until = verdict.locator('h2 time');
  return {
    extension,
    check: {
      ...seen,
      code,
      item: (await item.count()) === 0 ? null : await item.first().innerText(),
      supportedUntil:
        (await until.count()) === 0 ? null : await until.first().getAttribute('datetime'),
      screenshot,
    },
  };
}

/**
 * Pins the sandbox's key in the verifier and adds its authority as a test authority, so that the sandbox's sample files
 * can be verified. The verifier stays open.
 */
async function setUpAuthority(
  extension: Extension,
  { origin, publicKey }: RunningAuthority,
): Promise<void> {
  const verifier = await openPage(extension, 'verifier.html');
  await pinTestKey(verifier, publicKey.pem);
  const options = await openPage(extension, 'options.html');
  await addAuthority(options, {
    name: 'Sandbox authority',
    address: origin,
    keys: ['Sandbox'],
  });
  await options.close();
  await verifier.reload();
}

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
    log(`Other marketplaces to connect, with a purchase at each: ${seller.origin}/#marketplaces`);
    if (relay !== undefined) log(`Team relay: ${relay.origin}/ (an invite: ${relay.invite})`);
    log(`License server, set up in the verifier: ${authority.origin}/`);
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
