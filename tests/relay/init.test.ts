import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';

import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import type { MarketplaceId } from '#core/marketplaces/marketplace-id';
import { store as ownStore } from '#sandbox/marketplaces/lemon-squeezy';
import { freePorts } from '#scripts/machine/processes';
import { type CountingUpstream, countingUpstream } from '#tests/relay/support/counting-upstream';
import { relayProgram } from '#tests/relay/support/once-in-run';
import { createTestDatabase } from '#tests/relay/support/postgres';
import type { TestDatabase } from '#tests/relay/support/prepared-postgres';
import { callThrough, stores, validation } from '#tests/relay/support/relay';
import { bareEnvironment, type ProgramEnd, runProgram } from '#tests/relay/support/run-program';
import { openSandbox } from '#tests/support/sandbox';

const main = await relayProgram();
const template = fileURLToPath(new URL('../../relay/deploy/relay.env', import.meta.url));
const apiKey = 'key-0123456789';
const agent = 'ada@fenwick.test';

let seller: CountingUpstream;
let folder: string;
let port: number;
beforeEach(async () => {
  seller = await countingUpstream();
  folder = mkdtempSync(join(tmpdir(), 'relay-init-'));
  copyFileSync(template, join(folder, 'relay.env'));
  [port = 0] = await freePorts(1);
});
afterEach(async () => {
  await seller.close();
  rmSync(folder, { recursive: true });
});

/** Runs a command in the folder, with nothing in the environment but a port. */
function run(args: readonly string[], input = ''): Promise<ProgramEnd> {
  const env = { ...bareEnvironment, RELAY_PORT: String(port), RELAY_METRICS_PORT: '0' };
  return runProgram(process.execPath, [main, ...args], { cwd: folder, env, input });
}

const least = (): string[] => ['init', '--marketplace', seller.origin, '--agent', agent];
const files = (): string[] => readdirSync(folder).filter((name) => !name.startsWith('relay.db'));
const variables = (name: string): NodeJS.Dict<string> =>
  parseEnv(readFileSync(join(folder, name), 'utf8'));

/** Starts the relay that the folder holds; returns what stops it. */
async function serve(): Promise<() => Promise<void>> {
  const env = { ...bareEnvironment, RELAY_PORT: String(port), RELAY_METRICS_PORT: '0' };
  const relay = spawn(process.execPath, [main], { cwd: folder, env });
  await once(relay.stdout, 'data');
  return async () => {
    relay.kill('SIGTERM');
    await once(relay, 'exit');
  };
}

test('a marketplace goes by its name, and by its store where it answers for every one', async () => {
  const sandbox = await openSandbox();
  const init = (id: MarketplaceId, ...more: string[]): Promise<ProgramEnd> => {
    const address = `${sandbox.origin}/${id}`;
    const named = ['init', '--marketplace', id, '--address', address, '--id', id, '--agent', agent];
    return run([...named, ...more], sandbox.tokens[`/${id}`].whole);
  };
  expect((await init('envato')).stdout).toContain('takes the API key');
  expect((await init('lemon-squeezy')).stderr).toContain('--store is missing: the');
  expect((await init('lemon-squeezy', '--store', ownStore)).stdout).toContain('takes the API key');
  expect((await init('lemon-squeezy', '--store', '815')).stderr).toContain('is set up otherwise');
  expect((await run(['admin', 'connections', 'list'])).stdout).toMatch(
    /^envato\t.*\tenvato\t.*\tkey 1\nlemon-squeezy\t.*\tlemon-squeezy\tstore 4711\t.*\tkey 1\n$/u,
  );
  await sandbox.close();
});

test('a shop has an address of its own, which is asked for', async () => {
  const sandbox = await openSandbox();
  const id = 'easy-digital-downloads';
  const named = ['init', '--marketplace', id, '--id', id, '--agent', agent];
  const { whole } = sandbox.tokens[`/${id}`];
  expect((await run(named, whole)).stderr).toContain('Missing: --address.');
  const address = ['--address', `${sandbox.origin}/${id}`];
  expect((await run([...named, ...address], whole)).stdout).toContain('takes the API key');
  await sandbox.close();
});

