import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { messageOf } from '#relay/rules/failure';
import { machineClocks, type Store, type StoreClocks } from '#relay/store/store';
import { createLog } from '#relay/observe/observer';
import { startRelay } from '#relay/relay';
import { dropAuditBefore } from '#relay/store/postgres/audit';
import { forTheAdministrator, openDatabase } from '#relay/store/postgres/database';
import { openPostgresStore } from '#relay/store/postgres/postgres-store';
import { prepareDatabase } from '#relay/store/postgres/prepare';
import { upgrades } from '#relay/store/postgres/schema';
import { createServingStore } from '#relay/store/postgres/serving';
import { describeStore } from '#tests/relay/store/conformance';
import { checkAtShop, shop } from '#tests/relay/support/records';
import { relayFiles } from '#tests/relay/support/relay';
import { createTestDatabase } from '#tests/relay/support/postgres';
import { type TestDatabase, runner } from '#tests/relay/support/prepared-postgres';

/** What the command line does, with the owner's role; all else must be possible with the runner's. */
const ofTheOwner = new Set<string>([
  'connections',
  'addConnection',
  'editConnection',
  'quotas',
  'setQuota',
  'removeConnection',
  'putKey',
  'keys',
  'rewrap',
  'roles',
  'putRole',
  'agents',
  'addAgent',
  'importAgents',
  'setRole',
  'setSubject',
  'keptMonths',
  'keepAudit',
  'removeAgent',
  'addInvite',
  'redeemInvite',
  'tokens',
  'tokenUses',
  'revokeToken',
  'readAudit',
  'dropAuditBefore',
  'putSettings',
]);

/** Opens a store with the time that a command has, since a busy machine may need more than a call does. */
const patiently = 'administer';

type Methods = Readonly<Record<string, (...args: unknown[]) => Promise<unknown>>>;

/** Puts a clock that the test sets in the place of the database's. */
async function addTestClock({ run, superuser }: TestDatabase) {
  await run(`
    CREATE TABLE public.test_clock (now double precision NOT NULL);
    INSERT INTO public.test_clock VALUES (0);
    GRANT SELECT ON public.test_clock TO PUBLIC;
    CREATE OR REPLACE FUNCTION relay.clock() RETURNS double precision LANGUAGE sql VOLATILE AS
      'SELECT now FROM public.test_clock';
  `);
  const client = new Client(superuser);
  await client.connect();
  let last = 0;
  let done: Promise<unknown> = Promise.resolve();
  return {
    set: async (now: number): Promise<void> => {
      if (now !== last) done = client.query('UPDATE public.test_clock SET now = $1', [now]);
      last = now;
      await done;
    },
    close: () => client.end(),
  };
}

describeStore('the store in PostgreSQL', async () => {
  const database = await createTestDatabase();
  const clock = await addTestClock(database);
  return {
    open: async (clocks: StoreClocks) => {
      await clock.set(clocks.now());
      const [serving, administering] = await Promise.all([
        openPostgresStore(database.runner, clocks, patiently),
        openPostgresStore(database.owner, clocks, 'administer'),
      ]);
      const timed = Object.keys(serving).map((name) => {
        const methods = (ofTheOwner.has(name) ? administering : serving) as unknown as Methods;
        const call = async (...args: unknown[]): Promise<unknown> => {
          await clock.set(clocks.now());
          return methods[name]?.(...args);
        };
        return [name, call];
      });
      const close = async (): Promise<void> => {
        await Promise.all([serving.close(), administering.close()]);
      };
      return { ...(Object.fromEntries(timed) as Store), clocks, close };
    },
    remove: clock.close,
  };
});

const aToken = `SET search_path = relay; INSERT INTO agent VALUES ('ada', 'ada@fenwick.test', 'lead');
  INSERT INTO token VALUES ('t1', 'ada', '', clock(), clock(), 0)`;

/** Creates a database that a store has used. */
async function usedDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase();
  const store = await openPostgresStore(database.owner, machineClocks, 'administer');
  await store.putRole({ name: 'lead', sees: [] });
  await store.close();
  return database;
}

