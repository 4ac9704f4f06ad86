import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import {
  createServer as createHttpServer,
  type IncomingHttpHeaders,
  request,
  type RequestListener,
} from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';

import { runSigning } from '#relay/signing/signing';
import { freePorts } from '#scripts/machine/processes';
import { type CountingUpstream, countingUpstream } from '#tests/relay/support/counting-upstream';
import { relayProgram } from '#tests/relay/support/once-in-run';
import { createTestDatabase } from '#tests/relay/support/postgres';
import { type RelayFiles, relayFiles, type StartedRelay } from '#tests/relay/support/relay';
import { bareEnvironment, type ProgramEnd, runProgram } from '#tests/relay/support/run-program';

const main = await relayProgram();
const wrongClock = new URL('support/wrong-clock.ts', import.meta.url).href;
const key = 'canary-key-0123456789';

let seller: CountingUpstream;
let files: RelayFiles;
let port: number;
beforeEach(async () => {
  seller = await countingUpstream();
  files = relayFiles();
  [port = 0] = await freePorts(1);
});
afterEach(async () => {
  await seller.close();
  files.remove();
});

/** Runs the doctor on a set-up that is as it should be but for what is given here. */
function doctor(
  environment: Readonly<Record<string, string>> = {},
  node: readonly string[] = [],
): Promise<ProgramEnd> {
  const env = {
    ...bareEnvironment,
    RELAY_DATABASE: 'DATABASE_URL' in environment ? '' : files.database,
    RELAY_MASTER_KEY: files.masterKey,
    RELAY_PORT: String(port),
    ...environment,
  };
  return runProgram(process.execPath, [...node, main, 'doctor'], { cwd: files.folder, env });
}

/**
 * Expects a finding with what to do, and the exit code that goes with it.
 * @param line its level and what it is about
 */
function expectFinding({ status, stdout, stderr }: ProgramEnd, line: string, says: string): void {
  const found = stdout.split('\n').map((one) => one.replace(/^(\w+) +/, '$1 '));
  expect(found).toContainEqual(expect.stringMatching(new RegExp(`^${line}\t.*${says}`)));
  expect([stderr, status]).toEqual(['', stdout.includes('\nproblem') ? 1 : 0]);
}

/** Serves from the files as they are, until the test ends. */
async function serve(): Promise<StartedRelay> {
  const relay = await files.start({ port });
  onTestFinished(() => relay.stop());
  return relay;
}

/** Listens until the test ends; returns the address. */
async function listen(server: ReturnType<typeof createHttpServer>): Promise<string> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `127.0.0.1:${String((server.address() as AddressInfo).port)}`;
}

test('of a relay that serves as it should, nothing is a problem', async () => {
  await files.connect('shop', seller.origin, key);
  await files.join('ada@fenwick.test');
  await serve();
  const { status, stdout } = await doctor();
  expect(stdout).toMatch(/^ok {7}connection shop\thttp.* takes the API key$/m);
  expect(stdout).toMatch(/^ok {7}way in\t/m);
  expect(stdout).not.toMatch(/^problem/m);
  expect(stdout).not.toContain(key);
  expect(status).toBe(0);
});

test('a setting that cannot be read', async () => {
  expectFinding(
    await doctor({ RELAY_PORT: '80a' }),
    'problem settings',
    'RELAY_PORT is a whole number, 0 to',
  );
});

test('a database that is not there is named, and not made', async () => {
  for (const told of [await doctor(), await doctor()])
    expectFinding(told, 'problem database', 'there is no .*: "init" makes it');
});

test('a master key that is gone, that others may read, or that is another one', async () => {
  await files.connect('shop', seller.origin, key);
  const other = join(files.folder, 'other.key');
  const told = await doctor({ RELAY_MASTER_KEY: other });
  expectFinding(told, 'problem master key', 'is not there: put it back');
  writeFileSync(other, randomBytes(32));
  chmodSync(other, 0o444);
  const open = await doctor({ RELAY_MASTER_KEY: other });
  expectFinding(open, 'problem master key', 'chmod 400 it');
  chmodSync(other, 0o400);
  const wrong = await doctor({ RELAY_MASTER_KEY: other });
  expectFinding(wrong, 'problem master key', 'needs the master key [0-9a-f]{16}: name its file');
});

