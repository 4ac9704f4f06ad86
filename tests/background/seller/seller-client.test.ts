import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { defaultDialect } from '#core/connections/connection';
import { sampleCodes } from '#sandbox/seed/sample-codes';
import { createWorkerHarness, type WorkerHarness } from '#tests/background/worker-harness';

const apiKey = 'key-0123456789/abc';
const codes = sampleCodes('/demo');

let status = 403;

/** A seller whose errors repeat what it was sent. */
const repeating = createServer((request, response) => {
  const sent = String(request.headers['x-api-key']);
  response.writeHead(status, {
    'Content-Type': 'application/json',
  });
  response.end(JSON.stringify({ status: 'error', msg: `Asked with ${sent}.` }));
});
let harness: WorkerHarness;
let connectionId: string;

beforeAll(async () => {
  harness = await createWorkerHarness();
  await new Promise<void>((resolve) => repeating.listen(0, '127.0.0.1', resolve));
  const { port } = repeating.address() as AddressInfo;
  const saved = await harness.ask('connections.save', {
    name: 'Shop',
    baseAddress: `http://127.0.0.1:${String(port)}`,
    apiKey,
    dialect: { ...defaultDialect, keyPlacement: 'X-API-Key' },
  });
  if (!saved.ok) throw new Error(saved.fault.kind);
  connectionId = saved.value.id;
});

afterAll(async () => {
  await new Promise((resolve) => repeating.close(resolve));
  await harness.close();
});

test('an error that repeats the API key is passed on without it', async () => {
  const report = await harness.ask('check', { connectionId, code: codes.supported, fresh: true });
  expect(report.outcome).toMatchObject({
    ok: false,
    fault: { kind: 'refused', msg: 'Asked with ••••.' },
  });
  const account = await harness.ask('connections.test', { id: connectionId });
  expect(JSON.stringify(account)).not.toContain(apiKey);

  status = 404;
  const missing = await harness.ask('check', { connectionId, code: codes.lapsed, fresh: true });
  expect(JSON.stringify(missing)).toContain('Asked with ••••.');
  expect(JSON.stringify(missing)).not.toContain(apiKey);
});