test('a call reads no table whole that grows with the calls, even where it was planned while that was empty', async () => {
  const { run, runner: address } = await usedDatabase();
  const connection = { ...shop, limit: 60_000, windowMs: 1_000 };
  await run(`
    SET search_path = relay;
    INSERT INTO connection VALUES ('shop', 'Shop', 'https://shop.test', 'parameter', 'form', 60000, 1000, false);
    INSERT INTO pace VALUES ('shop');
    ANALYZE lease, cached_reply, pace_agent, token;
  `);
  const store = await openPostgresStore(address, machineClocks, patiently);
  const subject = checkAtShop;
  for (let n = 0; n < 120; n += 1) {
    const lease = { key: `shop:1:${String(n)}`, holder: 'one', forMs: 10_000 };
    const cache = { key: lease.key, storedAt: n, expiresAt: n, sealed: Buffer.from('x') };
    await store.findCall({ token: 't1', connection: 'shop', cacheKeyEnd: String(n) });
    await store.takeSlot({
      connection,
      subject,
      lease,
      bulk: false,
      deadlineMs: 2_000,
      unlessCached: true,
    });
    await store.reportCall({ subject, lease, cache, result: 'success', health: 'up' });
    await store.release(subject, 'asked', () => undefined);
  }
  // A session counts what it read when it ends.
  await store.close();
  const readWhole = (): Promise<readonly object[]> =>
    run(`SELECT relname AS name FROM pg_stat_user_tables
      WHERE relname IN ('lease', 'cached_reply', 'pace_agent', 'token') AND seq_scan > 0`);
  const inserted = (): Promise<readonly object[]> =>
    run(`SELECT n_tup_ins::int AS rows FROM pg_stat_user_tables WHERE relname = 'cached_reply'`);
  await expect.poll(inserted).toEqual([{ rows: 120 }]);
  expect(await readWhole()).toEqual([]);
  // They had all expired: most of them were removed again.
  const [left] = await run('SELECT count(*)::int AS rows FROM relay.cached_reply');
  expect(left?.['rows']).toBeLessThan(120);
});

test('a call takes five round trips to the database', async () => {
  const { owner } = await usedDatabase();
  const administering = await openPostgresStore(owner, machineClocks, 'administer');
  await administering.addConnection(shop);
  await administering.close();
  const database = openDatabase(owner, forTheAdministrator);
  const trips: string[] = [];
  const store = createServingStore({
    ...database,
    query: (...statement) => {
      trips.push('statement');
      return database.query(...statement);
    },
    commitThenLock: (...all) => {
      trips.push('statements under a lock', 'commit');
      return database.commitThenLock(...all);
    },
  });
  const lease = { key: 'shop:1:a', holder: 'one', forMs: 10_000 };
  const rules = { bulk: false, deadlineMs: 2_000, unlessCached: true };
  await store.findCall({ token: 't1', connection: 'shop', cacheKeyEnd: 'a' });
  expect(trips.splice(0)).toEqual(['statement']);
  // The state that is decided on, and the decision.
  const slot = await store.takeSlot({ connection: shop, subject: checkAtShop, lease, ...rules });
  expect([slot.granted, trips.splice(0)]).toEqual([true, ['statement', 'statement']]);
  await Promise.all([
    store.reportCall({ subject: checkAtShop, lease, result: 'success', health: 'up' }),
    store.release(checkAtShop, 'asked', () => undefined),
  ]);
  expect(trips).toEqual(['statements under a lock', 'commit']);
  await database.close();
});

test('expired replies are found by their index, also where it was planned while there were none', async () => {
  const { run, runner: address } = await usedDatabase();
  await run('ANALYZE relay.cached_reply');
  await run(`INSERT INTO relay.cached_reply
    SELECT 'shop:1:' || n, 1, n, 'x' FROM generate_series(1, 1200) AS n`);
  const store = await openPostgresStore(address, machineClocks, patiently);
  expect([await store.dropExpiredReplies(), await store.dropExpiredReplies()]).toEqual([1000, 200]);
  await store.close();
  const reads = (): Promise<readonly object[]> =>
    run(`SELECT n_tup_del::int AS removed, seq_scan::int AS whole FROM pg_stat_user_tables
      WHERE relname = 'cached_reply'`);
  await expect.poll(reads).toEqual([{ removed: 1200, whole: 0 }]);
});

test('an audit row is neither changed nor deleted, by the owner either', async () => {
  const { run } = await usedDatabase();
  await expect(run("UPDATE relay.audit SET result = 'x'")).rejects.toThrow('neither changed');
  await expect(run('DELETE FROM relay.audit')).rejects.toThrow('neither changed');
});

