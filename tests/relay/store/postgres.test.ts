import { spawnSync } from 'node:child_process';
import { machineClocks, type Clocks } from '#relay/machine/clocks';
import { Socket } from 'node:net';
import { join } from 'node:path';

import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { delay } from '#core/time/index';
import { monthAt } from '#relay/month';
import { messageOf } from '#relay/problem';
import { createObserver } from '#relay/observe/observer';
import { startRelay } from '#relay/relay';
import { openStore, storeOn } from '#relay/store/open-store';
import type { SlotAnswer, Store } from '#relay/store/store';
import { openPostgres } from '#relay/store/postgres';
import { prepareDatabase } from '#relay/store/prepare';
import { schemaVersion } from '#relay/store/schema';
import { createServingStore } from '#relay/store/serving-store';
import { type Database, type Statement } from '#relay/store/sql';
import { auditRows } from '#tests/relay/support/audit-rows';
import { describeStore } from '#tests/relay/store/conformance';
import { checkAtShop, shop } from '#tests/relay/support/records';
import { relayFiles } from '#tests/relay/support/relay';
import { type FaultProxy, faultProxy } from '#tests/relay/support/fault-proxy';
import { createTestDatabase } from '#tests/relay/support/postgres';
import { type TestDatabase, runner } from '#tests/relay/support/prepared-postgres';

/** What the command line does, with the owner's role; all else must be possible with the runner's. */
const ofTheOwner = new Set<string>([
  'connections',
  'addConnection',
  'editConnection',
  'setQuota',
  'removeConnection',
  'putKey',
  'keys',
  'rewrap',
  'roles',
  'putRole',
  'agents',
  'addAgent',
  'setRole',
  'setSubject',
  'keptMonths',
  'keepAudit',
  'removeAgent',
  'addInvite',
  'revokeInvites',
  'redeemInvite',
  'tokens',
  'revokeToken',
  'readAudit',
  'putSettings',
]);

