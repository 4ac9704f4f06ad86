import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { createConnectionStore } from '#adapters/storage/worker/connection-store';
import { createTables } from '#adapters/storage/index';
import { defaultDialect } from '#core/connections/index';
import { fail, succeed } from '#core/result';
import { sampleCodes } from '#sandbox/seed/sample-codes';
import { createWorkerHarness, type WorkerHarness } from '#tests/background/worker-harness';
import { type RelayFiles, relayFiles, type StartedRelay } from '#tests/relay/support/relay';

const codes = sampleCodes('/demo');
const dialect = {
  ...defaultDialect,
  keyPlacement: 'Authorization',
  requestsPerMinute: 6000,
} as const;

let harness: WorkerHarness;
let name: string;
let files: RelayFiles;
let relay: StartedRelay;

/** Adds a connection as joining a team does. */
async function connect(baseAddress: string, apiKey: string, throughRelay = true): Promise<string> {
  const saved = await harness.ask('connections.save', {
    name: 'Shop',
    baseAddress,
    apiKey,
    dialect,
  });
  if (!saved.ok) throw new Error(saved.fault.kind);
  const { id } = saved.value;
  if (throughRelay)
    await createConnectionStore(createTables(name)).change((all) =>
      all.map((one) => (one.id === id ? { ...one, throughRelay: true } : one)),
    );
  await harness.restart();
  return id;
}

const check = (connectionId: string, code: string, fresh = false) =>
  harness.ask('check', { connectionId, code, fresh });

const tokenId = (token: string): string => token.split('_')[1] ?? '';

describe('through a real relay', () => {
  let token: string;
  let connectionId: string;

  beforeAll(async () => {
    name = crypto.randomUUID();
    harness = await createWorkerHarness(name);
    files = relayFiles();
    const { origin, keys } = harness.sandbox;
    await files.connect('shop', `${origin}/demo`, keys['/demo'], '--limit 6000');
    relay = await files.start();
  });
  beforeEach(async () => {
    const agent = `${crypto.randomUUID()}@fenwick.test`;
    token = await files.join(agent);
    connectionId = await connect(`${relay.origin}/c/shop`, token);
  });
  afterAll(async () => {
    await relay.stop();
    await harness.close();
    files.remove();
  });

  test('a code is judged as by the seller', async () => {
    const found = await check(connectionId, codes.supported);
    expect(found.outcome).toMatchObject(succeed({ kind: 'purchase' }));
    const missing = await check(connectionId, codes.unknown);
    expect(missing.outcome).toMatchObject(succeed({ kind: 'not-found', key: 'good' }));
  });

  test('a token revoked seconds after an account check is said to be revoked, and no code is not found', async () => {
    // Vouches for the key for five minutes.
    const missing = await check(connectionId, codes.unknown);
    expect(missing.outcome).toMatchObject(succeed({ key: 'good' }));
    await files.admin(`tokens revoke ${tokenId(token)}`);
    for (const code of [codes.unknown, codes.supported, codes.lapsed]) {
      const report = await check(connectionId, code, true);
      expect(report.outcome).toEqual(fail({ kind: 'relay-sign-in', reason: 'revoked' }));
    }
  });

  test('the account of an agent without a special role has no balance, no e-mail, and no zero in their place', async () => {
    const account = await harness.ask('connections.test', { id: connectionId });
    expect(account).toMatchObject(succeed({ username: expect.any(String) as string, email: '' }));
    expect(account.ok && account.value).not.toHaveProperty('balance');
    expect(account.ok && account.value).not.toHaveProperty('unreadable');
  });

  test('an answer may come from the relay’s cache, and Refresh passes by it', async () => {
    await check(connectionId, codes.lapsed);
    const other = await connect(`${relay.origin}/c/shop`, token);
    await harness.requests();
    await check(other, codes.lapsed);
    expect(await harness.requests()).toHaveLength(0);
    await check(other, codes.lapsed, true);
    expect(await harness.requests()).toHaveLength(1);
  });

  test('a seller that is down reads as the relay’s words about it, and not as a missing purchase', async () => {
    await files.admin('connections add gone http://127.0.0.1:9 --limit 6000');
    await files.admin('keys set gone --anyway', 'key-of-nobody');
    const gone = await connect(`${relay.origin}/c/gone`, token);
    expect((await check(gone, codes.supported)).outcome).toMatchObject(
      fail({ kind: 'relay-upstream', reason: 'unreachable' }),
    );
  });

  test('why a seller is down is told to a lead, and to no other agent', async () => {
    await files.admin('roles set lead report');
    const lead = await files.join(`${crypto.randomUUID()}@fenwick.test`, 'lead');
    await files.admin('connections add closed http://127.0.0.1:9 --limit 6000');
    await files.admin('keys set closed --anyway', 'key-of-nobody');
    const asked = async (holder: string) =>
      (await check(await connect(`${relay.origin}/c/closed`, holder), codes.supported)).outcome;
    const down = { kind: 'relay-upstream', reason: 'unreachable' };
    expect(await asked(lead)).toMatchObject({ fault: { ...down, cause: 'refused' } });
    expect(await asked(token)).toMatchObject({ fault: down });
    expect(await asked(token)).not.toHaveProperty('fault.cause');
  });

  test('a quota that is used up keeps no answer of the relay’s cache away', async () => {
    const agent = `${crypto.randomUUID()}@fenwick.test`;
    const [first, other] = [await files.join(agent), await files.join(`b-${agent}`)];
    await files.admin(`quotas set ${agent} 0`);
    const over = await connect(`${relay.origin}/c/shop`, first);
    const known = await connect(`${relay.origin}/c/shop`, other);
    await check(known, codes.noSupport, true);
    const refused = await check(over, codes.unknown);
    expect(refused.outcome).toMatchObject({ fault: { kind: 'rate-limited', by: 'quota' } });
    // Asked at once: a wait that was stored would say "rate-limited" without a request.
    const answered = await check(over, codes.noSupport);
    expect(answered.outcome).toMatchObject(succeed({ kind: 'purchase' }));
  });

  test('a connection that the relay does not have reads as refused by the relay', async () => {
    const other = await connect(`${relay.origin}/c/other`, token);
    expect((await check(other, codes.supported)).outcome).toEqual(fail({ kind: 'relay-refused' }));
  });
});

