import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { readKeyring } from '#relay/keys/keyring';
import { createRelayAdmin, type RunRelayAdmin } from '#scripts/running/start-relay';
import { type CountingUpstream, countingUpstream } from '#tests/relay/support/counting-upstream';
import { createTestDatabase } from '#tests/relay/support/postgres';
import type { TestDatabase } from '#tests/relay/support/prepared-postgres';
import { callThrough, type RelayFiles, relayFiles, validation } from '#tests/relay/support/relay';

const code = '86781236-23d0-4b3c-7dfa-c1c147e0dece';

let files: RelayFiles;
let postgres: TestDatabase;
let seller: CountingUpstream;
let admin: RunRelayAdmin;
let token: string;
beforeEach(async () => {
  files = relayFiles();
  postgres = await createTestDatabase();
  seller = await countingUpstream();
  admin = createRelayAdmin({
    database: postgres.owner,
    keyring: () => readKeyring([files.masterKey]),
  });
  await files.connect('shop', seller.origin, 'key-0123456789');
  await files.admin('roles set agent profile');
  await files.admin('roles set lead balance email');
  token = await files.join('ada@team.test');
  await files.join('bob@team.test', 'lead');
  const lost = await files.join('cy@team.test');
  await files.admin(`tokens revoke ${lost.split('_')[1] ?? ''}`);
  await files.admin('invites add bob@team.test');
  await files.admin('connections edit shop --roles agent');
  await files.admin('quotas set lead 9');
  await files.admin('quotas set ada@team.test 20');
  await files.administer((store) =>
    store.putSettings({ version: 3, payload: '{}', signature: 'ab', key: 'cd' }),
  );
  const relay = await files.start();
  for (const asked of [code, 'another-code-0123']) {
    await callThrough(`${relay.origin}/c/shop`, token, validation, { code: asked });
  }
  await relay.stop();
  const database = new DatabaseSync(files.database);
  database.exec(`INSERT INTO audit (at, kind, result, agent)
      WITH RECURSIVE count (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM count WHERE n < 12000)
      SELECT ${String(Date.UTC(2020, 1, 1))} + n, 'reply', 'asked', 'agent-' || n FROM count;`);
  database.close();
});
afterEach(async () => {
  await seller.close();
  files.remove();
});

const lists = ['connections', 'roles', 'agents', 'invites', 'tokens'];

test('a database moves with tokens, keys and audit, and serves from PostgreSQL', async () => {
  const before = await Promise.all(lists.map((noun) => files.admin(`${noun} list`)));
  expect(before[2]).toMatch(/^ada@team\.test\t.*\t2 of 20 today$/m);
  const audit = await files.admin('audit csv');
  const told = (await admin(`database move ${files.database}`)).split('\n');
  expect(told.slice(0, -1)).toEqual([
    'connection\t1',
    'connection_key\t1',
    'secret\t4',
    'role\t2',
    'agent\t3',
    'day_calls\t1',
    'token\t3',
    'invite\t1',
    'audit_kept\t1',
    'team_settings\t1',
    'pace\t1',
    expect.stringMatching(/^audit\t120\d\d$/),
  ]);
  expect(await Promise.all(lists.map((noun) => admin(`${noun} list`)))).toEqual(before);
  const moved = await admin('audit csv');
  expect(moved.slice(0, audit.length)).toBe(audit);
  expect(moved.slice(audit.length).trim()).toMatch(/^[^\n]*,admin,database-moved,[^\n]+@[^\n]+$/);

  const relay = await files.start({ database: postgres.runner });
  const reply = await callThrough(`${relay.origin}/c/shop`, token, validation, { code });
  expect(reply.status).toBe(200);
  await relay.stop();
  const found = (await admin('audit find', code)).split('\r\n').slice(1);
  expect(found.map((row) => row.split(',')[1])).toEqual([
    'intent',
    'outcome',
    'reply',
    'intent',
    'outcome',
    'reply',
  ]);
  await expect(admin(`database move ${files.database}`)).rejects.toThrow(
    'has rows in "connection" already',
  );
  await expect(
    postgres.run("UPDATE relay.audit SET result = 'x' WHERE at < 1600000000000"),
  ).rejects.toThrow('never changed');
});

test('a move that fails at its end has moved nothing', async () => {
  const database = new DatabaseSync(files.database);
  // The audit in PostgreSQL has no such rows.
  database.exec(`PRAGMA ignore_check_constraints = ON;
    INSERT INTO audit (at, kind, result) VALUES (0, 'other', 'asked')`);
  database.close();
  await expect(admin(`database move ${files.database}`)).rejects.toThrow('audit_kind_check');
  expect(await admin('connections list')).toContain('There are no connections');
  expect(await postgres.run('SELECT count(*)::int AS n FROM relay.audit')).toEqual([{ n: 0 }]);
  expect(await admin('roles list')).toBe('agent\tpurchases, items');
});

test('a database that a relay serves from is not moved, nor is it opened by one meanwhile', async () => {
  const relay = await files.start();
  await expect(admin(`database move ${files.database}`)).rejects.toThrow(
    'is open elsewhere: stop the relay that serves from it',
  );
  expect(await admin('agents list')).toContain('There are no agents');
  const asked = () => callThrough(`${relay.origin}/c/shop`, token, validation, { code });
  expect((await asked()).status).toBe(200);
  await relay.stop();
  expect(await admin(`database move ${files.database}`)).toContain('connection\t1');
  // It is a backup, from which a relay could serve as before.
  expect(await files.admin('agents list')).toContain('ada@team.test');
});

test('a database is moved only under the master key that opens it, and only into PostgreSQL', async () => {
  const other = join(files.folder, 'other.key');
  writeFileSync(other, randomBytes(32), { mode: 0o400 });
  const stranger = createRelayAdmin({
    database: postgres.owner,
    keyring: () => readKeyring([other]),
  });
  await expect(stranger(`database move ${files.database}`)).rejects.toThrow('needs the master key');
  await expect(files.admin(`database move ${files.database}`)).rejects.toThrow('Set DATABASE_URL');
  await expect(admin('database move none.db')).rejects.toThrow('There is no database none.db');
  await expect(admin('database move')).rejects.toThrow('Missing: the file of the embedded');
  expect(await admin('agents list')).toContain('There are no agents');
});
