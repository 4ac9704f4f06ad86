import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { failureHeader } from '#relay/rules/index';
import type { Stored } from '#relay/store/records';
import { auditRows, begunReplies, isReply } from '#tests/relay/support/audit-rows';
import { type CountingUpstream, countingUpstream } from '#tests/relay/support/counting-upstream';
import {
  type RelayFiles,
  callThrough,
  relayFiles,
  relayOn,
  stores,
  validation,
} from '#tests/relay/support/relay';
import { killRelays, pipeAdmin, spawnAdmin, spawnRelay } from '#tests/relay/support/relay-process';

describe.each(stores)('on %s', (store) => {
  let seller: CountingUpstream;
  let files: RelayFiles;
  let token: string;

  beforeEach(async () => {
    seller = await countingUpstream();
    files = await relayOn(store);
    await files.connect('shop', seller.origin, 'canary-key-0123456789', '--limit 100000');
    token = await files.join('ada@fenwick.test');
  });
  afterEach(async () => {
    killRelays();
    await seller.close();
    files.remove();
  });

  const audit = (): Promise<readonly Stored<'audit'>[]> => files.administer(auditRows);

  /** Returns the status of a check; 0 unless its whole reply came. */
  const statusOf = (origin: string, code: string): Promise<number> =>
    callThrough(`${origin}/c/shop`, token, validation, { code }).then(
      async (reply) => {
        await reply.text();
        return reply.status;
      },
      () => 0,
    );

  /** Checks new codes, eight at a time, until a call fails or `going` says no; returns the status of each. */
  async function traffic(origin: string, from: number, going: () => boolean): Promise<number[]> {
    const statuses: number[] = [];
    let next = from;
    const lane = async (): Promise<void> => {
      while (going()) {
        const code = `code-for-the-audit-${String((next += 1)).padStart(4, '0')}`;
        const status = await statusOf(origin, code);
        statuses.push(status);
        if (status !== 200) return;
      }
    };
    await Promise.all(Array.from({ length: 8 }, lane));
    return statuses;
  }

  test('a kill in mid-traffic leaves no upstream call without its intent in the audit', async () => {
    for (const from of [1000, 2000, 3000]) {
      const relay = await spawnRelay(files);
      const seen = seller.arrived.length;
      const running = traffic(relay.origin, from, () => true);
      await expect.poll(() => seller.arrived.length).toBeGreaterThan(seen + 20);
      await relay.end('SIGKILL');
      expect(await running).toContain(0);
    }
    const intents = new Set(
      (await audit()).filter(({ kind }) => kind === 'intent').map(({ codeLast4 }) => codeLast4),
    );
    const missing = seller.arrived.filter(({ code }) => !intents.has(code.slice(-4)));
    expect(seller.arrived.length).toBeGreaterThan(60);
    expect(missing).toEqual([]);
  });

  test('a kill in mid-traffic leaves no reply without its row in the audit', async () => {
    const code = 'code-for-the-audit-0001';
    let answered = 0;
    for (let kill = 0; kill < 6; kill += 1) {
      const relay = await spawnRelay(files);
      const lane = async (): Promise<void> => {
        while ((await statusOf(relay.origin, code)) === 200) answered += 1;
      };
      const before = answered;
      const running = Promise.all(Array.from({ length: 30 }, lane));
      await expect.poll(() => answered).toBeGreaterThan(before + 40);
      await relay.end('SIGKILL');
      await running;
    }
    const rows = (await audit()).filter(isReply);
    expect(answered).toBeGreaterThan(200);
    expect(answered).toBeLessThanOrEqual(rows.length);
  });

  test('a revocation by the command line is followed by no reply', async () => {
    const relay = await spawnRelay(files);
    const running = traffic(relay.origin, 1000, () => true);
    await expect.poll(() => seller.arrived.length).toBeGreaterThan(20);
    expect(await spawnAdmin(files, `tokens revoke ${token.split('_')[1] ?? ''}`)).toBe(0);
    const statuses = await running;
    await relay.end('SIGTERM');

    const rows = await audit();
    const revoked = rows.findIndex(({ result }) => result === 'token-revoked');
    expect(revoked).toBeGreaterThan(0);
    expect(rows.slice(revoked).filter(isReply)).toEqual([]);
    expect(statuses.filter((status) => status === 200)).toHaveLength(begunReplies(rows).length);
    expect(new Set(statuses)).toEqual(new Set([200, 401]));
  });

  test.each(['SIGTERM', 'SIGHUP'] as const)(
    '%s under load cuts no live call, and the process ends well',
    async (signal) => {
      const relay = await spawnRelay(files);
      const release = seller.hold();
      let going = true;
      const running = traffic(relay.origin, 1000, () => going);
      await expect.poll(() => seller.arrived.length).toBe(8);
      going = false;
      const ended = relay.end(signal);
      setTimeout(release, 100);
      expect(await running).toEqual(Array<number>(8).fill(200));
      expect(await ended).toBe(0);
    },
  );

  // It waits for as long as a seller may take. Here the outcome is written after the reply.
  if (store === 'PostgreSQL')
    test('SIGTERM answers in words what a seller does not end, and the process ends', async () => {
      const relay = await spawnRelay(files);
      const release = seller.hold();
      const call = callThrough(`${relay.origin}/c/shop`, token, validation, { code: 'dripping' });
      await expect.poll(() => seller.arrived.length).toBe(1);
      const ended = relay.end('SIGTERM');
      const reply = await call;
      expect([reply.status, reply.headers.get(failureHeader)]).toEqual([504, 'upstream-timeout']);
      expect(await ended).toBe(0);
      release();
    });

  test('a second SIGINT, which npm sends beside the terminal, cuts no live call', async () => {
    const relay = await spawnRelay(files);
    const release = seller.hold();
    let going = true;
    const running = traffic(relay.origin, 1000, () => going);
    await expect.poll(() => seller.arrived.length).toBe(8);
    going = false;
    relay.signal('SIGINT');
    const listens = (): Promise<boolean> =>
      fetch(`${relay.origin}/healthz`).then(
        ({ ok }) => ok,
        () => false,
      );
    await expect.poll(listens).toBe(false);
    const ended = relay.end('SIGINT');
    setTimeout(release, 100);
    expect(await running).toEqual(Array<number>(8).fill(200));
    expect(await ended).toBe(0);
  });

  test('a relay ends well although nobody reads its log any more', async () => {
    const relay = await spawnRelay(files);
    const call = (code: string): Promise<Response> =>
      callThrough(`${relay.origin}/c/shop`, token, validation, { code });
    // The first call is slow. The second one's line is still held back when the relay is stopped.
    await call('code-for-the-audit-0001');
    relay.endLogReader();
    await call('code-for-the-audit-0002');
    expect(await relay.end('SIGTERM')).toBe(0);
  });

  test('a relay without a master key does not start', async () => {
    await files.administer(() => Promise.resolve());
    const elsewhere = await relayOn('SQLite');
    const wrong = { ...files, masterKey: elsewhere.masterKey };
    await expect(spawnRelay(wrong)).rejects.toThrow('The relay ended.');
    elsewhere.remove();
  });

  test('a relay whose port or metrics port is taken ends', async () => {
    const other = await spawnRelay(files);
    const taken = Number(new URL(other.origin).port);
    await expect(spawnRelay(files, { port: taken })).rejects.toThrow('The relay ended.');
    await expect(spawnRelay(files, { metricsPort: taken })).rejects.toThrow('The relay ended.');
    expect(await other.end('SIGTERM')).toBe(0);
  });
});

