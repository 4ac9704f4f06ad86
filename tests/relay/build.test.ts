import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { nobleEngine } from '#core/license/signature/engines';
import { type SignedTeamSettings, verifyTeamSettings } from '#core/team/team-settings';
import { freePorts, run } from '#scripts/machine/processes';
import { countingUpstream } from '#tests/relay/support/counting-upstream';
import { callThrough, validation } from '#tests/relay/support/relay';
import { runProgram } from '#tests/relay/support/run-program';

// Outside the project, so that nothing is found in its node_modules.
const folder = mkdtempSync(join(tmpdir(), 'relay-build-'));
const program = join(folder, 'relay.mjs');
const database = join(folder, 'data.db');
const masterKey = join(folder, 'master.key');

beforeAll(async () => {
  const { code, output } = await run('node', ['scripts/build-relay.ts', '--out', folder]);
  expect(output).toContain('is ready to be copied');
  expect(code).toBe(0);
}, 120_000);
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const env = {
  ...process.env,
  RELAY_DATABASE: database,
  RELAY_MASTER_KEY: masterKey,
  RELAY_PORT: '0',
  RELAY_METRICS_PORT: '0',
};

async function admin(command: string, input = ''): Promise<string> {
  const args = [program, 'admin', ...command.split(' ')];
  const { stdout, stderr } = await runProgram(process.execPath, args, { cwd: folder, env, input });
  expect(stderr).toBe('');
  return stdout.trim();
}

test('the folder holds the program, its guide and what an administrator copies', () => {
  expect(readdirSync(folder).toSorted()).toEqual([
    '1.env',
    'LICENSE',
    'README.md',
    'counterfoil-relay@.service',
    'haproxy.cfg',
    'nginx.conf',
    'relay.env',
    'relay.mjs',
    'third-party.md',
  ]);
});

/** Finds a Node on this machine that is older than the relay needs. */
function olderNode(): string | undefined {
  return ['/usr/bin/node', '/usr/local/bin/node'].find((file) => {
    const { stdout } = spawnSync(file, ['--version'], { encoding: 'utf8' });
    const major = Number(/^v(\d+)/.exec(stdout)?.[1]);
    return major >= 18 && major < 24;
  });
}

const older = olderNode();
test.skipIf(older === undefined)('an older Node is told in one sentence what is needed', () => {
  for (const args of [[], ['admin', 'agents', 'list'], ['--help']]) {
    const { status, stderr } = spawnSync(older ?? '', [program, ...args], { encoding: 'utf8' });
    expect(stderr).toMatch(/^The relay needs Node 24 or newer, and this is Node [\d.]+\.\n$/);
    expect(status).toBe(1);
  }
});

test('it says its version, and how it is called', () => {
  const told = (option: string): string =>
    spawnSync(process.execPath, [program, option], { encoding: 'utf8' }).stdout;
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as Record<string, string>;
  expect(told('--version')).toBe(`${String(version)}\n`);
  expect(told('--help')).toContain(`Counterfoil relay ${String(version)}`);
  expect(told('--help')).toContain('node relay.mjs admin');
});

test('it serves with Node alone, from a folder of its own', async () => {
  const seller = await countingUpstream();
  await admin(`master-key create ${masterKey}`);
  const codes = (): string[] => seller.arrived.map(({ code }) => code);
  await admin(`connections add shop ${seller.origin}`);
  expect(await admin('keys set shop', 'key-0123456789')).toContain('The marketplace takes it.');
  await admin('agents add ada@fenwick.test');
  const token = await admin('invites redeem', await admin('invites add ada@fenwick.test'));
  const relay = spawn(process.execPath, [program], { cwd: folder, env });
  const [line] = (await once(relay.stdout, 'data')) as [Buffer];
  const { port, version } = JSON.parse(line.toString()) as { port: number; version: string };
  expect(version).toMatch(/^\d+\.\d+\.\d+/);
  const base = `http://127.0.0.1:${String(port)}/c/shop`;
  const reply = await callThrough(base, token, validation, { code: 'c' });
  expect([reply.status, codes()]).toEqual([200, ['', 'c']]);
  relay.kill('SIGTERM');
  expect(await once(relay, 'exit')).toEqual([0, null]);
  await seller.close();
});

test('the lines of the first five minutes lead an agent to a check', async () => {
  const seller = await countingUpstream();
  const [port] = await freePorts(1);
  const origin = `http://127.0.0.1:${String(port)}`;
  const place = mkdtempSync(join(tmpdir(), 'relay-guide-'));
  cpSync(program, join(place, 'relay.mjs'));
  writeFileSync(join(place, 'api-key.txt'), 'key-0123456789\n');
  const [setUp = '', withoutBrowser = ''] = readFileSync(join(folder, 'README.md'), 'utf8')
    .split('## ')
    .filter((section) => section.startsWith('Five minutes'))
    .flatMap((section) => section.match(/(?<=^```sh\n)[^`]+/gm))
    .map((lines) =>
      String(lines)
        .replaceAll('http://127.0.0.1:8790', origin)
        .replaceAll('https://market.example', seller.origin)
        .replace(/(?<=--expires )\S+/, '2099-01-01'),
    );
  const [preparation = '', ...rest] = setUp.split(/^relay +#.*\n/m);
  expect(rest, 'the last line serves').toEqual(['']);
  const [redeeming = '', ...asking] = withoutBrowser.split(/^curl .*\n/m);
  expect(asking, 'the last line asks').toEqual(['']);

  const { RELAY_DATABASE: _one, RELAY_MASTER_KEY: _other, ...bare } = env;
  const script = ['shopt -s expand_aliases; set -e', preparation, redeeming, 'echo "$TOKEN"'];
  writeFileSync(join(place, 'lines.sh'), script.join('\n'));
  const told = await runProgram('bash', ['lines.sh'], { cwd: place, env: bare });
  expect([told.status, told.stderr]).toEqual([0, '']);
  expect(told.stdout).toContain(`${origin}/relay/v1/join#invite=cfi1_`);
  const token = told.stdout.trim().split('\n').at(-1) ?? '';

  const relay = spawn(process.execPath, [program], {
    env: {
      ...bare,
      RELAY_DATABASE: join(place, 'relay.db'),
      RELAY_MASTER_KEY: join(place, 'master.key'),
      RELAY_PORT: String(port),
    },
  });
  await once(relay.stdout, 'data');
  const headers = { authorization: `Bearer ${token}` };
  const given = await fetch(`${origin}/relay/v1/settings`, { headers });
  const { settings } = (await given.json()) as { readonly settings: SignedTeamSettings };
  const known = { relay: origin, settingsKey: settings.key, version: 0 };
  const verified = await verifyTeamSettings(settings, known, nobleEngine(), Date.now());
  const [connection] = verified.ok ? verified.value.settings.connections : [];
  const reply = await callThrough(connection?.baseAddress ?? '', token, validation, { code: 'c' });
  expect([connection?.name, reply.status]).toEqual(['Example shop', 200]);
  expect(seller.arrived.map(({ code }) => code)).toEqual(['', 'c']);
  relay.kill('SIGTERM');
  await once(relay, 'exit');
  await seller.close();
  rmSync(place, { recursive: true });
});
