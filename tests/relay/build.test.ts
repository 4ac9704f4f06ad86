import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';

import { nobleEngine } from '#core/keys/ed25519';
import { type SignedTeamSettings, verifyTeamSettings } from '#core/team/index';
import { freePorts, run } from '#scripts/machine/processes';
import { countingUpstream } from '#tests/relay/support/counting-upstream';
import { createTestDatabase } from '#tests/relay/support/postgres';
import { callThrough, validation } from '#tests/relay/support/relay';
import { type ProgramEnd, runProgram } from '#tests/relay/support/run-program';

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

test('the license of each package goes along, also where it stands in no file of its own', () => {
  const sections = readFileSync(join(folder, 'third-party.md'), 'utf8').split(/^## /m).slice(1);
  const named = sections.map((section) => section.split(' ', 1)[0]);
  expect(named).toEqual(expect.arrayContaining(['pg', 'pg-types', 'pgpass']));
  const grants = /Permission is hereby granted|Permission to use|Redistribution and use/i;
  expect(sections.filter((section) => !grants.test(section))).toEqual([]);
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
    'Caddyfile',
    'Containerfile',
    'LICENSE',
    'README.md',
    'SECURITY.md',
    'alerts.yml',
    'compose.yaml',
    'counterfoil-relay@.service',
    'database.sh',
    'grafana.json',
    'haproxy.cfg',
    'nginx.conf',
    'reference.md',
    'relay.env',
    'relay.mjs',
    'third-party.md',
  ]);
});

test('every link in its documents leads to a file that is there', () => {
  const names = readdirSync(folder);
  for (const name of names.filter((file) => file.endsWith('.md') && file !== 'third-party.md')) {
    const text = readFileSync(join(folder, name), 'utf8');
    for (const [, target = ''] of text.matchAll(/\]\((?!https?:|#)([^)#]+)/g))
      expect(names, `${name} links to ${target}`).toContain(target);
  }
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

/**
 * Returns the blocks of commands in a section of the guide that lies beside the program, for another address and
 * marketplace.
 */
function guideBlocks(title: string, origin: string, marketplace: string): readonly string[] {
  const guide = readFileSync(join(folder, 'README.md'), 'utf8');
  const section = guide.split('\n## ').find((one) => one.startsWith(title)) ?? '';
  return [...section.matchAll(/(?<=^```sh\n)[^`]+/gm)].map(([lines]) =>
    lines
      .replaceAll('http://127.0.0.1:8790', origin)
      .replaceAll('https://market.example', marketplace),
  );
}

/**
 * Makes a folder with the program and a file with the API key, as a newcomer has it, and says what runs lines in it.
 */
async function newcomer(): Promise<{
  readonly origin: string;
  readonly place: string;
  readonly runLines: (lines: string) => Promise<ProgramEnd>;
}> {
  const [port] = await freePorts(1);
  const place = mkdtempSync(join(tmpdir(), 'relay-guide-'));
  onTestFinished(() => {
    rmSync(place, { recursive: true });
  });
  for (const name of ['relay.mjs', 'relay.env']) cpSync(join(folder, name), join(place, name));
  writeFileSync(join(place, 'api-key.txt'), 'key-0123456789\n');
  const { RELAY_DATABASE: _one, RELAY_MASTER_KEY: _other, ...bare } = env;
  const path = `${dirname(process.execPath)}:${String(process.env['PATH'])}`;
  return {
    origin: `http://127.0.0.1:${String(port)}`,
    place,
    runLines: (lines) => {
      const around = { ...bare, PATH: path, RELAY_PORT: String(port) };
      const script = `set -e\nshopt -s expand_aliases\n${lines}`;
      return runProgram('bash', ['-c', script], { cwd: place, env: around });
    },
  };
}

test.each(['SQLite', 'PostgreSQL'])(
  'five lines of the guide at the most lead to a first answer on %s',
  async (store) => {
    const seller = await countingUpstream();
    const { origin, place, runLines } = await newcomer();
    const [lines = ''] = guideBlocks('Five lines', origin, seller.origin);
    expect(lines.trim().split('\n')).toHaveLength(4);
    let asked = lines.replace('THE-CODE', 'c').replace('curl ', 'curl -sS ');
    if (store === 'PostgreSQL') {
      const database = await createTestDatabase();
      await database.run('DROP SCHEMA relay CASCADE');
      asked = asked.replace('init ', `init --database ${database.owner} --runner relay_runner `);
    }
    asked = asked
      .replace('node relay.mjs &', 'node relay.mjs > log.txt &')
      .replace('ready --wait', 'ready --wait > ready.txt');
    const told = await runLines(`trap 'kill %1' EXIT\n${asked}`);
    expect([told.status, told.stderr]).toEqual([0, '']);
    expect(JSON.parse(told.stdout)).toMatchObject({ status: 'success' });
    expect(seller.arrived.map(({ code }) => code)).toEqual(['', 'c']);
    expect(readFileSync(join(place, 'told.txt'), 'utf8')).toMatch(/^fingerprint\t/m);
    await seller.close();
  },
);

test('the settings that init signs lead an agent’s browser to a check', async () => {
  const seller = await countingUpstream();
  const { origin, runLines } = await newcomer();
  const [lines = ''] = guideBlocks('Five lines', origin, seller.origin);
  const [init = '', serve = '', redeem = ''] = lines.split('\n');
  expect((await runLines(init)).status).toBe(0);
  const token = (await runLines(`${redeem}\necho $TOKEN`)).stdout.trim();
  // The number of the process is written before it listens, since the test stops it by that.
  const serving = serve.replace('&', '> log.txt & echo $! > pid.txt;');
  const running = runLines(`${serving}\nwait`);
  const headers = { authorization: `Bearer ${token}` };
  const listens = (): Promise<boolean> =>
    fetch(`${origin}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  await expect.poll(listens).toBe(true);
  const given = await fetch(`${origin}/relay/v1/settings`, { headers });
  const { settings } = (await given.json()) as { settings: SignedTeamSettings };
  const known = { relay: origin, settingsKey: settings.key, version: 0 };
  const verified = await verifyTeamSettings(settings, known, nobleEngine(), Date.now());
  const [connection] = verified.ok ? verified.value.settings.connections : [];
  const reply = await callThrough(connection?.baseAddress ?? '', token, validation, { code: 'c' });
  expect(reply.status).toBe(200);
  await runLines('kill $(cat pid.txt)');
  await running;
  await seller.close();
});

test('the single steps of the guide set up the same relay', async () => {
  const seller = await countingUpstream();
  const { origin, runLines } = await newcomer();
  const [, steps = ''] = guideBlocks('Five lines', origin, seller.origin);
  const told = await runLines(
    `alias relay='node relay.mjs'\n${steps}\nrelay admin connections list`,
  );
  expect([told.status, told.stderr]).toEqual([0, '']);
  expect(told.stdout).toContain(`${origin}/relay/v1/join#invite=cfi1_`);
  expect(told.stdout).toMatch(/^shop\t.*\t60 in 60 s\tkey 1$/m);
  await seller.close();
});
