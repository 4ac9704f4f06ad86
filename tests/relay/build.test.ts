import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { run } from '#scripts/processes';
import { countingUpstream } from '#tests/relay/support/counting-upstream';
import { callThrough, validation } from '#tests/relay/support/relay';

// Outside the project, so that nothing is found in its node_modules.
const folder = mkdtempSync(join(tmpdir(), 'relay-build-'));
const program = join(folder, 'relay.mjs');
const database = join(folder, 'data.db');
const masterKey = join(folder, 'master.key');

beforeAll(async () => {
  const { code, output } = await run('node', ['scripts/build-relay.ts', '--out', folder]);
  expect(output).toContain('is ready to be copied');
  expect(code).toBe(0);
}, 120_000);
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const env = {
  ...process.env,
  RELAY_DATABASE: database,
  RELAY_MASTER_KEY: masterKey,
  RELAY_PORT: '0',
  RELAY_METRICS_PORT: '0',
};

function admin(command: string, input = ''): string {
  const args = [program, 'admin', ...command.split(' ')];
  const { stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: folder,
    env,
    input,
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  return stdout.trim();
}

test('the folder holds the program, its guide and what an administrator copies', () => {
  expect(readdirSync(folder).toSorted()).toEqual([
    '1.env',
    'LICENSE',
    'README.md',
    'counterfoil-relay@.service',
    'haproxy.cfg',
    'nginx.conf',
    'relay.env',
    'relay.mjs',
    'third-party.md',
  ]);
});

test('it serves with Node alone, from a folder of its own', async () => {
  const seller = await countingUpstream();
  admin(`master-key create ${masterKey}`);
  admin(`connections add shop ${seller.origin}`);
  admin('keys set shop', 'key-0123456789');
  admin('agents add ada@fenwick.test');
  const token = admin('invites redeem', admin('invites add ada@fenwick.test'));
  const relay = spawn(process.execPath, [program], { cwd: folder, env });
  const [line] = (await once(relay.stdout, 'data')) as [Buffer];
  const { port } = JSON.parse(line.toString()) as { readonly port: number };
  const base = `http://127.0.0.1:${String(port)}/c/shop`;
  const reply = await callThrough(base, token, validation, { code: 'c' });
  expect([reply.status, seller.arrived.length]).toEqual([200, 1]);
  relay.kill('SIGTERM');
  expect(await once(relay, 'exit')).toEqual([0, null]);
  await seller.close();
});
