import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { PortInUse } from '#sandbox/listen';
import { sampleCodes } from '#sandbox/seed/sample-codes';
import { type Sandbox, startSandbox, startWholeSandbox } from '#sandbox/server';
import { at, control, get, order, send, statusWith, validate } from '#tests/sandbox/seller/client';

let folder: string;
let sandbox: Sandbox;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sandbox-'));
  sandbox = await start();
});
afterEach(async () => {
  await sandbox.close();
  await rm(folder, { recursive: true });
});

const file = () => join(folder, 'made', 'on-demand.db');
const start = (now = Date.now) => startSandbox({ port: 0, db: file(), now });

describe('a host', () => {
  test.each(['127.0.0.1', 'localhost', '[::1]'])('%s with the port is answered', async (name) => {
    const host = `${name}:${String(sandbox.port)}`;
    expect(await statusWith(`${sandbox.origin}/`, { host })).toBe(200);
  });

  test.each(['elsewhere.example', 'elsewhere.example:8787', '127.0.0.1.example', 'localhost.'])(
    '"%s" is turned away everywhere',
    async (host) => {
      for (const path of ['/', '/demo/api/account/details', '/control/faults', '/media/x/1/x']) {
        expect(await statusWith(`${sandbox.origin}${path}`, { host })).toBe(421);
      }
    },
  );
});

describe('a database in a file', () => {
  test('keeps keys and purchases over a restart, and gives a new control token', async () => {
    const { keys, controlToken } = sandbox;
    const purchase_code = 'KEPT-1';
    await control(sandbox, 'POST', 'purchases', { base: '/demo', purchase_code, item_id: 101 });
    await sandbox.close();
    sandbox = await start();
    expect(sandbox.keys).toEqual(keys);
    expect(sandbox.controlToken).not.toBe(controlToken);
    expect((await validate(sandbox, '/demo', purchase_code)).status).toBe(200);
  });

  test('says on any later day that support lapsed yesterday', async () => {
    for (const today of ['2026-12-24T00:00:00Z', '2027-03-01T23:59:59Z']) {
      await sandbox.close();
      sandbox = await start(() => Date.parse(today));
      const code = sampleCodes('/demo').lapsedYesterday;
      const { body } = await validate(sandbox, '/demo', code);
      const until = Date.parse(at(body, 'data.purchase.supported_until') as string);
      expect(Math.floor(until / 86_400_000)).toBe(Math.floor(Date.parse(today) / 86_400_000) - 1);
    }
  });

  test('of an older edition is seeded anew with its keys kept', async () => {
    const { keys } = sandbox;
    await sandbox.close();
    const database = new DatabaseSync(file());
    database.exec('UPDATE seller_edition SET number = 0; DELETE FROM seller_purchase;');
    database.close();
    sandbox = await start();
    expect(sandbox.keys).toEqual(keys);
    const { supported } = sampleCodes('/market');
    expect((await validate(sandbox, '/market', supported)).status).toBe(200);
  });

  test('has other keys than any other', async () => {
    const other = await startSandbox({ port: 0, db: ':memory:' });
    expect(other.keys['/demo']).not.toBe(sandbox.keys['/demo']);
    await other.close();
  });
});

describe('stopping', () => {
  test('breaks off requests that still wait', async () => {
    await order(sandbox, { base: '/demo', fault: 'silence' });
    const waiting = expect(get(sandbox, '/demo', 'account')).rejects.toThrow();
    while ((await control(sandbox, 'GET', 'faults')).text.includes('silence'));
    await sandbox.close();
    await waiting;
    sandbox = await start();
  });
});

describe('a port in use', () => {
  test('is told by its number', async () => {
    const { port } = sandbox;
    const refused = startSandbox({ port, db: ':memory:' });
    await expect(refused).rejects.toThrow(PortInUse);
    await expect(refused).rejects.toMatchObject({ port });
  });

  test('for the authority leaves no seller API behind', async () => {
    const free = await startSandbox({ port: 0, db: ':memory:' });
    await free.close();
    const options = { port: free.port, authorityPort: sandbox.port, db: ':memory:' };
    await expect(startWholeSandbox(options)).rejects.toMatchObject({ port: sandbox.port });
    await expect(fetch(free.origin)).rejects.toThrow();
  });
});

test('seller API and authority close once, however many signals ask for it', async () => {
  const whole = await startWholeSandbox({ port: 0, authorityPort: 0, db: ':memory:' });
  await Promise.all([whole.close(), whole.close()]);
  await expect(whole.close()).resolves.toBeUndefined();
});

describe('the page at /', () => {
  test('lists every address with its key, and sample codes', async () => {
    const { text } = await send(`${sandbox.origin}/`);
    for (const [base, key] of Object.entries(sandbox.keys)) {
      expect(text).toContain(`${sandbox.origin}${base}`);
      expect(text).toContain(key);
    }
    for (const code of Object.values(sampleCodes('/market'))) expect(text).toContain(code);
    expect(text).toContain(`http://localhost:${String(sandbox.port)}/desk`);
  });

  test('offers faults, with the control token that injects them', async () => {
    const { text } = await send(`${sandbox.origin}/`);
    expect(text).toContain(`data-control-token="${sandbox.controlToken}"`);
    expect(text).toContain('data-inject="too-many-429"');
  });

  test('shows both servers when both were started', async () => {
    const whole = await startWholeSandbox({ port: 0, authorityPort: 0, db: file() });
    const { text } = await send(`${whole.seller.origin}/`);
    expect(text).toContain(whole.authority.origin);
    expect(text).toContain(whole.authority.publicKey.fingerprint);
    await whole.close();
  });

  test('lets nothing run in it but its own script', async () => {
    const { headers } = await send(`${sandbox.origin}/`);
    expect(headers.get('content-security-policy')).toMatch(/default-src 'none'; script-src 'self'/);
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  });
});