test('the runner may neither read nor change the audit, nor add an agent or undo a revocation', async () => {
  const { run } = await usedDatabase();
  await run(aToken);
  for (const statement of [
    'SELECT * FROM audit',
    "UPDATE audit SET result = 'x'",
    'DELETE FROM audit',
    'TRUNCATE audit',
    'DROP TABLE audit',
    'UPDATE token SET revoked_at = 0',
    "UPDATE invite SET agent = 'x'",
    "INSERT INTO agent VALUES ('a', 'a@fenwick.test', 'lead')",
    "UPDATE agent SET subject = 'x'",
    'INSERT INTO kept_audit VALUES (true, 0)',
    "UPDATE connection SET base_address = 'https://evil.test'",
    'DELETE FROM secret',
    'DELETE FROM token',
    'CREATE TABLE mine (id text)',
    "INSERT INTO audit (id, at, kind, result) VALUES (1, clock(), 'reply', 'asked')",
    "INSERT INTO audit (at, kind, result) VALUES (clock() - 90000, 'reply', 'asked')",
    "SELECT setval('audit_id', 1)",
    "INSERT INTO audit (at, kind, result, actor) VALUES (clock(), 'admin', 'joined', 'ada@relay-1')",
    "INSERT INTO audit (at, kind, result) VALUES (clock(), 'admin', 'agent-removed')",
    "INSERT INTO audit (at, kind, result) VALUES (clock(), 'admin', 'agent-role-set')",
    "INSERT INTO token SELECT 'later', agent, hash, clock() + 90000, clock(), 0 FROM token",
  ]) {
    const attempt = run(`SET search_path = relay; SET ROLE ${runner}; ${statement}`);
    await expect(attempt, statement).rejects.toThrow(/permission denied|must be owner/);
  }
});

test('the runner counts whole months, and records what serving changes', async () => {
  const { run } = await usedDatabase();
  const as = (statement: string): Promise<unknown> =>
    run(`SET search_path = relay; SET ROLE ${runner}; ${statement}`);
  await as("SELECT * FROM count_month('2026-11')");
  await expect(as('SELECT * FROM count_month(1, 2)')).rejects.toThrow('does not exist');
  for (const [result, actor] of [
    ['joined', 'Firefox on Linux'],
    ['token-revoked', null],
    ['report-read-2026-11', null],
    ['agent-role-set', 'sign-in'],
  ]) {
    const by = actor === null ? 'NULL' : `'${String(actor)}'`;
    await as(
      `INSERT INTO audit (at, kind, result, actor) VALUES (clock(), 'admin', '${String(result)}', ${by})`,
    );
  }
});

test('the runner lets no token live longer than 30 days from its sign-in', async () => {
  const { run } = await usedDatabase();
  await run(aToken);
  const extend = (days: number): Promise<unknown> =>
    run(`SET search_path = relay; SET ROLE ${runner};
      UPDATE token SET expires_at = signed_in_at + ${String(days * 86_400_000)}`);
  await extend(30);
  await expect(extend(31)).rejects.toThrow('token_ends');
});

describe('a reply', () => {
  let database: TestDatabase;
  let store: Store;
  const subject = checkAtShop;
  beforeEach(async () => {
    database = await createTestDatabase();
    await database.run(`SET search_path = relay;
      INSERT INTO agent VALUES ('ada', 'ada@fenwick.test', 'agent');
      INSERT INTO token SELECT 't1', 'ada', 'x', now, now + 60000, 0 FROM (SELECT floor(clock()) AS now) AS clock;`);
    store = await openPostgresStore(database.runner, machineClocks, patiently);
  });
  afterEach(() => store.close());

  /** Runs statements while the program stands still; returns the lines of the answers and of the errors. */
  function runAtOnce(...sql: readonly string[]): string[] {
    const statements = sql.flatMap((one) => ['-c', one]);
    const psql = join(database.programs, 'psql');
    const { stdout, stderr } = spawnSync(psql, ['-At', ...statements, database.superuser], {
      encoding: 'utf8',
    });
    return `${stdout}${stderr}`.trim().split('\n');
  }
  const rows = "SELECT kind || ' ' || result FROM relay.audit ORDER BY id";

  test('begins once its row is committed, and no revocation is committed meanwhile', async () => {
    let found: string[] = [];
    const begin = (): void => {
      const revoke = 'UPDATE relay.token SET revoked_at = 1';
      found = runAtOnce(rows, "SET lock_timeout = '20ms'", revoke);
    };
    expect(await store.release(subject, 'cached', begin)).toBe('begun');
    expect(found.slice(0, 3)).toEqual([
      'reply cached',
      'SET',
      'ERROR:  canceling statement due to lock timeout',
    ]);
  });

  test('whose token is revoked between its row and its first byte is withheld', async () => {
    await database.run(`
      CREATE FUNCTION relay.revoke_all() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS
        $$ BEGIN UPDATE relay.token SET revoked_at = 1; RETURN NULL; END $$;
      CREATE TRIGGER revoke_all AFTER INSERT ON relay.audit EXECUTE FUNCTION relay.revoke_all();`);
    const begin = (): never => {
      throw new Error('No reply may begin.');
    };
    expect(await store.release(subject, 'asked', begin)).toBe('withheld');
    expect(runAtOnce(rows)).toEqual(['reply asked', 'reply withheld']);
  });
});

