import { readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { afterEach, beforeEach, expect, test } from 'vitest';

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
