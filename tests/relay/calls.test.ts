import { randomBytes } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { SellerAccess } from '#core/marketplaces/marketplace';
import {
  accountRequest,
  readAccountReply,
  readValidationReply,
  validationRequest,
} from '#core/marketplaces/seller-api/reader';
import { defaultDialect } from '#core/connections/index';
import { writeToken } from '#relay/rules/token';
import { type Base, bases } from '#sandbox/seller/deployments';
import { sampleCodes } from '#sandbox/seed/sample-codes';
import {
  type RelayFiles,
  type StartedRelay,
  account,
  callThrough,
  relayOn,
  stores,
  validation,
} from '#tests/relay/support/relay';
import { type TestSandbox, openSandbox } from '#tests/support/sandbox';

describe.each(stores)('on %s', (store) => {
  let sandbox: TestSandbox;
  let files: RelayFiles;
  let relay: StartedRelay;
  let token: string;
  let lead: string;

  const idOf = (base: Base): string => base.replaceAll(/[^a-z]+/g, '-').slice(1);
  const at = (base: Base): string => `${relay.origin}/c/${idOf(base)}`;

  /** Placements and encodings that the administrator sets for deployments that need them. */
  const options: Partial<Record<Base, string>> = {
    '/dialect/json-only': '--encoding json',
    '/dialect/multipart-only': '--encoding multipart',
    '/dialect/query-only': '--encoding query',
    '/dialect/header-only': '--key-placement X-API-Key',
    '/dialect/bearer-only': '--key-placement Authorization',
  };

  beforeAll(async () => {
    sandbox = await openSandbox();
    files = await relayOn(store);
    for (const base of bases) {
      const limit = '--limit 6000';
      const more = options[base] === undefined ? limit : `${limit} ${options[base]}`;
      await files.connect(idOf(base), sandbox.origin + base, sandbox.keys[base], more);
    }
    await files.admin('roles set lead balance email profile');
    token = await files.join('agent@fenwick.test');
    lead = await files.join('lead@fenwick.test', 'lead');
    relay = await files.start();
  });
  afterAll(async () => {
    await relay.stop();
    await sandbox.close();
    files.remove();
  });

  async function raw(response: Response): Promise<Parameters<typeof readValidationReply>[0]> {
    const body = new Uint8Array(await response.arrayBuffer());
    return {
      status: response.status,
      contentType: response.headers.get('content-type') ?? '',
      body,
    };
  }

  function access(
    baseAddress: string,
    apiKey: string,
    dialect: Partial<typeof defaultDialect>,
  ): SellerAccess {
    const connection = { id: 'a', name: 'a', baseAddress, revision: 1 };
    return {
      connection: { ...connection, dialect: { ...defaultDialect, ...dialect } },
      apiKey,
      deadline: 0,
    };
  }

  async function send(request: ReturnType<typeof validationRequest>): Promise<Response> {
    const { method, url, headers, body } = request;
    const form = new FormData();
    if (body?.type === 'multipart')
      for (const [name, value] of body.fields) form.append(name, value);
    const content = body && { body: body.type === 'text' ? body.text : form };
    return fetch(url, { method, headers, redirect: 'manual', ...content });
  }

  const same = bases.filter((base) => base !== '/dialect/turns-browsers-away');

  describe('the same verdicts through the relay as directly', () => {
    test.each(same)('at %s', async (base) => {
      const shop = sampleCodes(base);
      const words = (options[base] ?? '').split(' ');
      const dialect = {
        ...(words[0] === '--encoding' ? { encoding: words[1] as 'json' } : {}),
        ...(words[0] === '--key-placement' ? { keyPlacement: words[1] as 'X-API-Key' } : {}),
      };
      const direct = access(sandbox.origin + base, sandbox.keys[base], dialect);
      const relayed = access(at(base), lead, { keyPlacement: 'Authorization' });
      const now = Date.now();
      for (const code of [shop.supported, shop.lapsed, shop.noSupport, shop.unknown]) {
        const [one, other] = await Promise.all(
          [direct, relayed].map(async (each) =>
            readValidationReply(await raw(await send(validationRequest(each, code))), code, now),
          ),
        );
        expect(other).toEqual(one);
      }
      const [one, other] = await Promise.all(
        [direct, relayed].map(async (each) =>
          readAccountReply(await raw(await send(accountRequest(each))), now),
        ),
      );
      expect(other).toEqual(one);
    });

    test('and a deployment that turns browsers away answers the relay', async () => {
      const code = sampleCodes('/market').supported;
      const reply = await callThrough(at('/dialect/turns-browsers-away'), token, validation, {
        code,
      });
      expect(readValidationReply(await raw(reply), code, Date.now())).toMatchObject({ ok: true });
    });

    test('in every encoding that an agent sends', async () => {
      const code = sampleCodes('/demo').supported;
      for (const encoding of ['form', 'json', 'multipart', 'query'] as const) {
        const relayed = access(at('/demo'), token, { keyPlacement: 'Authorization', encoding });
        const reply = await raw(await send(validationRequest(relayed, code)));
        expect(readValidationReply(reply, code, Date.now())).toMatchObject({ ok: true });
      }
    });
  });

  describe('a failure of the relay', () => {
    test.each([
      ['no token', {}, 'token-missing', 401],
      ['a token that is no token', { authorization: 'Bearer abc' }, 'token-unknown', 401],
    ] as const)('for %s is told apart from the seller', async (_name, headers, kind, status) => {
      const reply = await fetch(at('/demo') + account, { headers });
      expect(reply.status).toBe(status);
      expect(reply.headers.get('counterfoil-relay-failure')).toBe(kind);
      const outcome = readAccountReply(await raw(reply), Date.now());
      expect(outcome).toEqual({ ok: false, fault: { kind: 'refused', msg: '', about: 'key' } });
    });

    test('is given to a token with a known id and another secret', async () => {
      const id = Buffer.from(token.split('_')[1] ?? '', 'hex');
      const forged = writeToken(id, randomBytes(32));
      const reply = await callThrough(at('/demo'), forged, account);
      expect(reply.headers.get('counterfoil-relay-failure')).toBe('token-unknown');
    });

    test('refuses a token that stands in the query or in the body', async () => {
      const inQuery = await fetch(`${at('/demo')}${account}?api_key=${token}`);
      expect(inQuery.headers.get('counterfoil-relay-failure')).toBe('token-misplaced');
      const body = new URLSearchParams({ api_key: token, purchase_code: 'x' });
      const headers = { authorization: `Bearer ${token}` };
      const inBody = await fetch(at('/demo') + validation, { method: 'POST', headers, body });
      expect([inBody.status, inBody.headers.get('counterfoil-relay-failure')]).toEqual([
        401,
        'token-misplaced',
      ]);
    });

    test.each([
      ['GET', '/api/license/v1/issue'],
      ['POST', '/api/account/details'],
      ['GET', '/api/accounts'],
      ['DELETE', '/api/items/all'],
      ['GET', '/api/../api/other'],
    ])('refuses %s %s, which is no seller call', async (method, path) => {
      const headers = { authorization: `Bearer ${token}` };
      const reply = await fetch(at('/demo') + path, { method, headers });
      expect([reply.status, reply.headers.get('counterfoil-relay-failure')]).toEqual([
        403,
        'not-a-seller-call',
      ]);
    });

    test('names a connection that is not there, to agents alone', async () => {
      const reply = await callThrough(`${relay.origin}/c/nowhere`, token, account);
      expect(reply.headers.get('counterfoil-relay-failure')).toBe('no-such-connection');
      expect((await fetch(`${relay.origin}/c/nowhere${account}`)).status).toBe(401);
    });

    test('comes in place of a redirect, a broken reply and an endless one', async () => {
      for (const [fault, kind] of [
        ['redirect', 'upstream-redirected'],
        ['reset', 'upstream-unreachable'],
        ['cut-off', 'upstream-unreachable'],
        ['endless', 'upstream-too-large'],
      ] as const) {
        await sandbox.injectFault('/demo', { fault });
        const reply = await callThrough(at('/demo'), token, account);
        expect([reply.status, reply.headers.get('counterfoil-relay-failure')]).toEqual([502, kind]);
        expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
      }
    });
  });

  test('a failure answers nobody who asks after it was sent', async () => {
    await files.connect('again', `${sandbox.origin}/demo`, sandbox.keys['/demo'], '--limit 6000');
    const answers: (string | null)[] = [];
    for (let round = 0; round < 20; round += 1) {
      await sandbox.injectFault('/demo', { fault: 'redirect' });
      const broken = await callThrough(`${relay.origin}/c/again`, token, account);
      const next = await callThrough(`${relay.origin}/c/again`, token, account);
      for (const { headers } of [broken, next])
        answers.push(headers.get('counterfoil-relay-failure'));
    }
    expect(answers).toEqual(Array.from({ length: 20 }, () => ['upstream-redirected', null]).flat());
  });

  describe('roles', () => {
    test('leave out balance, e-mail and profile for an agent, never as zero', async () => {
      const reply = (await (await callThrough(at('/demo'), token, account)).json()) as {
        readonly data: object;
      };
      expect(Object.keys(reply.data).toSorted()).toEqual([
        'currency',
        'name',
        'registered_at',
        'username',
      ]);
    });

    test('show a lead what the role names', async () => {
      const reply = (await (await callThrough(at('/demo'), lead, account)).json()) as {
        readonly data: object;
      };
      expect(Object.keys(reply.data)).toEqual(
        expect.arrayContaining(['balance', 'email', 'profile']),
      );
    });

    test('pass on no more than the first character of a reply that cannot be read, since it may hold a balance', async () => {
      await sandbox.injectFault('/demo', { fault: 'truncated' });
      const reply = await callThrough(at('/demo'), token, account);
      expect([reply.status, await reply.text()]).toEqual([200, '{']);
    });
  });

  describe('the cache', () => {
    test('answers a success again, with its age, and passes by for a refresh', async () => {
      const code = sampleCodes('/demo').extended;
      await callThrough(at('/demo'), token, validation, { code });
      await sandbox.reset();
      const again = await callThrough(at('/demo'), lead, validation, { code });
      expect([again.status, again.headers.has('age')]).toEqual([200, true]);
      expect(await sandbox.apiRequests()).toHaveLength(0);
      const headers = { 'cache-control': 'no-cache' };
      await callThrough(at('/demo'), token, validation, { code, headers });
      expect(await sandbox.apiRequests()).toHaveLength(1);
    });

    test('keeps neither a not-found nor the account', async () => {
      const code = sampleCodes('/demo').unknown;
      await sandbox.reset();
      for (let n = 0; n < 2; n += 1) {
        await callThrough(at('/demo'), token, validation, { code });
        await callThrough(at('/demo'), token, account);
      }
      expect(await sandbox.apiRequests()).toHaveLength(4);
    });
  });

  test('says how it is', async () => {
    expect((await fetch(`${relay.origin}/healthz`)).status).toBe(200);
    expect((await fetch(`${relay.origin}/readyz`)).status).toBe(200);
    expect((await fetch(`${relay.origin}/metrics`)).status).toBe(403);
    const metrics = await fetch(`http://127.0.0.1:${String(relay.metricsPort)}/metrics`);
    const page = await metrics.text();
    expect(page).toContain('counterfoil_relay_calls_total');
    const [, bytes] = /^counterfoil_relay_database_bytes (\d+)$/m.exec(page) ?? [];
    expect(Number(bytes)).toBeGreaterThan(4096);
  });

  test.runIf(store === 'PostgreSQL')(
    'is not ready, and refuses calls, once its database has outgrown its room',
    async () => {
      const full = await files.start({ databaseRoomBytes: 1024 * 1024 });
      const reply = await fetch(`${full.origin}/readyz`);
      expect([reply.status, await reply.text()]).toEqual([503, 'disk low']);
      const base = `${full.origin}/c/${idOf('/demo')}`;
      const refused = await callThrough(base, token, validation, { code: 'c' });
      expect(refused.headers.get('Counterfoil-Relay-Failure')).toBe('store-unavailable');
      expect(full.logged()).toContain('"event":"disk-low"');
      await full.stop();
      const roomy = await files.start({ databaseRoomBytes: 1e12 });
      expect((await fetch(`${roomy.origin}/readyz`)).status).toBe(200);
      await roomy.stop();
    },
  );
});