test('a database of a newer relay is neither opened nor upgraded, nor is an older one opened', async () => {
  const { run, owner } = await usedDatabase();
  const open = (): Promise<Store> => openPostgresStore(owner, machineClocks, 'serve');
  await run('UPDATE relay.schema_version SET version = 99');
  await expect(open()).rejects.toThrow('The database has schema 99');
  await expect(prepareDatabase(owner)).rejects.toThrow('The database has schema 99');
  await run('DROP SCHEMA relay CASCADE');
  await expect(open()).rejects.toThrow('admin database prepare');
});

test('an older database is upgraded, and a token in it that lives too long is shortened', async () => {
  const { run, owner } = await usedDatabase();
  await run(`DROP SCHEMA relay CASCADE; SET ROLE relay_owner; CREATE SCHEMA relay; SET search_path = relay;
    CREATE TABLE schema_version (only_row boolean PRIMARY KEY DEFAULT true, version integer NOT NULL, runner text NOT NULL);
    INSERT INTO schema_version VALUES (true, 1, '${runner}'); ${upgrades[0] ?? ''}
    INSERT INTO role VALUES ('lead', ''); ${aToken}; UPDATE token SET expires_at = 9e15;
    GRANT INSERT ON audit TO ${runner}`);
  expect(await prepareDatabase(owner)).toEqual({ version: upgrades.length, runner });
  const lives = 'SELECT (expires_at - signed_in_at)::float8 / 86400000 AS days FROM relay.token';
  expect(await run(lives)).toEqual([{ days: 30 }]);
  const forged = "INSERT INTO relay.audit (id, at, kind, result) VALUES (1, 0, 'reply', 'asked')";
  await expect(run(`SET ROLE ${runner}; ${forged}`)).rejects.toThrow('permission denied');
});

test('a database of schema 3 keeps its connections and pace, whose rules leave the database', async () => {
  const { run, owner } = await usedDatabase();
  const before = upgrades.slice(0, 3).join(';');
  await run(`DROP SCHEMA relay CASCADE; SET ROLE relay_owner; CREATE SCHEMA relay; SET search_path = relay;
    CREATE TABLE schema_version (only_row boolean PRIMARY KEY DEFAULT true, version integer NOT NULL, runner text NOT NULL);
    INSERT INTO schema_version VALUES (true, 3, '${runner}'); ${before};
    CREATE FUNCTION end_calls(jsonb, text[], text[], jsonb, text[], text[], text[], text[], bigint[], bigint[], bytea[], integer)
      RETURNS text[] LANGUAGE sql AS 'SELECT NULL::text[]';
    CREATE FUNCTION note_health(text, text, double precision) RETURNS void LANGUAGE sql AS '';
    CREATE FUNCTION take_slots(text, double precision, double precision, double precision, jsonb) RETURNS void LANGUAGE sql AS '';
    CREATE FUNCTION decide_slot(double precision, double precision, double precision, double precision, double precision,
      double precision, double precision, boolean, double precision, double precision) RETURNS void LANGUAGE sql AS '';
    INSERT INTO connection VALUES ('shop', 'Shop', 'https://shop.test', 'parameter', 'form', 60, 60000, false);
    INSERT INTO pace (connection, held_until) VALUES ('shop', 9e15)`);
  expect(await prepareDatabase(owner)).toEqual({ version: upgrades.length, runner });
  const store = await openPostgresStore(owner, machineClocks, 'administer');
  expect(await store.connections()).toMatchObject([{ id: 'shop', limit: 60, roles: [] }]);
  await store.close();
  expect(await run('SELECT held_until::float8 AS held, taken FROM relay.pace')).toEqual([
    { held: 9e15, taken: '[]' },
  ]);
  const rules =
    "SELECT proname FROM pg_proc WHERE proname IN ('note_health', 'take_slots', 'decide_slot')";
  expect(await run(rules)).toEqual([]);
  expect(await run("SELECT proname FROM pg_proc WHERE proname = 'end_calls'")).toHaveLength(1);
});