describe.each(stores)('on %s', (store) => {
  test('one command leads to a relay that answers, and a second terminal needs nothing', async () => {
    const more: string[] = [];
    if (store === 'PostgreSQL') {
      const database = await createTestDatabase();
      await database.run('DROP SCHEMA relay CASCADE');
      more.push('--database', database.owner, '--runner', 'relay_runner');
    }
    const told = await run([...least(), ...more, '--name', 'Ada’s team #1'], `${apiKey}\n`);
    expect([told.status, told.stderr]).toEqual([0, '']);
    expect(told.stdout).toContain(`${seller.origin} takes the API key`);
    expect(told.stdout).not.toContain(apiKey);
    const owners = store === 'PostgreSQL' ? ['owner.env'] : [];
    expect(files()).toEqual(['master.key', ...owners, 'relay.env']);
    expect(variables('relay.env')['RELAY_NAME']).toBe('Ada’s team #1');

    const stop = await serve();
    const redeemed = await run(['admin', 'invites', 'redeem'], told.stdout);
    const base = `http://127.0.0.1:${String(port)}/c/shop`;
    const token = redeemed.stdout.trim();
    const reply = await callThrough(base, token, validation, { code: 'c' });
    expect(reply.status).toBe(200);
    const doctor = await run(['doctor']);
    expect([doctor.status, doctor.stdout]).toEqual([0, expect.not.stringContaining('problem')]);
    if (store === 'PostgreSQL') expect(doctor.stdout).toContain('with the role relay_runner');
    // The runner's role may not read the audit: the command takes the owner's.
    expect((await run(['admin', 'audit', 'csv'])).stdout).toContain(',reply,');
    await stop();
  });

  test('a second run changes nothing but the invite', async () => {
    const more: string[] = [];
    if (store === 'PostgreSQL')
      more.push('--database', (await createTestDatabase()).owner, '--runner', 'relay_runner');
    const first = await run([...least(), ...more], apiKey);
    const before = ['master.key', 'relay.env'].map((name) => readFileSync(join(folder, name)));
    const second = await run(least());
    expect([second.status, second.stderr]).toEqual([0, '']);
    expect(['master.key', 'relay.env'].map((name) => readFileSync(join(folder, name)))).toEqual(
      before,
    );
    expect((await run(['admin', 'connections', 'list'])).stdout).toMatch(/^shop\t.*key 1\n$/);
    expect((await run(['admin', 'invites', 'redeem'], first.stdout)).stderr).toContain('was used');
    expect((await run(['admin', 'invites', 'redeem'], second.stdout)).status).toBe(0);
    const third = await run(least());
    expect(third.stdout).toMatch(/ada@fenwick\.test has joined\.\n$/);
  });
});

/** Has PostgreSQL ask for passwords for a database, as a stock installation does. */
async function askForPasswords(database: TestDatabase, name: string): Promise<void> {
  const [row] = await database.run('SHOW hba_file');
  const file = String(row?.['hba_file']);
  const before = readFileSync(file, 'utf8');
  writeFileSync(file, `host ${name} all 127.0.0.1/32 scram-sha-256\n${before}`);
  await database.run('SELECT pg_reload_conf()');
  const client = (): Client =>
    new Client(`postgres://postgres@127.0.0.1:${String(database.port)}/${name}`);
  const isRefused = (): Promise<boolean> => {
    const one = client();
    return one.connect().then(
      () => one.end().then(() => false),
      () => true,
    );
  };
  await expect.poll(isRefused).toBe(true);
}

