import { spawnSync } from 'node:child_process';
import { readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { administer } from '#relay/admin/operator';
import { createTestDatabase } from '#tests/relay/support/postgres';
import { type RelayFiles, relayFiles } from '#tests/relay/support/relay';

const guide = readFileSync(new URL('../../docs/relay.md', import.meta.url), 'utf8');

let files: RelayFiles;
beforeEach(() => {
  files = relayFiles();
});
afterEach(() => {
  files.remove();
});

test('a backup as the guide makes it ends while the relay writes, and restores what was there', async () => {
  const [, command = ''] = /^relay admin (.*) \S+backup\.db$/m.exec(guide) ?? [];
  const token = await files.join('ada@team.test');
  const database = new DatabaseSync(files.database);
  database.exec(`INSERT INTO audit (at, kind, result, code_hmac)
      WITH RECURSIVE count (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM count WHERE n < 50000)
      SELECT ${String(Date.UTC(2026, 9, 1))} + n, 'reply', 'asked', hex(zeroblob(200)) FROM count;`);

  const backup = { going: true };
  const ended = files
    .admin(`${command} ${join(files.folder, 'backup.db')}`)
    .finally(() => (backup.going = false));
  await files.administer(async (store) => {
    while (backup.going) await store.putRole({ name: 'busy', maySee: [] });
  });
  expect(await ended).toContain('backup.db is a copy');
  database.close();

  for (const end of ['', '-wal', '-shm']) rmSync(files.database + end, { force: true });
  renameSync(join(files.folder, 'backup.db'), files.database);
  expect(await files.admin('tokens list')).toContain(token.split('_')[1]);
  expect((await files.admin('audit csv --month 2026-10')).split('\n')).toHaveLength(50_001);
});

test('a dump of PostgreSQL as the guide makes it restores what was there, for both roles', async () => {
  const database = await createTestDatabase();
  const others = relayFiles(database);
  const token = await others.join('ada@team.test');
  await others.connect('shop', 'https://market.test', 'canary-key-0123456789');
  const [, dumping = ''] =
    /^sudo -u postgres pg_dump (\S+) relay > relay\.dump$/m.exec(guide) ?? [];
  const [, restoring = ''] =
    /sudo -u postgres pg_restore (--\w+)=relay < relay\.dump/.exec(guide) ?? [];
  const run = (program: string, args: readonly string[], input?: Buffer): Buffer => {
    const done = spawnSync(join(database.programs, program), args, { input, maxBuffer: 2 ** 28 });
    expect([done.stderr.toString(), done.status]).toEqual(['', 0]);
    return done.stdout;
  };
  const dump = run('pg_dump', [dumping, database.superuser]);
  const restored = `${database.name}_restored`;
  await database.run(`CREATE DATABASE ${restored} OWNER relay_owner`);
  const at = (address: string): string => address.replace(database.name, restored);
  run('pg_restore', [`${restoring}=${at(database.superuser)}`], dump);

  expect(await administer(at(database.owner), (store) => store.tokens())).toMatchObject([
    { id: token.split('_')[1] },
  ]);
  const relay = await others.start({ database: at(database.runner) });
  const reply = await fetch(`${relay.origin}/relay/v1/settings`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(reply.status).toBe(200);
  await relay.stop();
  others.remove();
});