test('a database server that does not answer', async () => {
  const told = await doctor({ DATABASE_URL: 'postgres://relay_runner@127.0.0.1:9/relay' });
  expectFinding(told, 'problem database', 'ECONNREFUSED.*: start the database');
});

test('a database of another name, one that is not prepared, and the owner’s role', async () => {
  const database = await createTestDatabase();
  const nowhere = database.runner.replace(database.name, 'nowhere');
  expectFinding(
    await doctor({ DATABASE_URL: nowhere }),
    'problem database',
    'admin database create',
  );
  const asOwner = await doctor({ DATABASE_URL: database.owner });
  expectFinding(asOwner, 'warning database', 'role relay_owner, .*: put the runner’s into');
  expectFinding(asOwner, 'warning disk', 'set RELAY_DATABASE_ROOM_MB');
  const asRunner = await doctor({ DATABASE_URL: database.runner });
  expect(asRunner.stdout).toMatch(/^ok {7}database\t.*role relay_runner$/m);
  // The server of the tests syncs nothing.
  expectFinding(asRunner, 'warning database', 'take fsync = off out');
  await database.run(`ALTER DATABASE ${database.name} SET synchronous_commit = off`);
  const careless = await doctor({ DATABASE_URL: database.runner });
  expectFinding(careless, 'problem database', 'take synchronous_commit = off out');
  await database.run('DROP SCHEMA relay CASCADE');
  const bare = await doctor({ DATABASE_URL: database.owner });
  expectFinding(bare, 'problem database', 'run "admin database prepare"');
});

test('files with passwords that everybody may read', async () => {
  const database = await createTestDatabase();
  for (const name of ['relay.env', 'owner.env']) {
    writeFileSync(join(files.folder, name), '');
    chmodSync(join(files.folder, name), 0o644);
    const told = await doctor({ DATABASE_URL: database.runner });
    expectFinding(told, `problem ${name}`, 'chmod 640 it');
  }
});

test('a file that is no database, or is damaged, and one with a folder in its place', async () => {
  writeFileSync(files.database, 'This is a text. '.repeat(500));
  expectFinding(await doctor(), 'problem database', 'It is no database: correct RELAY_DATABASE');
  const folder = await doctor({ RELAY_DATABASE: files.folder });
  expectFinding(folder, 'problem database', 'may not open it.*belongs to user \\d+');
});

test('a marketplace that asks to wait for hours, and what ends that', async () => {
  await files.connect('shop', seller.origin, key);
  seller.replyWith({ status: 429, headers: { 'retry-after': '9000' }, body: '{}' });
  await doctor();
  seller.replyWith(undefined);
  const told = await doctor();
  expectFinding(told, 'warning connection shop', 'until 2.*Z .*: admin connections edit shop');
  await files.admin('connections edit shop');
  expect((await doctor()).stdout).toMatch(/^ok {7}connection shop\t/m);
});

test('a database without room', async () => {
  const { runner } = await createTestDatabase();
  const told = await doctor({ DATABASE_URL: runner, RELAY_DATABASE_ROOM_MB: '200' });
  expectFinding(told, 'problem disk', 'every call is refused: make room');
});

test('a clock that is so far ahead that the audit’s months count as old', async () => {
  await files.admin('audit keep 12');
  const ahead = await doctor({ CLOCK_AHEAD_MS: '60000000000' }, ['--import', wrongClock]);
  expectFinding(ahead, 'warning audit', 'see whether the clock .* is ahead');
  expect((await doctor()).stdout).not.toContain('audit');
});

test('no connection, one without a key, and one with a key that is not taken', async () => {
  await files.administer(() => Promise.resolve());
  expectFinding(await doctor(), 'problem connections', '"init" adds one');
  await files.admin(`connections add bare ${seller.origin}`);
  expectFinding(await doctor(), 'problem connection bare', 'admin keys set bare');
  await files.connect('shop', seller.origin, key);
  seller.replyWith({ status: 401, body: '{"status":"error","msg":"Invalid API key"}' });
  expectFinding(
    await doctor(),
    'problem connection shop',
    'refuses the key, with status 401. Ask there',
  );
});