/** Opens a store that serves, with the time that a command has, since a busy machine may need more than a call does. */
async function openPatiently(address: string, clocks: Clocks = machineClocks): Promise<Store> {
  return storeOn(await openPostgres(address, clocks.paceNow, 'administer'));
}

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
    open: async (clocks: Clocks) => {
      await clock.set(clocks.now());
      const [serving, administering] = await Promise.all([
        openPatiently(database.runner, clocks),
        openStore(database.owner, 'administer', clocks),
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

async function usedDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase();
  const store = await openStore(database.owner, 'administer');
  await store.putRole({ name: 'lead', maySee: [] });
  await store.close();
  return database;
}

test('a call reads no table whole that grows with the calls, even where it was planned while that was empty', async () => {
  const { run, runner: address } = await usedDatabase();
  const connection = { ...shop, limit: 60_000, windowMs: 1_000 };
  await run(`
    SET search_path = relay;
    INSERT INTO connection VALUES ('shop', 'Shop', 'https://shop.test', 'parameter', 'form', 60000, 1000, 0, '');
    INSERT INTO pace VALUES ('shop', 0, 0, 0, 0, '[]', 0, 0, 0, '', 0);
    ANALYZE lease, cached_reply, pace_agent, token;
  `);
  const store = await openPatiently(address);
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
});

test('a call takes five round trips to the database', async () => {
  const { owner, run } = await usedDatabase();
  await run(aToken);
  const administering = await openStore(owner, 'administer');
  await administering.addConnection(shop);
  await administering.close();
  const database = await openPostgres(owner, machineClocks.paceNow, 'administer');
  const trips: string[] = [];
  const counted: Database = {
    ...database,
    read: (...statements) => {
      trips.push('statements');
      return database.read(...statements);
    },
    write: (work) =>
      database.write(function* () {
        const steps = work();
        let step = steps.next([]);
        while (step.done !== true) {
          trips.push('statements');
          step = steps.next(yield step.value);
        }
        trips.push('commit');
        return step.value;
      }),
    hold: (...all) => {
      trips.push('statements under a lock', 'commit');
      return database.hold(...all);
    },
  };
  const store = createServingStore(counted);
  const lease = { key: 'shop:1:a', holder: 'one', forMs: 10_000 };
  const rules = { bulk: false, deadlineMs: 2_000, unlessCached: true };
  await store.findCall({ token: 't1', connection: 'shop', cacheKeyEnd: 'a' });
  expect(trips.splice(0)).toEqual(['statements']);
  // The state that is decided on, and the decision.
  const slot = await store.takeSlot({ connection: shop, subject: checkAtShop, lease, ...rules });
  expect([slot.granted, trips.splice(0)]).toEqual([true, ['statements', 'commit']]);
  await Promise.all([
    store.reportCall({ subject: checkAtShop, lease, result: 'success', health: 'up' }),
    store.release(checkAtShop, 'asked', () => undefined),
  ]);
  expect(trips).toEqual(['statements under a lock', 'commit']);
  await database.close();
});

test('the audit is read in portions, since it may be larger than the memory', async () => {
  const { owner, run } = await createTestDatabase();
  await run(`INSERT INTO relay.audit (at, kind, result)
    SELECT floor(relay.clock()), 'reply', 'asked' FROM generate_series(1, 12000)`);
  const database = await openPostgres(owner, machineClocks.paceNow, 'administer');
  let most = 0;
  const counted: Database = {
    ...database,
    read: async (...statements) => {
      const found = await database.read(...statements);
      most = Math.max(most, ...found.map(({ length }) => length));
      return found;
    },
  };
  const store = storeOn(counted);
  expect(await auditRows(store)).toHaveLength(12_000);
  expect(await auditRows(store, monthAt(Date.now()))).toHaveLength(12_000);
  expect(await auditRows(store, '2020-01')).toEqual([]);
  expect(most).toBe(5_000);
  await store.close();
});

test('tokens are listed with their uses by an index, however large the audit is', async () => {
  const { owner, run } = await usedDatabase();
  await run(aToken);
  await run(`INSERT INTO relay.audit (at, kind, result, token) SELECT floor(relay.clock()) + n % 7, 'reply', 'asked', 't1'
    FROM generate_series(1, 12000) AS n`);
  const store = await openStore(owner, 'administer');
  expect(await store.tokens()).toMatchObject([{ id: 't1', firstAt: expect.any(Number) as number }]);
  await store.close();
  const read = `SELECT sum(idx_tup_read)::int AS rows FROM pg_stat_user_indexes WHERE relname = 'audit' HAVING sum(idx_scan) > 0`;
  await expect.poll(() => run(read)).toEqual([{ rows: 2 }]);
});

test('expired replies are found by their index, also where it was planned while there were none', async () => {
  const { run, runner: address } = await usedDatabase();
  await run('ANALYZE relay.cached_reply');
  await run(`INSERT INTO relay.cached_reply
    SELECT 'shop:1:' || n, 'shop', 1, n, 'x' FROM generate_series(1, 1200) AS n`);
  const store = await openPatiently(address);
  expect([await store.dropExpiredReplies(), await store.dropExpiredReplies()]).toEqual([1000, 200]);
  await store.close();
  const reads = (): Promise<readonly object[]> =>
    run(`SELECT n_tup_del::int AS removed, seq_scan::int AS whole FROM pg_stat_user_tables
      WHERE relname = 'cached_reply'`);
  await expect.poll(reads).toEqual([{ removed: 1200, whole: 0 }]);
});

test('an audit row is neither changed nor deleted, by the owner either', async () => {
  const { run } = await usedDatabase();
  await expect(run("UPDATE relay.audit SET result = 'x'")).rejects.toThrow('never changed');
  await expect(run('SET search_path = relay; DELETE FROM audit')).rejects.toThrow('never deleted');
  await expect(run('TRUNCATE relay.audit')).rejects.toThrow('never deleted');
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
    'UPDATE audit_kept SET months = 0',
    "UPDATE connection SET base_address = 'https://evil.test'",
    'DELETE FROM secret',
    'DELETE FROM token',
    'CREATE TABLE mine (id text)',
    "INSERT INTO audit (id, at, kind, result) VALUES (1, clock(), 'reply', 'asked')",
    "INSERT INTO audit (at, kind, result) VALUES (clock() - 90000, 'reply', 'asked')",
    "SELECT setval('audit_id_seq', 1)",
    "INSERT INTO audit (at, kind, result, actor) VALUES (clock(), 'admin', 'joined', 'ada@relay-1')",
    "INSERT INTO audit (at, kind, result, actor) VALUES (clock(), 'reply', 'asked', 'ada@relay-1')",
    `CREATE TEMP TABLE pg_class AS SELECT 'audit'::regclass::oid AS oid, oid AS relowner FROM pg_roles WHERE rolname = '${runner}';
      INSERT INTO audit (at, kind, result, actor) VALUES (clock(), 'admin', 'agent-removed', 'ada@relay-1')`,
    "INSERT INTO audit (at, kind, result) VALUES (clock(), 'admin', 'agent-removed')",
    "INSERT INTO audit (at, kind, result) VALUES (clock(), 'admin', 'agent-role-set lead')",
    "INSERT INTO audit (at, kind, result, actor) VALUES (clock(), 'admin', 'agent-role-set Anything else', 'sign-in')",
    "INSERT INTO token SELECT 'later', agent, hash, clock() + 90000, clock(), 0 FROM token",
  ]) {
    const attempt = run(`SET search_path = relay; SET ROLE ${runner}; ${statement}`);
    await expect(attempt, statement).rejects.toThrow(
      /permission denied|must be owner|cannot insert a non-DEFAULT value/,
    );
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
    ['agent-role-set lead', 'sign-in'],
  ]) {
    const by = actor === null ? 'NULL' : `'${String(actor)}'`;
    await as(
      `INSERT INTO audit (at, kind, result, actor) VALUES (clock(), 'admin', '${String(result)}', ${by})`,
    );
  }
});

