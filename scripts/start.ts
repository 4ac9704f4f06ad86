import { mkdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';

import { sampleCodes } from '#sandbox/seed/sample-codes';
import { startWholeSandbox } from '#sandbox/whole';
import { obtainChromium } from '#scripts/browsers';
import { buildExtension } from '#scripts/build';
import { type FirstCheck, makeFirstCheck } from '#scripts/first-check';
import { demandFreePort } from '#scripts/ports';
import { endAllOnSignals, root, untilAskedToStop } from '#scripts/processes';
import { Refusal, runCommand } from '#scripts/refusal';
import { setUpAuthority } from '#scripts/set-up-authority';

const giveSignalsBack = endAllOnSignals();
const expectedVerdict = 'supported';

await runCommand(async () => {
  const { port, once, json, headless } = readArguments();
  // With --json the result stands last on stdout: all that is for people goes to stderr.
  const say = json ? console.error : console.log;
  await demandFreePort(port);
  await demandFreePort(port + 1);
  const executablePath = await obtainChromium(say);
  await buildExtension(say);

  const folder = join(root, '.sandbox');
  await mkdir(folder, { recursive: true });
  const db = join(folder, 'sandbox.db');
  const sandbox = await startWholeSandbox({ port, authorityPort: port + 1, db });
  const { seller, authority } = sandbox;
  const { extension, check } = await makeFirstCheck({
    executablePath,
    headless,
    profile: join(folder, `profile-${String(port)}`),
    connection: {
      name: 'Sandbox',
      baseAddress: `${seller.origin}/demo`,
      apiKey: seller.keys['/demo'],
    },
    code: sampleCodes('/demo').supported,
    screenshot: join(folder, 'first-check.png'),
  });

  say(inWords(check));
  if (json) console.log(asJson(check));
  if (!once) {
    await setUpAuthority(extension, authority);
    say(`Seller API, with its addresses, keys and sample codes: ${seller.origin}/`);
    say(`License authority, set up in the verifier: ${authority.origin}/`);
    say('Ctrl-C ends browser and sandbox.');
    const page = await extension.context.newPage();
    await page.goto(seller.origin);
    giveSignalsBack();
    await Promise.race([
      untilAskedToStop(),
      new Promise((closed) => extension.context.once('close', closed)),
    ]);
  }
  await extension.context.close();
  await sandbox.close();
  return check.verdict === expectedVerdict ? 0 : 1;
});

function readArguments(): { port: number; once: boolean; json: boolean; headless: boolean } {
  let values;
  try {
    ({ values } = parseArgs({
      options: {
        port: { type: 'string', default: '8787' },
        once: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        headless: { type: 'boolean', default: !hasDisplay() },
      },
    }));
  } catch {
    throw new Refusal('Usage: npm start -- [--once] [--json] [--headless] [--port NUMBER]');
  }
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 1 || port > 65_534) {
    throw new Refusal(`"${values.port}" is no port: give a number from 1 to 65534.`);
  }
  return { ...values, port };
}

function hasDisplay(): boolean {
  if (process.platform !== 'linux') return true;
  return [process.env['DISPLAY'], process.env['WAYLAND_DISPLAY']].some(
    (display) => display !== undefined && display !== '',
  );
}

function inWords(check: FirstCheck): string {
  return [
    `${check.sentence} (${check.verdict})`,
    `  ${check.item ?? 'no item'} · ${check.code} · ${String(check.milliseconds)} ms from Enter to verdict`,
    `  Screenshot: ${relative(process.cwd(), check.screenshot)}`,
  ].join('\n');
}

function asJson(check: FirstCheck): string {
  const { verdict, code, item, supportedUntil, milliseconds, screenshot } = check;
  return JSON.stringify({ verdict, code, item, supportedUntil, milliseconds, screenshot });
}