const readyOf = async ({ origin }: { readonly origin: string }): Promise<string> => {
  const reply = await fetch(`${origin}/readyz`);
  return `${String(reply.status)} ${await reply.text()}`;
};

test('a relay whose database another process has locked is not ready, and says why', async () => {
  const files = relayFiles();
  const relay = await files.start();
  const other = new DatabaseSync(files.database);
  other.exec('BEGIN IMMEDIATE');
  expect(await readyOf(relay)).toBe('503 database locked');
  other.exec('COMMIT');
  expect(await readyOf(relay)).toBe('200 ready');
  other.close();
  await relay.stop();
  files.remove();
});

/** Where a file system of its own is mounted, on a machine that lets one be made. */
const smallDisk = mkdtempSync(join(tmpdir(), 'relay-disk-'));
const mount = (): boolean =>
  spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=300m', 'tmpfs', smallDisk]).status === 0;
const unmount = (): boolean => spawnSync('umount', [smallDisk]).status === 0;
afterAll(() => {
  rmSync(smallDisk, { recursive: true });
});

describe.runIf(process.platform === 'linux' && mount() && unmount())(
  'on a disk that fills up between two looks',
  () => {
    beforeAll(() => {
      mount();
    });
    afterAll(() => {
      unmount();
    });
    afterEach(killRelays);

    test('no reply leaves without its row, the readiness is red, and rights can still be taken away', async () => {
      const seller = await countingUpstream();
      const files = relayFiles(undefined, smallDisk);
      await files.connect('shop', seller.origin, 'canary-key-0123456789', '--limit 100000');
      const [token, other] = [
        await files.join('ada@fenwick.test'),
        await files.join('bob@fenwick.test'),
      ];
      const relay = await spawnRelay(files);
      const check = async (): Promise<number> =>
        (await callThrough(`${relay.origin}/c/shop`, token, validation, { code: 'code-1' })).status;
      expect([await check(), await readyOf(relay)]).toEqual([200, '200 ready']);

      const filler = join(smallDisk, 'filler');
      expect(spawnSync('dd', ['if=/dev/zero', `of=${filler}`, 'bs=64k']).status).not.toBe(0);
      const statuses = [200];
      // The log that the database keeps is written over before it grows.
      for (let n = 0; n < 400; n += 1) statuses.push(await check());
      expect(new Set(statuses)).toEqual(new Set([200, 503]));
      expect(await readyOf(relay)).toBe('503 disk low');
      const { stderr } = pipeAdmin(files, 'roles set lead email', 'cat');
      expect(stderr).toMatch(/^The disk of the database is full: /);
      expect(await spawnAdmin(files, `tokens revoke ${token.split('_')[1] ?? ''}`)).toBe(0);
      expect(await spawnAdmin(files, 'agents remove bob@fenwick.test')).toBe(0);
      expect(await check()).not.toBe(200);
      await relay.end('SIGKILL');

      rmSync(filler);
      const replies = (await files.administer(auditRows)).filter(({ kind }) => kind === 'reply');
      expect(replies.length).toBeGreaterThanOrEqual(statuses.filter((one) => one === 200).length);
      const again = await spawnRelay(files);
      for (const each of [token, other]) {
        const reply = await callThrough(`${again.origin}/c/shop`, each, validation, { code: 'x' });
        expect(reply.status).toBe(401);
      }
      await again.end('SIGTERM');
      await seller.close();
      files.remove();
    }, 60_000);

    test('rights can be taken away also while no relay runs', async () => {
      const files = relayFiles(undefined, smallDisk);
      const token = await files.join('ada@fenwick.test');
      const filler = join(smallDisk, 'filler');
      for (const size of ['64k', '1k'])
        spawnSync('dd', ['if=/dev/zero', `of=${filler}-${size}`, `bs=${size}`]);
      expect(await spawnAdmin(files, `tokens revoke ${token.split('_')[1] ?? ''}`)).toBe(0);
      for (const size of ['64k', '1k']) rmSync(`${filler}-${size}`);
      const [record] = await files.administer((store) => store.tokens());
      expect(record?.revokedAt).toBeGreaterThan(0);
      files.remove();
    });
  },
);

test.skipIf(process.platform === 'win32')(
  'an embedded database is for its own account alone',
  async () => {
    const files = relayFiles();
    expect(await spawnAdmin(files, 'agents add ada@team.test')).toBe(0);
    expect((statSync(files.database).mode & 0o777).toString(8)).toBe('600');
    files.remove();
  },
);

test.skipIf(process.platform === 'win32')(
  'a command whose reader has seen enough ends quietly',
  async () => {
    const files = relayFiles();
    // More than a pipe holds, so that the reader is gone before the end.
    await files.administer((store) =>
      Promise.all(
        Array.from({ length: 3_000 }, (_, n) =>
          store.putRole({ name: `role-${String(n)}`, maySee: [] }),
        ),
      ),
    );
    const { status, stdout, stderr } = pipeAdmin(files, 'audit csv', 'head -n 1');
    expect([status, stdout.slice(0, 3), stderr]).toEqual([0, 'at,', '']);
    files.remove();
  },
);