test('a month is counted for longer than a call may take', async () => {
  const { runner: address, superuser } = await usedDatabase();
  const store = await openStore(address);
  const other = new Client(superuser);
  await other.connect();
  await other.query('BEGIN; LOCK relay.audit IN ACCESS EXCLUSIVE MODE');
  const counting = store.countMonth('2026-11');
  await delay(1_000);
  await other.query('COMMIT');
  await expect(counting).resolves.toMatchObject([{ part: 'total', checks: 0 }]);
  await Promise.all([store.close(), other.end()]);
});

test('an idle connection is heard of, so that no firewall on the way forgets it', async () => {
  const { runner: address } = await usedDatabase();
  const kept = vi.spyOn(Socket.prototype, 'setKeepAlive');
  const store = await openStore(address);
  expect(kept.mock.calls.map(([, afterMs = 0]) => afterMs > 0)).toContain(true);
  kept.mockRestore();
  await store.close();
});

test('a month of many rows is counted where the server has no statistics of them', async () => {
  const { runner: address, run } = await usedDatabase();
  // As after a backup was restored.
  await run(`SET search_path = relay;
    ALTER TABLE audit SET (autovacuum_enabled = off);
    ALTER TABLE audit DISABLE TRIGGER audit_is_about_now;
    INSERT INTO audit (at, kind, result, call_id, agent, connection, call, code_hmac, code_last4)
      SELECT extract(epoch FROM timestamp '2026-03-15')::bigint * 1000 + n, kind, 'asked', n, 'ada', 'shop', 'validation', n, ''
      FROM generate_series(1, 30000) AS n, unnest(ARRAY['outcome', 'reply']) AS kind;
    ALTER TABLE audit ENABLE TRIGGER audit_is_about_now`);
  const store = await openStore(address);
  const counted = await store.countMonth('2026-03');
  expect(counted.find(({ part }) => part === 'total')?.checks).toBe(30_000);
  await store.close();
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
    store = await openPatiently(database.runner);
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
        $$ BEGIN UPDATE relay.token SET revoked_at = 1 WHERE revoked_at = 0; RETURN NULL; END $$;
      CREATE TRIGGER revoke_all AFTER INSERT ON relay.audit EXECUTE FUNCTION relay.revoke_all();`);
    const begin = (): never => {
      throw new Error('No reply may begin.');
    };
    expect(await store.release(subject, 'asked', begin)).toBe('withheld');
    expect(runAtOnce(rows)).toEqual(['reply asked', 'reply withheld']);
  });

  test('whose row says that it was withheld is not begun, even where its token is extended meanwhile', async () => {
    await database.run(`
      CREATE FUNCTION relay.extend_all() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS
        $$ BEGIN UPDATE relay.token SET expires_at = signed_in_at + 60000; RETURN NULL; END $$;
      CREATE TRIGGER extend_all AFTER INSERT ON relay.audit EXECUTE FUNCTION relay.extend_all();
      UPDATE relay.token SET expires_at = 0;`);
    expect(await store.release(subject, 'asked', () => expect.unreachable())).toBe('withheld');
    expect(runAtOnce(rows)).toEqual(['reply withheld']);
  });

  /** Has the server end the transactions of a client that it takes for gone, as it does after two seconds. */
  const endIdle =
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND state = 'idle in transaction'";

  test.each([
    ['the process stood still', [], 0],
    ['the machine slept, whose wall clock alone went on', [endIdle], 3_000],
  ])(
    'is not begun after a revocation where %s while its lock was held',
    async (_, sql, sleptMs) => {
      await database.run(
        `INSERT INTO relay.token SELECT 't2', agent, hash, signed_in_at, expires_at, 0 FROM relay.token`,
      );
      const serving = await openStore(database.runner);
      const begun: string[] = [];
      const release = (token: string): Promise<string> =>
        serving.release({ ...subject, callId: token, token }, 'asked', () => {
          begun.push(token);
          // The server ends the transaction, and with it both locks, before this returns.
          runAtOnce(...sql, "UPDATE relay.token SET revoked_at = 1 WHERE id = 't2'");
          const awake = Date.now() + sleptMs;
          if (sleptMs > 0) vi.spyOn(Date, 'now').mockReturnValueOnce(awake);
        });
      expect(await Promise.all([release('t1'), release('t2')])).toEqual(['begun', 'withheld']);
      expect(begun).toEqual(['t1']);
      expect(runAtOnce(rows).toSorted()).toEqual(['reply asked', 'reply asked', 'reply withheld']);
      vi.restoreAllMocks();
      await serving.close();
    },
  );

  test('is not begun after a revocation where its lock, which others had before, was lost', async () => {
    const serving = await openStore(database.runner);
    const other = new Client(database.superuser);
    await other.connect();
    await other.query("BEGIN; SELECT 1 FROM relay.token WHERE id = 't1' FOR UPDATE");
    const release = (callId: string): Promise<string> =>
      serving.release({ ...subject, callId }, 'asked', () => {
        // The process stands still until the server has ended the transaction.
        runAtOnce("UPDATE relay.token SET revoked_at = 1 WHERE id = 't1'");
      });
    const released = Promise.all([release('first'), release('second')]);
    await delay(100);
    await other.query('COMMIT');
    expect(await released).toEqual(['begun', 'withheld']);
    await other.end();
    await serving.close();
  });

  test('whose token is locked for too long fails alone, and no other call waits for it', async () => {
    await database.run(
      `INSERT INTO relay.token SELECT 't2', agent, hash, signed_in_at, expires_at, 0 FROM relay.token`,
    );
    const serving = await openStore(database.runner);
    const other = new Client(database.superuser);
    await other.connect();
    await other.query("BEGIN; SELECT 1 FROM relay.token WHERE id = 't1' FOR UPDATE");
    const order: string[] = [];
    const release = (token: string): Promise<string> =>
      serving
        .release({ ...subject, callId: token, token }, 'asked', () => order.push(token))
        .finally(() => order.push(`${token} ended`));
    const lease = { key: 'k', holder: 'one', forMs: 10_000 };
    const ended = await Promise.allSettled([
      release('t1'),
      release('t2'),
      serving.reportCall({ subject, lease, result: 'success', health: 'up' }),
    ]);
    expect(ended.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
    expect(order).toEqual(['t2', 't2 ended', 't1 ended']);
    await other.query('COMMIT');
    expect(await release('t1')).toBe('begun');
    await Promise.all([serving.close(), other.end()]);
  });
});

test('a database of a newer relay is neither opened nor upgraded, nor is an older one opened', async () => {
  const { run, owner } = await usedDatabase();
  const open = (): Promise<Store> => openStore(owner);
  await run('UPDATE relay.schema_version SET version = 99');
  await expect(open()).rejects.toThrow('The database has schema 99');
  await expect(prepareDatabase(owner)).rejects.toThrow('The database has schema 99');
  await run('DROP SCHEMA relay CASCADE');
  await expect(open()).rejects.toThrow('admin database prepare');
});

test('an older database gets the steps that it lacks as it is prepared, each once', async () => {
  const { run, owner } = await usedDatabase();
  await run('DROP SCHEMA relay CASCADE');
  const steps = ['CREATE TABLE a (x bigint)', 'CREATE TABLE b ()', 'ALTER TABLE a ADD y bigint'];
  for (const count of [1, 3, 3]) {
    const prepared = await prepareDatabase(owner, '', steps.slice(0, count));
    expect(prepared.version).toBe(count);
  }
  expect(
    await run("SELECT FROM pg_attribute WHERE attrelid = 'relay.a'::regclass AND attnum > 0"),
  ).toHaveLength(2);
});

test('an older database is not served from until it was prepared', async () => {
  const { run, owner, runner: address } = await usedDatabase();
  await run('DROP SCHEMA relay CASCADE');
  await prepareDatabase(owner, '', []);
  await expect(openStore(owner)).rejects.toThrow(
    'has schema 0, and this relay needs 1: run "admin database prepare"',
  );
  expect(await prepareDatabase(owner, runner)).toEqual({ version: schemaVersion, runner });
  await (await openStore(address)).close();
});

test('a role that may make functions of its own lets no trigger find them', async () => {
  const { run, runner: address } = await usedDatabase();
  await run(`GRANT CREATE ON SCHEMA public TO ${runner}`);
  const client = new Client(address);
  await client.connect();
  await client.query(`
    CREATE FUNCTION public.pg_has_role(oid, text) RETURNS boolean LANGUAGE sql AS 'SELECT true';
    CREATE FUNCTION public.clock_timestamp() RETURNS timestamptz LANGUAGE sql AS 'SELECT to_timestamp(1700000000)';
    CREATE FUNCTION public.never(text, text) RETURNS boolean LANGUAGE sql AS 'SELECT false';
    CREATE OPERATOR public.~~ (LEFTARG = text, RIGHTARG = text, FUNCTION = public.never);
    SET search_path = public, pg_catalog, relay`);
  const add = (at: string, actor: string): Promise<unknown> =>
    client.query(
      `INSERT INTO audit (at, kind, result, agent, actor) VALUES (${at}, 'admin', 'joined', 'ada', '${actor}')`,
    );
  const now = 'floor(relay.clock())::bigint';
  await expect(add(now, 'ada@relay-1')).rejects.toThrow('only the owner does this');
  await expect(add('1700000000000', 'Firefox')).rejects.toThrow('the audit is about now');
  await add(now, 'Firefox');
  await client.end();
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
    await expect(openStore(address)).rejects.toThrow('run "admin database prepare --runner ROLE"');
  });

  test('when the runner serves, without advice for the administrator', async () => {
    const { run, runner: address } = await createTestDatabase();
    await run(`REVOKE ALL ON relay.secret FROM ${runner}`);
    const options = { name: 'Fenwick', host: '127.0.0.1', port: 0, metricsPort: 0, noticeMs: 0 };
    const keyring = { currentId: 'm', find: () => Buffer.alloc(32) };
    const observer = createObserver('debug', { write: () => true });
    const refused = startRelay({ ...options, database: address, keyring, observer }).catch(
      messageOf,
    );
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

describe('a connection whose database falls silent', () => {
  let proxy: FaultProxy;
  let database: Database;
  beforeEach(async () => {
    const { port, runner: address } = await createTestDatabase();
    proxy = await faultProxy(port);
    database = await openPostgres(proxy.lead(address), machineClocks.paceNow, 'serve');
  });
  afterEach(async () => {
    await database.close();
    await proxy.close();
  });

  test.each([
    ['a query', () => database.read(['SELECT 1 AS one']), [[{ one: 1 }]]],
    [
      'a transaction',
      () =>
        database.write(function* () {
          yield [['SELECT 1']];
          return [1];
        }),
      1,
    ],
    ['locks', () => database.hold([['SELECT 1']], [['SELECT 2']], () => []), undefined],
  ])(
    'ends what asked for %s, and is replaced once the database is back',
    async (_, ask, answer) => {
      await database.read(['SELECT 1']);
      proxy.set('silent');
      await expect(ask()).rejects.toThrow();
      proxy.set('forwarding');
      expect(await ask()).toEqual(answer);
    },
  );
});

test('what was asked for is done after a process has stood still for longer than a database may be silent', async () => {
  const { owner } = await usedDatabase();
  const database = await openPostgres(owner, machineClocks.paceNow, 'serve');
  const slow: Statement = ['SELECT pg_sleep(0.1)'];
  let begun = 0;
  for (const ask of [
    () =>
      database.write(function* () {
        yield [slow];
        yield [slow];
        return [1];
      }),
    () =>
      database.hold([slow], [slow], () => {
        begun += 1;
        return [slow];
      }),
  ]) {
    const done = ask();
    await delay(20);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_200);
    await done;
  }
  expect(begun).toBe(1);
  await database.close();
});

test('no slot and no wait of a seller’s ends early where the clock of PostgreSQL’s host jumps ahead', async () => {
  const { owner, runner: address, run } = await usedDatabase();
  await run(aToken);
  const administering = await openStore(owner, 'administer');
  for (const id of ['shop', 'held']) await administering.addConnection({ ...shop, id });
  await administering.close();
  const store = await openPatiently(address);
  let asked = 0;
  const take = (id: string): Promise<SlotAnswer> =>
    store.takeSlot({
      connection: { ...shop, id, limit: 3, windowMs: 60_000 },
      subject: { ...checkAtShop, connection: id },
      lease: { key: `k${String((asked += 1))}`, holder: 'one', forMs: 1_000 },
      bulk: false,
      deadlineMs: 2_000,
      unlessCached: true,
    });
  expect([(await take('shop')).granted, (await take('shop')).granted]).toEqual([true, true]);
  const lease = { key: 'k', holder: 'one', forMs: 1_000 };
  const about = { ...checkAtShop, connection: 'held' };
  const heldUntil = store.clocks.paceNow() + 60_000;
  await store.reportCall({ subject: about, lease, result: '429', health: 'up', heldUntil });
  await run(`CREATE OR REPLACE FUNCTION relay.clock() RETURNS double precision LANGUAGE sql VOLATILE AS
    $$ SELECT extract(epoch FROM clock_timestamp())::double precision * 1000 + 90000 $$`);
  // One is free still, and with it the others are on record under the new clock.
  const answers = [await take('shop'), await take('shop'), await take('shop')];
  expect(answers.filter(({ granted }) => granted)).toHaveLength(1);
  expect(await take('held')).toMatchObject({ granted: false, reason: 'held' });
  await store.close();
});

test('work begins anew where a row has changed meanwhile, and of two that do so each counts', async () => {
  const { owner, run } = await usedDatabase();
  await run(
    'CREATE TABLE relay.counted (n bigint); INSERT INTO relay.counted VALUES (0); GRANT ALL ON relay.counted TO PUBLIC',
  );
  const database = await openPostgres(owner, machineClocks.paceNow, 'administer');
  let tries = 0;
  const add = (): Promise<number> =>
    database.write(function* () {
      tries += 1;
      // Others read meanwhile.
      const [rows] = yield [['SELECT n FROM counted'], ['SELECT pg_sleep(0.1)']];
      const n = Number(rows?.[0]?.['n']);
      return [n, ['UPDATE counted SET n = $1 WHERE must(n = $2)', n + 1, n]];
    });
  const found = await Promise.all(Array.from({ length: 8 }, add));
  expect(found.toSorted()).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  expect(tries).toBeGreaterThan(8);
  await database.close();
});

test('work begins anew where it has waited for one that waits for it', async () => {
  const { owner, run } = await usedDatabase();
  await run(`CREATE TABLE relay.counted (id text PRIMARY KEY, n bigint);
    INSERT INTO relay.counted VALUES ('a', 0), ('b', 0); GRANT ALL ON relay.counted TO PUBLIC`);
  const database = await openPostgres(owner, machineClocks.paceNow, 'administer');
  const countIn = (...ids: readonly string[]): Promise<undefined> =>
    database.write(function* () {
      for (const id of ids)
        yield [['UPDATE counted SET n = n + 1 WHERE id = $1', id], ['SELECT pg_sleep(0.5)']];
      return [undefined];
    });
  await Promise.all([countIn('a', 'b'), countIn('b', 'a')]);
  expect(await run('SELECT n::int FROM relay.counted')).toEqual([{ n: 2 }, { n: 2 }]);
  await database.close();
});
