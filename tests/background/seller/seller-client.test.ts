import { afterAll, beforeAll, expect, test } from 'vitest';

import { defaultDialect } from '#core/connections/index';
import { fail } from '#core/result';
import { sampleCodes } from '#sandbox/seed/sample-codes';
import { codes as lemonSqueezyCodes } from '#sandbox/marketplaces/lemon-squeezy';
import { startTinyServer, type TinyServer } from '#tests/adapters/http/tiny-server';
import { createWorkerHarness, type WorkerHarness } from '#tests/background/worker-harness';

const apiKey = 'key-0123456789/abc';
const codes = sampleCodes('/demo');

let status = 403;

let repeating: TinyServer;
let harness: WorkerHarness;
let connectionId: string;

beforeAll(async () => {
  harness = await createWorkerHarness();
  // A seller whose errors repeat what it was sent.
  repeating = await startTinyServer(({ headers }, response) => {
    response.writeHead(status, { 'Content-Type': 'application/json' });
    const sent = String(headers['x-api-key']);
    response.end(JSON.stringify({ status: 'error', msg: `Asked with ${sent}.` }));
  });
  const saved = await harness.ask('connections.save', {
    name: 'Shop',
    baseAddress: repeating.origin,
    apiKey,
    dialect: { ...defaultDialect, keyPlacement: 'X-API-Key' },
  });
  if (!saved.ok) throw new Error(saved.fault.kind);
  connectionId = saved.value.id;
});

afterAll(async () => {
  await repeating.close();
  await harness.close();
});

test('an error that repeats the API key is passed on without it', async () => {
  const report = await harness.ask('check', { connectionId, code: codes.supported, fresh: true });
  expect(report.outcome).toMatchObject(fail({ kind: 'refused', msg: 'Asked with ••••.' }));
  const account = await harness.ask('connections.test', { id: connectionId });
  expect(JSON.stringify(account)).not.toContain(apiKey);

  status = 404;
  const missing = await harness.ask('check', { connectionId, code: codes.lapsed, fresh: true });
  expect(JSON.stringify(missing)).toContain('Asked with ••••.');
  expect(JSON.stringify(missing)).not.toContain(apiKey);
});

test('what another program of the account has sent counts as sent', async () => {
  // A not-found asks about the key as well.
  let remaining = '3';
  let asked = 0;
  const busy = await startTinyServer((_, response) => {
    asked += 1;
    response.writeHead(404, {
      'Content-Type': 'application/json',
      'X-Ratelimit-Limit': '60',
      'X-Ratelimit-Remaining': remaining,
    });
    response.end(JSON.stringify({ valid: false, error: 'license_key not found.' }));
  });
  const saved = await harness.ask('connections.save', {
    name: 'Busy',
    marketplace: 'lemon-squeezy',
    store: '1',
    baseAddress: busy.origin,
    apiKey,
    dialect: { ...defaultDialect, keyPlacement: 'Authorization' },
  });
  if (!saved.ok) throw new Error(saved.fault.kind);
  const check = async (code: string) =>
    harness.ask('check', { connectionId: saved.value.id, code, fresh: true });
  expect(await check(lemonSqueezyCodes.active)).toHaveProperty('outcome.ok', true);
  // A count of another window than ours never gives requests back.
  remaining = '59';
  expect(await check(lemonSqueezyCodes.test)).toHaveProperty('outcome.ok', true);
  expect(await check(lemonSqueezyCodes.euro)).toMatchObject({
    outcome: fail({ kind: 'rate-limited', by: 'pacing' }),
  });
  expect(asked).toBe(4);
  await busy.close();
});