test('a marketplace where nothing listens, at a private address, or that asks to wait', async () => {
  await files.connect('gone', 'http://127.0.0.1:9', key);
  await files.connect('inside', 'https://10.0.0.7', key);
  await files.connect('nameless', 'https://market.invalid', key);
  await files.connect('busy', seller.origin, key);
  seller.replyWith({ status: 429, headers: { 'retry-after': '7' }, body: '{}' });
  const told = await doctor();
  expectFinding(told, 'problem connection gone', 'nothing listens there. Look at the address');
  expectFinding(told, 'problem connection inside', 'connections edit inside --allow-private');
  expectFinding(told, 'problem connection nameless', 'DNS. Look at the address');
  expectFinding(told, 'warning connection busy', 'try again in a minute');
});

test('a certificate that nobody here trusts, and one that is named', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'relay-doctor-'));
  const [keyFile, certificateFile] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  const request =
    'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 3 -subj /CN=localhost -addext subjectAltName=DNS:localhost -keyout';
  const made = spawnSync('openssl', [...request.split(' '), keyFile, '-out', certificateFile]);
  expect(made.status).toBe(0);
  const options = { key: readFileSync(keyFile), cert: readFileSync(certificateFile) };
  const account = { status: 'success', data: { username: 'fenwick' } };
  const place = await listen(
    createHttpsServer(options, (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(account));
    }),
  );
  const address = `https://${place.replace('127.0.0.1', 'localhost')}`;
  await files.connect('shop', address, key, '--allow-private');
  expectFinding(
    await doctor(),
    'problem connection shop',
    'certificate is signed by itself; name a file',
  );
  const trusted = await doctor({ NODE_EXTRA_CA_CERTS: certificateFile });
  expectFinding(trusted, 'ok connection shop', 'takes the API key');
  rmSync(folder, { recursive: true });
});

test('a key that is too short to be looked for in replies', async () => {
  await files.connect('shop', seller.origin, 'key-0123');
  expectFinding(await doctor(), 'warning connection shop', 'fewer than 12 characters.* longer one');
});

test('settings of the team that are not signed, or have ended', async () => {
  await files.connect('shop', seller.origin, key);
  expectFinding(await doctor(), 'warning team', 'no settings are signed.*: README.md says how');
  const origin = `http://127.0.0.1:${String(port)}`;
  const [draft, signer] = [join(files.folder, 'settings.json'), join(files.folder, 'signer.pem')];
  writeFileSync(draft, await files.admin('settings draft', '', origin));
  runSigning(['keygen', signer], Date.now(), () => undefined);
  let signed = '';
  const expiry = new Date(Date.now() + 86_400_000).toISOString();
  runSigning(
    ['sign', '--key', signer, '--relay', origin, '--version', '1', '--expires', expiry, draft],
    Date.now(),
    (text) => (signed = text),
  );
  await files.admin('settings set', signed, origin);
  expectFinding(await doctor(), 'warning team', 'the signed settings end on 20.*: sign them anew');
  const later = await doctor({ CLOCK_AHEAD_MS: '172800000' }, ['--import', wrongClock]);
  expectFinding(later, 'problem team', 'the signed settings ended on 20.*: sign them anew');
});

function leaveOut(headers: IncomingHttpHeaders, one: string | undefined): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name !== one));
}

/** Passes requests on to the relay, as a proxy does, with what it changes. */
function proxy(change: {
  readonly without?: string;
  readonly hides?: string;
  readonly metricsPort?: number;
}): RequestListener {
  return (incoming, response) => {
    const headers = leaveOut(incoming.headers, change.without);
    const isMetrics = incoming.url === '/metrics' && change.metricsPort !== undefined;
    const to = request({
      port: isMetrics ? change.metricsPort : port,
      path: incoming.url,
      headers,
    });
    to.on('response', (reply) => {
      response.writeHead(reply.statusCode ?? 502, leaveOut(reply.headers, change.hides));
      reply.pipe(response);
    });
    to.end();
  };
}