test('two who prepare a database at once both find it prepared', async () => {
  const { run, owner } = await usedDatabase();
  await run('DROP SCHEMA relay CASCADE');
  const versions = await Promise.all([prepareDatabase(owner, runner), prepareDatabase(owner)]);
  expect(new Set(versions.map(({ version }) => version)).size).toBe(1);
  expect(await run('SELECT runner FROM relay.schema_version')).toEqual([{ runner }]);
});

describe('a role that may not do it is told so', () => {
  test('when it was not named to "database prepare"', async () => {
    const { run, owner, runner: address } = await usedDatabase();
    await run('DROP SCHEMA relay CASCADE');
    expect(await prepareDatabase(owner)).toMatchObject({ runner: '' });
    await expect(openPostgresStore(address, machineClocks, 'serve')).rejects.toThrow(
      'run "admin database prepare --runner ROLE"',
    );
  });

  test('when the runner serves, without advice for the administrator', async () => {
    const { run, runner: address } = await createTestDatabase();
    await run(`REVOKE ALL ON relay.secret FROM ${runner}`);
    const options = { name: 'Fenwick', host: '127.0.0.1', port: 0, metricsPort: 0, noticeMs: 0 };
    const keyring = { currentId: 'm', find: () => Buffer.alloc(32) };
    const log = createLog('debug', { write: () => true });
    const refused = startRelay({ ...options, database: address, keyring, log }).catch(messageOf);
    expect(await refused).toBe('permission denied for table secret');
  });

  test('when the runner administers', async () => {
    const database = await createTestDatabase();
    const files = relayFiles({ ...database, owner: database.runner });
    const refused = await files.admin('agents add ada@fenwick.test').catch(messageOf);
    expect(refused).toContain('use the role of the owner');
    files.remove();
  });
});

describe('an audit that is being read, as by a backup,', () => {
  let database: TestDatabase;
  let reader: Client;
  let served: Store;
  beforeEach(async () => {
    database = await usedDatabase();
    await database.run(
      'CREATE TABLE relay.audit_2020_01 PARTITION OF relay.audit FOR VALUES FROM (0) TO (1)',
    );
    served = await openPostgresStore(database.runner, machineClocks, 'serve');
    reader = new Client(database.superuser);
    await reader.connect();
    await reader.query('BEGIN; SELECT count(*) FROM relay.audit');
  });
  afterEach(async () => {
    await reader.end();
    await served.close();
  });

  const subject = { callId: 'a', agent: 'a', token: 'none', connection: 'shop' };
  const addRow = (): Promise<string> =>
    served.release({ ...subject, call: 'account', codeHmac: '', codeLast4: '' }, 'asked', () => {
      throw new Error('No reply may begin.');
    });

  test('lets calls add to it while its old months wait to be dropped', async () => {
    const store = await openPostgresStore(database.owner, machineClocks, 'administer');
    const dropping = store.dropAuditBefore('2020-02');
    const waiting = (): Promise<readonly object[]> =>
      database.run(`SELECT 1 AS waits FROM pg_stat_activity
        WHERE datname = current_database() AND query LIKE 'DROP TABLE%' AND wait_event_type = 'Lock'`);
    await expect.poll(waiting, { interval: 10 }).toEqual([{ waits: 1 }]);
    for (let n = 0; n < 5; n += 1) expect(await addRow()).toBe('withheld');
    await reader.query('COMMIT');
    expect(await dropping).toEqual(['2020-01']);
    await store.close();
  });

  test('keeps its old months when that does not end, and says why', async () => {
    const owned = openDatabase(database.owner, forTheAdministrator);
    await expect(dropAuditBefore(owned, '2020-02', { tries: 2, pauseMs: 10 })).rejects.toThrow(
      'The audit is being read',
    );
    await owned.close();
    expect(await database.run('SELECT count(*)::int AS rows FROM relay.audit_2020_01')).toEqual([
      { rows: 0 },
    ]);
  });
});
