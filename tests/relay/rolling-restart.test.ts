import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { type CountingUpstream, countingUpstream } from '#tests/relay/support/counting-upstream';
import { freePorts } from '#scripts/machine/processes';
import { findProgram } from '#scripts/machine/system-packages';
import { type Proxy, startProxy } from '#tests/relay/support/proxy';
import { type RelayFiles, callThrough, relayOn, validation } from '#tests/relay/support/relay';

// As `npm run relay` starts it; other tests start the bundle.
const main = fileURLToPath(new URL('../../relay/main.ts', import.meta.url));

let seller: CountingUpstream;
let files: RelayFiles;
let token: string;
let haproxy: Proxy | undefined;
const running: ChildProcess[] = [];

beforeEach(async () => {
  seller = await countingUpstream();
  files = await relayOn('PostgreSQL');
  await files.connect('shop', seller.origin, 'key-0123456789', '--limit 100000');
  token = await files.join('ada@fenwick.test');
}, 180_000);
afterEach(async () => {
  await haproxy?.stop();
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

/** Starts an instance at a port, and waits until it listens. */
async function startInstance(port: number): Promise<ChildProcess> {
  const env = {
    ...process.env,
    DATABASE_URL: files.database,
    RELAY_MASTER_KEY: files.masterKey,
    RELAY_NOTICE_MS: '2500',
    RELAY_PORT: String(port),
    RELAY_METRICS_PORT: '0',
  };
  const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  running.push(child);
  await once(child.stdout, 'data');
  child.stdout.resume();
  return child;
}

/** Returns the instances that haproxy holds for well, by the page that it has about itself. */
async function serversUp(statistics: number): Promise<string[]> {
  const csv = await fetch(`http://127.0.0.1:${String(statistics)}/;csv`).then((reply) =>
    reply.text(),
  );
  const lines = csv.split('\n').filter((line) => /^relays,relay\d,.*,UP,/.test(line));
  return lines.map((line) => line.split(',')[1] ?? '');
}

const withHaproxy = test.skipIf(findProgram('haproxy') === undefined);

withHaproxy(
  'a rolling restart behind haproxy fails no call',
  async () => {
    const [statistics, first, second] = await freePorts(3);
    const backs = [first, second] as const;
    const instances = await Promise.all(backs.map(startInstance));
    const page = `bind 127.0.0.1:${String(statistics)}\n  stats enable\n  stats uri /`;
    const proxy = await startProxy('haproxy', backs, `\nfrontend stats\n  ${page}\n`);
    haproxy = proxy;
    const bothWell = (): Promise<void> =>
      expect.poll(() => serversUp(statistics), { timeout: 60_000 }).toEqual(['relay1', 'relay2']);
    await bothWell();

    let going = true;
    let next = 0;
    const statuses: (number | string)[] = [];
    const lane = async (): Promise<void> => {
      while (going) {
        const code = `code-${String((next += 1))}`;
        const status = await callThrough(`${proxy.origin}/c/shop`, token, validation, {
          code,
        }).then(
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
  },
  180_000,
);