test('a relay that is not started, and something else in its place', async () => {
  await files.connect('shop', seller.origin, key);
  const told = await doctor();
  expectFinding(told, 'problem way in', 'nothing listens there. Start the relay');
  const elsewhere = await doctor({ RELAY_ORIGIN: seller.origin });
  expectFinding(elsewhere, 'problem way in', 'not as a relay does: let the proxy lead');
});

test('a relay that cannot reach its database', async () => {
  const failing = createHttpServer((_, reply) => {
    reply.writeHead(503, { 'counterfoil-relay-failure': 'store-unavailable' });
    reply.end('{"counterfoil_relay":{"version":1,"failure":"store-unavailable"}}');
  });
  const told = await doctor({ RELAY_ORIGIN: `http://${await listen(failing)}` });
  expectFinding(told, 'problem way in', 'cannot answer \\(store-unavailable\\)');
  expect(told.stdout).not.toContain('another version');
});

test('a proxy that takes a header away, or shows the metrics to everybody', async () => {
  await files.connect('shop', seller.origin, key);
  const relay = await serve();
  const through = async (change: Parameters<typeof proxy>[0]): Promise<ProgramEnd> =>
    doctor({ RELAY_ORIGIN: `http://${await listen(createHttpServer(proxy(change)))}` });
  expect((await through({})).stdout).toMatch(/^ok {7}way in/m);
  const deaf = await through({ without: 'authorization' });
  expectFinding(deaf, 'problem way in', 'Authorization does not come through: let the proxy');
  const mute = await through({ hides: 'counterfoil-relay-failure' });
  expectFinding(mute, 'problem way in', 'keep the header Counterfoil-Relay-Failure');
  const loud = await through({ metricsPort: relay.metricsPort });
  expectFinding(loud, 'warning way in', 'everybody can read http.*/metrics: lead the proxy');
});

test('a provider of OpenID that is down, and one that is none', async () => {
  await files.connect('shop', seller.origin, key);
  const secret = join(files.folder, 'oidc.secret');
  writeFileSync(secret, 'secret', { mode: 0o400 });
  const [nobody] = await freePorts(1);
  const at = (issuer: string): Promise<ProgramEnd> =>
    doctor({
      RELAY_ORIGIN: `http://127.0.0.1:${String(port)}`,
      RELAY_OIDC_ISSUER: issuer,
      RELAY_OIDC_CLIENT_ID: 'relay',
      RELAY_OIDC_CLIENT_SECRET_FILE: secret,
    });
  expectFinding(
    await at(`http://127.0.0.1:${String(nobody)}`),
    'problem sign-in',
    'cannot be reached: .*Nobody can sign in',
  );
  const told = await at(seller.origin);
  expectFinding(told, 'problem sign-in', 'not as a provider does: correct RELAY_OIDC_ISSUER');
  seller.replyWith({ status: 200, body: JSON.stringify({ issuer: seller.origin }) });
  expect((await at(seller.origin)).stdout).toMatch(/^ok {7}sign-in\t.* answers$/m);
});

test('a connection that the signed settings lack', async () => {
  await files.connect('shop', seller.origin, key);
  const origin = `http://127.0.0.1:${String(port)}`;
  const draft = join(files.folder, 'settings.json');
  writeFileSync(draft, await files.admin('settings draft', '', origin));
  const signer = join(files.folder, 'signer.pem');
  runSigning(['keygen', signer], Date.now(), () => undefined);
  const expiry = new Date(Date.now() + 90 * 86_400_000).toISOString();
  const sign = ['sign', '--key', signer, '--relay', origin, '--version', '1', '--expires', expiry];
  let signed = '';
  runSigning([...sign, draft], Date.now(), (text) => (signed = text));
  await files.admin('settings set', signed, origin);
  expect((await doctor({ RELAY_ORIGIN: origin })).stdout).not.toContain('agents do not see it');
  await files.connect('other', seller.origin, key);
  expectFinding(
    await doctor({ RELAY_ORIGIN: origin }),
    'warning connection other',
    'agents do not see it: add it',
  );
});
