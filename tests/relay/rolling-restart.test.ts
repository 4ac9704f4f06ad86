import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { obtainServer } from '#scripts/servers';
import { type CountingUpstream, countingUpstream } from '#tests/relay/support/counting-upstream';
import { type RelayFiles, callThrough, relayOn, validation } from '#tests/relay/support/relay';

const main = fileURLToPath(new URL('../../relay/main.ts', import.meta.url));
const example = fileURLToPath(new URL('../../relay/deploy/haproxy.cfg', import.meta.url));

let seller: CountingUpstream;
let files: RelayFiles;
let token: string;
let haproxy: string;
const running: ChildProcess[] = [];

beforeEach(async () => {
  haproxy = await obtainServer('haproxy');
  seller = await countingUpstream();
  files = await relayOn('PostgreSQL');
  await files.connect('shop', seller.origin, 'key-0123456789', '--limit 100000');
  token = await files.join('ada@fenwick.test');
}, 180_000);
afterEach(async () => {
  await Promise.all(running.splice(0).map((child) => end(child)));
  await seller.close();
  files.remove();
});

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  await exit;
}

async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
      return server;
    }),
  );
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  for (const server of servers) server.close();
  return ports;
}

/** Starts an instance at a port, and waits until it listens. */
async function startInstance(port: number): Promise<ChildProcess> {
  const env = {
    ...process.env,
    ...{ DATABASE_URL: files.database, RELAY_MASTER_KEY: files.masterKey, RELAY_NOTICE_MS: '2500' },
    ...{ RELAY_PORT: String(port), RELAY_METRICS_PORT: '0' },
  };
  const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  running.push(child);
  await once(child.stdout, 'data');
  child.stdout.resume();
  return child;
}

/** Starts haproxy on the example that is handed out, with other ports and without TLS; returns which servers it holds for well. */
function startHaproxy(
  front: number,
  stats: number,
  backs: readonly number[],
): () => Promise<string[]> {
  const [first, second] = backs.map(String);
  const config = readFileSync(example, 'utf8')
    .replace(/bind :443 ssl .*/, `bind 127.0.0.1:${String(front)}`)
    .replace('127.0.0.1:8790', `127.0.0.1:${String(first)}`)
    .replace('127.0.0.1:8792', `127.0.0.1:${String(second)}`);
  const file = join(files.folder, 'haproxy.cfg');
  writeFileSync(
    file,
    `${config}\nfrontend stats\n  bind 127.0.0.1:${String(stats)}\n  stats enable\n  stats uri /\n`,
  );
  running.push(spawn(haproxy, ['-db', '-q', '-f', file], { stdio: 'inherit' }));
  return async () => {
    const csv = await fetch(`http://127.0.0.1:${String(stats)}/;csv`).then(
      (reply) => reply.text(),
      () => '',
    );
    const lines = csv.split('\n').filter((line) => /^relays,relay\d,.*,UP,/.test(line));
    return lines.map((line) => line.split(',')[1] ?? '');
  };
}

test('a rolling restart behind haproxy fails no call', async () => {
  const [front = 0, stats = 0, ...backs] = await freePorts(4);
  const instances = await Promise.all(backs.map(startInstance));
  const well = startHaproxy(front, stats, backs);
  const bothWell = (): Promise<void> =>
    expect.poll(well, { timeout: 60_000 }).toEqual(['relay1', 'relay2']);
  await bothWell();

  let going = true;
  let next = 0;
  const statuses: (number | string)[] = [];
  const lane = async (): Promise<void> => {
    while (going) {
      const code = `code-${String((next += 1))}`;
      const status = await callThrough(
        `http://127.0.0.1:${String(front)}/c/shop`,
        token,
        validation,
        { code },
      ).then(
        async (reply) => {
          await reply.text();
          return reply.status;
        },
        (error: unknown) => String(error),
      );
      statuses.push(status);
    }
  };
  const load = Promise.all(Array.from({ length: 4 }, lane));
  for (const [index, instance] of instances.entries()) {
    const before = statuses.length;
    const exit = once(instance, 'exit');
    instance.kill('SIGTERM');
    expect(await exit).toEqual([0, null]);
    await expect.poll(() => statuses.length, { timeout: 60_000 }).toBeGreaterThan(before + 20);
    await startInstance(backs[index] ?? 0);
    await bothWell();
  }
  going = false;
  await load;
  expect(statuses.filter((status) => status !== 200)).toEqual([]);
  expect(statuses.length).toBeGreaterThan(100);
}, 180_000);