test('on a PostgreSQL that asks for passwords one line makes roles and database, and init signs in as both', async () => {
  const database = await createTestDatabase();
  const name = `shop_${crypto.randomUUID().slice(0, 8)}`;
  const host = `127.0.0.1:${String(database.port)}`;
  const roles = ['--owner', `${name}_owner`, '--runner', `${name}_runner`];
  const create = ['admin', 'database', 'create', '--host', host, '--name', name, ...roles];
  const created = await run(create);
  expect([created.status, created.stderr]).toEqual([0, '']);
  // Run again it keeps the passwords.
  expect((await run(create)).stdout).toBe(created.stdout);
  const { port: at } = database;
  const psql = ['-h', '127.0.0.1', '-p', String(at), '-U', 'postgres', '-d', 'postgres', '-q'];
  const made = await runProgram(join(database.programs, 'psql'), psql, { input: created.stdout });
  expect([made.status, made.stderr]).toEqual([0, '']);
  await askForPasswords(database, name);

  expect((await run(least(), apiKey)).stdout).toContain('The relay is ready.');
  const serving = variables('relay.env')['DATABASE_URL'] ?? '';
  expect(new URL(serving)).toMatchObject({
    username: `${name}_runner`,
    password: expect.stringMatching(/^[0-9a-f]{48}$/) as string,
  });
  const ready = run(['ready', '--wait']);
  const stop = await serve();
  expect((await ready).status).toBe(0);
  await stop();

  const env = readFileSync(join(folder, 'relay.env'), 'utf8');
  writeFileSync(join(folder, 'relay.env'), env.replace(/(?<=_runner):\w+(?=@)/, ''));
  const advice = expect.stringContaining(
    `DATABASE_URL has no password of ${name}_runner`,
  ) as string;
  const told = await run(least());
  expect([told.status, told.stderr]).toEqual([1, advice]);
  expect((await run(['doctor'])).stdout).toEqual(advice);
  // The server itself would hold the connection for a minute.
  const served = await run([]);
  expect([served.status, served.stderr]).toEqual([1, advice]);
});

test.each([
  'init',
  'doctor',
  'ready',
  'settings',
  'settings sign',
  'settings keygen',
  'admin',
  'admin agents add',
  'admin database create',
])('%s --help says what it takes, and does nothing', async (command) => {
  const { status, stdout, stderr } = await run([...command.split(' '), '--help']);
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toContain(command.split(' ').slice(-1).join(''));
  expect(readdirSync(folder)).toEqual(['relay.env']);
});

test('a relay does not serve from a database that is not there, nor make it', async () => {
  writeFileSync(
    join(folder, 'relay.env'),
    'RELAY_DATABASE=relay.bd\nRELAY_MASTER_KEY=master.key\n',
  );
  await run(['admin', 'master-key', 'create', 'master.key']);
  const served = await run([]);
  expect([served.status, served.stderr]).toEqual([
    1,
    expect.stringContaining('There is no database relay.bd: RELAY_DATABASE names another file'),
  ]);
  expect((await run(['ready'])).stderr).toContain(
    `Nothing answers at http://127.0.0.1:${String(port)}`,
  );
  expect(readdirSync(folder)).toEqual(['master.key', 'relay.env']);
});

test('files with the passwords of PostgreSQL are for their owner alone, but for a group that is meant', async () => {
  const modeOf = (name: string): number => statSync(join(folder, name)).mode & 0o777;
  chmodSync(join(folder, 'relay.env'), 0o644);
  await run(['admin', 'database', 'create']);
  expect(['relay.env', 'owner.env'].map(modeOf)).toEqual([0o600, 0o600]);
  chmodSync(join(folder, 'relay.env'), 0o640);
  await run(['admin', 'database', 'create', '--host', 'db.test']);
  expect(modeOf('relay.env')).toBe(0o640);
});

test('an invite that was there before is said to hold no longer', async () => {
  expect((await run(least(), apiKey)).stdout).not.toContain('no longer holds');
  expect((await run(least())).stdout).toContain(
    'The invite that was there before no longer holds.',
  );
});

test('with a signer the team’s settings are signed too', async () => {
  const told = await run([...least(), '--signer', 'team-signer.pem'], apiKey);
  expect(told.stderr).toBe('');
  expect(told.stdout).toMatch(/^fingerprint\t/m);
  expect(told.stdout).toContain('Move team-signer.pem to a machine of your own.');
  const shown = (await run(['admin', 'settings', 'show'])).stdout;
  expect(shown).toContain(`http://127.0.0.1:${String(port)}/c/shop`);
  expect((await run([...least(), '--signer', 'team-signer.pem'])).stdout).toContain('stay as they');
});