describe('headers', () => {
  let server: Server;
  let origin: string;
  let received: IncomingMessage[];
  let headers: Record<string, string>;
  let status: number;
  let body: string;

  beforeAll(async () => {
    name = crypto.randomUUID();
    harness = await createWorkerHarness(name);
    server = createServer((request, response) => {
      received.push(request);
      response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
      response.end(body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  });
  beforeEach(() => {
    received = [];
    headers = {};
    status = 200;
    body = JSON.stringify({ status: 'error', msg: 'No such purchase' });
  });
  afterAll(async () => {
    await new Promise((resolve) => server.close(resolve));
    await harness.close();
  });

  test('of a relay mean nothing from a seller', async () => {
    const id = await connect(origin, 'key', false);
    headers = { 'Counterfoil-Relay-Failure': 'token-revoked', 'Counterfoil-Relay-Age': '3600' };
    status = 401;
    expect((await check(id, codes.supported)).outcome).toEqual(
      fail({ kind: 'refused', msg: 'No such purchase', about: 'key' }),
    );
  });

  test('for a relay are sent to no seller', async () => {
    const id = await connect(origin, 'key', false);
    await check(id, codes.supported, true);
    for (const request of received) {
      expect(request.headers).not.toHaveProperty('counterfoil-work');
      expect(request.headers['cache-control']).toBe('no-cache');
    }
  });

  test('tell a relay that the agent wants a new answer, or takes one from its cache', async () => {
    const id = await connect(`${origin}/c/shop`, 'key');
    await check(id, codes.supported);
    expect(received.at(0)?.headers['cache-control']).toBe('max-age=3600');
    received = [];
    await check(id, codes.supported, true);
    expect(received.at(0)?.headers['cache-control']).toBe('no-cache');
    expect(received.at(0)?.headers).not.toHaveProperty('counterfoil-work');
  });

  test('of a relay say how old an answer is, and those of a seller do not', async () => {
    headers = { 'Counterfoil-Relay-Age': '120' };
    body = await (
      await fetch(`${harness.sandbox.origin}/demo/api/purchases/validation`, {
        method: 'POST',
        body: new URLSearchParams({
          api_key: harness.sandbox.keys['/demo'],
          purchase_code: codes.supported,
        }),
      })
    ).text();
    const before = Date.now();
    const through = await check(await connect(`${origin}/c/shop`, 'key'), codes.supported);
    expect(through.checkedAt).toBeGreaterThanOrEqual(before - 120_000);
    expect(through.checkedAt).toBeLessThanOrEqual(Date.now() - 120_000);
    const direct = await check(await connect(origin, 'key', false), codes.supported);
    expect(direct.checkedAt).toBeGreaterThanOrEqual(before);
    headers = { 'Counterfoil-Relay-Age': '999999999999' };
    const eternal = await check(await connect(`${origin}/c/eternal`, 'key'), codes.supported);
    expect(eternal.checkedAt).toBeGreaterThanOrEqual(before - 24 * 60 * 60_000);
  });

  test('that no relay wrote are those of a proxy before it, whatever it says', async () => {
    const id = await connect(`${origin}/c/shop`, 'key');
    const outage = { ok: false, fault: { kind: 'relay-unavailable', reason: 'outage' } };
    for (status of [200, 401, 404, 429, 500, 502, 503, 504])
      expect((await check(id, codes.supported, true)).outcome).toEqual(outage);
    [status, headers] = [302, { Location: `${origin}/sign-in`, 'Counterfoil-Relay-Age': '0' }];
    expect((await check(id, codes.supported, true)).outcome).toEqual(outage);
    // A cache before the relay writes this header on its own pages too.
    [status, headers] = [503, { Age: '0' }];
    expect((await check(id, codes.supported, true)).outcome).toEqual(outage);
  });
});
