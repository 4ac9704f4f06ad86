import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';

import { createConnectionStore } from '#adapters/storage/worker/connection-store';
import { createTables } from '#adapters/storage/index';
import { defaultDialect } from '#core/connections/index';
import { itemsRequest } from '#core/marketplaces/seller-api/reader';
import { sampleCodes } from '#sandbox/seed/sample-codes';
import { freePorts } from '#scripts/machine/processes';
import { findProgram } from '#scripts/machine/system-packages';
import { createWorkerHarness, type WorkerHarness } from '#tests/background/worker-harness';
import { type Proxy, proxyExample, type ProxyName, startProxy } from '#tests/relay/support/proxy';
import { type RelayFiles, relayFiles, type StartedRelay } from '#tests/relay/support/relay';

const code = sampleCodes('/demo').supported;

for (const name of ['caddy', 'haproxy', 'nginx'] as const)
  describe.skipIf(findProgram(name) === undefined)(`behind the example for ${name}`, () => {
    let harness: WorkerHarness;
    let files: RelayFiles;
    let relay: StartedRelay;
    let proxy: Proxy;
    let connectionId: string;

    beforeEach(async () => {
      const tables = crypto.randomUUID();
      harness = await createWorkerHarness(tables);
      files = relayFiles();
      const { origin, keys } = harness.sandbox;
      await files.connect('shop', `${origin}/demo`, keys['/demo'], '--limit 6000');
      relay = await files.start();
      const [nobody] = await freePorts(1);
      proxy = await startProxy(name, [Number(new URL(relay.origin).port), nobody]);
      const saved = await harness.ask('connections.save', {
        name: 'Shop',
        baseAddress: `${proxy.origin}/c/shop`,
        apiKey: await files.join('ada@fenwick.test'),
        dialect: { ...defaultDialect, keyPlacement: 'Authorization', requestsPerMinute: 6000 },
      });
      if (!saved.ok) throw new Error(saved.fault.kind);
      connectionId = saved.value.id;
      await createConnectionStore(createTables(tables)).change((all) =>
        all.map((one) => ({ ...one, throughRelay: true })),
      );
      await harness.restart();
    }, 180_000);
    afterEach(async () => {
      await proxy.stop();
      await relay.stop();
      await harness.close();
      files.remove();
    });

    const check = () => harness.ask('check', { connectionId, code, fresh: true });

    test('a code is judged as by the seller, and an outage of the relay reads as the relay’s', async () => {
      expect((await check()).outcome).toMatchObject({ ok: true, value: { kind: 'purchase' } });
      await relay.stop();
      expect((await check()).outcome).toEqual({
        ok: false,
        fault: { kind: 'relay-unavailable', reason: 'outage' },
      });
      relay = await files.start();
    });

    test('the readiness, which writes to the database, is not for everybody', async () => {
      expect((await fetch(`${relay.origin}/readyz`)).status).toBe(200);
      expect((await fetch(`${proxy.origin}/readyz`)).status).toBe(404);
    });
  });

test.each(
  (['caddy', 'haproxy', 'nginx'] as const).filter((name) => findProgram(name) !== undefined),
)(
  'the example for %s takes no connection again, which an instance may be closing',
  async (name) => {
    const sockets = new Set<unknown>();
    const instance = createServer((incoming, outgoing) => {
      if (incoming.url === '/call') sockets.add(incoming.socket);
      outgoing.end();
    });
    await new Promise<void>((done) => instance.listen(0, '127.0.0.1', done));
    const [nobody] = await freePorts(1);
    const proxy = await startProxy(name, [(instance.address() as AddressInfo).port, nobody]);
    onTestFinished(async () => {
      await proxy.stop();
      instance.close();
      instance.closeAllConnections();
    });
    for (let call = 0; call < 3; call += 1) {
      expect((await fetch(`${proxy.origin}/call`, { method: 'POST', body: 'a=b' })).status).toBe(
        200,
      );
    }
    expect(sockets.size).toBe(3);
  },
);

test.each<[ProxyName, readonly RegExp[]]>([
  ['haproxy', [/timeout server (\d+)s/, /timeout client (\d+)s/]],
  ['nginx', [/proxy_read_timeout (\d+)s/]],
  ['caddy', [/response_header_timeout (\d+)s/]],
])('the example for %s waits longer than any call may take', (name, timeouts) => {
  const connection = { baseAddress: 'https://relay.example/c/shop', dialect: defaultDialect };
  const access = { connection, apiKey: '', deadline: 0 } as never;
  const longestS = itemsRequest(access).timeoutMs / 1000;
  for (const timeout of timeouts)
    expect(Number(timeout.exec(proxyExample(name))?.[1])).toBeGreaterThan(longestS);
});