test('the connection is for some roles alone where that is said, and for none that is not there', async () => {
  const some = [...least(), '--roles', 'lead,agent'];
  const refused = await run(some, apiKey);
  expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining('roles set lead')]);
  await run(['admin', 'roles', 'set', 'lead', 'report']);
  expect((await run(some, apiKey)).status).toBe(0);
  const listed = (await run(['admin', 'connections', 'list'])).stdout;
  expect(listed).toMatch(/^shop\t.*for lead, agent.*key 1$/m);
  // Run again it stays as it is.
  expect((await run(some)).status).toBe(0);
});

test('a key that the marketplace refuses is not kept, and the next run ends what the first began', async () => {
  seller.replyWith({ status: 403, body: '{"status":"error","msg":"Invalid API key"}' });
  const refused = await run(least(), apiKey);
  expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining('refuses the key')]);
  expect((await run(['admin', 'connections', 'list'])).stdout).toContain('no key');
  seller.replyWith(undefined);
  expect((await run(least(), apiKey)).status).toBe(0);
});

test('an address with a slip can be put right by another run', async () => {
  const wrong = ['init', '--marketplace', 'http://127.0.0.1:9', '--agent', agent];
  expect((await run(wrong, apiKey)).stderr).toContain('nothing listens there');
  expect((await run(least(), apiKey)).status).toBe(0);
  const other = await run(wrong, apiKey);
  expect([other.status, other.stderr]).toEqual([1, expect.stringContaining('already, to')]);
});

test('another master key than the database’s is not made', async () => {
  await run(least(), apiKey);
  rmSync(join(folder, 'master.key'), { force: true });
  const told = await run(least(), apiKey);
  expect([told.status, told.stderr]).toEqual([1, expect.stringContaining('put it back')]);
  expect(files()).not.toContain('master.key');
});

test.each([
  [['--marketplace', 'https://market.test'], 'Missing: --agent.'],
  [['--agent', agent], 'Missing: --marketplace.'],
  [
    ['--marketplace', 'https://market.test', '--agent', agent, '--origin', 'http://relay.test'],
    'RELAY_ORIGIN is',
  ],
  [['--marketplace', 'ftp://market.test', '--agent', agent], 'That is no base address'],
])('%o is refused, and nothing is made', async (args, sentence) => {
  const told = await run(['init', ...args], apiKey);
  expect([told.status, told.stderr]).toEqual([1, expect.stringContaining(sentence)]);
  expect(readdirSync(folder)).toEqual(['relay.env']);
});

test('what stands in the environment file stays, and nobody else may read it', async () => {
  rmSync(join(folder, 'relay.env'));
  writeFileSync(join(folder, 'relay.env'), '# ours\nRELAY_NOTICE_MS=4000', { mode: 0o600 });
  await run(least(), apiKey);
  expect(readFileSync(join(folder, 'relay.env'), 'utf8')).toMatch(
    /^# ours\nRELAY_NOTICE_MS=4000\n/,
  );
  expect((statSync(join(folder, 'relay.env')).mode & 0o777).toString(8)).toBe('600');
});

test('the owner’s password is not taken from a command line, and stands in no file', async () => {
  const database = await createTestDatabase();
  const address = new URL(database.owner);
  address.password = 'owner-secret';
  const role = ['--runner', 'relay_runner'];
  const refused = await run([...least(), '--database', address.href, ...role], apiKey);
  expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining('PGPASSWORD')]);
  expect(files()).toEqual(['relay.env']);
  const env = {
    ...bareEnvironment,
    RELAY_PORT: String(port),
    RELAY_METRICS_PORT: '0',
    DATABASE_URL: address.href,
  };
  const args = [main, ...least(), ...role];
  const told = await runProgram(process.execPath, args, { cwd: folder, env, input: apiKey });
  expect([told.status, told.stderr]).toEqual([0, '']);
  expect(files()).toEqual(['master.key', 'relay.env']);
  expect(readFileSync(join(folder, 'relay.env'), 'utf8')).not.toContain('owner-secret');
});
