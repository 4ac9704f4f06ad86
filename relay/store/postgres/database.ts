import { Socket } from 'node:net';

import { DatabaseError, Pool, type PoolClient, types } from 'pg';

/** Runs statements on one connection, inside a transaction. */
export interface Session {
  query<Row extends object>(sql: string, values?: readonly unknown[]): Promise<readonly Row[]>;
  /** Runs statements without parameters, several at once. */
  run(sql: string): Promise<void>;
}

type LockedRow = Readonly<Record<string, unknown>>;
type Statement = readonly [sql: string, ...values: readonly unknown[]];

/**
 * Runs statements and transactions through a pool of connections. Every method rejects when the time of `Limits` is
 * over.
 */
export interface Database {
  /** Runs one statement, which is prepared once on each connection. Its text must be constant. */
  query<Row extends object>(sql: string, values?: readonly unknown[]): Promise<readonly Row[]>;
  /** Commits what `work` did, or undoes it when `work` rejects. */
  transaction<T>(work: (session: Session) => Promise<T>): Promise<T>;
  /**
   * Commits one statement, runs another in a transaction of its own, calls `work` with the rows of both while the locks of the second
   * are held, and commits. It takes one round trip to the locks and one from them, where `work` runs no statement of its own.
   * The second commit waits for no disk.
   */
  commitThenLock<T>(
    committed: Statement,
    locking: Statement,
    work: (
      committed: readonly LockedRow[],
      locked: readonly LockedRow[],
      session: Session,
    ) => Promise<T>,
  ): Promise<T>;
  close(): Promise<void>;
}

interface Limits {
  readonly connections: number;
  /** How long a query or a transaction may take, once it has a connection. Waiting for one takes as long at most. */
  readonly milliseconds: number;
}

/** Ends a call within 600 ms when the database is gone. */
export const whileServing: Limits = { connections: 16, milliseconds: 450 };
/** Lets upgrades and changes of the administrator wait for what agents do. */
export const forTheAdministrator: Limits = { connections: 4, milliseconds: 30_000 };
/** After this the server ends a transaction whose client is silent, and frees its locks. */
const abandonedAfterMs = 2_000;

/** Tells whether the server refused a statement, so that it is there. */
export function isRefusal(error: unknown): boolean {
  return error instanceof DatabaseError;
}

/** Tells whether a statement was given up since it waited for a lock for longer than `lock_timeout`. */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === '55P03';
}

/** Tells whether a statement was refused since the role may not run it. */
export function isForbidden(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === '42501';
}

/** Opens a pool. It connects when it is first used. @param address `postgres://…`, as DATABASE_URL has it */
export function openDatabase(address: string, { connections, milliseconds }: Limits): Database {
  const sockets = new Set<Socket>();
  const pool = new Pool({
    stream: () => {
      const socket = new Socket();
      sockets.add(socket);
      return socket.once('close', () => sockets.delete(socket));
    },
    connectionString: withSettings(address, {
      search_path: 'relay',
      // Every statement finds its rows by a key, so that planning anew for each set of values gains nothing and costs the most.
      plan_cache_mode: 'force_generic_plan',
      // A plan that was made while a table was small would read the whole of it later, with all that was deleted since.
      enable_seqscan: 'off',
      // Compiling a plan takes longer than any of them runs, and one that has no index to use counts as worth it.
      jit: 'off',
      statement_timeout: String(milliseconds),
      idle_in_transaction_session_timeout: String(abandonedAfterMs),
    }),
    max: connections,
    // A connection takes longer to open than a call should.
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: Math.min(milliseconds, 5_000),
    keepAlive: true,
    // A query is sent while an earlier one of its connection is under way.
    pipeline: true,
    types: {
      getTypeParser: (id, format) =>
        id === int8 ? Number : (types.getTypeParser(id, format) as (text: string) => unknown),
    },
  });
  // A connection that breaks is reported by whoever uses it; an idle one is replaced.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));

  /** A connection on which anything failed is closed. */
  async function withClient<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await pool.connect();
    let released = false;
    const release = (error?: Error): void => {
      if (!released) client.release(error);
      released = true;
    };
    const timer = setTimeout(() => {
      // After a standstill of the event loop, an answer that came meanwhile is heard first.
      setImmediate(() => {
        if (released) return;
        // A connection in pipeline mode is closed only once its queries are answered, which they may never be.
        client.connection.stream.destroy();
        release(new Error('The database has not answered in time.'));
      });
    }, milliseconds);
    try {
      const value = await work(client);
      release();
      return value;
    } catch (error) {
      release(error instanceof Error ? error : new Error(String(error)));
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    query: (sql, values = []) => withClient((client) => ask(client, sql, values)),
    transaction: (work) =>
      withClient(async (client) => {
        await client.query('BEGIN');
        const value = await work(sessionOn(client));
        await client.query('COMMIT');
        return value;
      }),
    commitThenLock: (committed, locking, work) =>
      withClient(async (client) => {
        const { stream } = client.connection;
        const send = ([sql, ...values]: Statement): Promise<readonly LockedRow[]> =>
          ask<LockedRow>(client, sql, values);
        stream.cork();
        const asked = [
          send(committed),
          client.query('BEGIN; SET LOCAL synchronous_commit = off'),
          send(locking),
        ] as const;
        stream.uncork();
        const [first, , second] = await Promise.all(asked);
        const value = await work(first, second, sessionOn(client));
        await client.query('COMMIT');
        return value;
      }),
    close: async () => {
      await pool.end();
      // The driver leaves one open whose sign-in it gave up, and the server waits a minute for it.
      for (const socket of sockets) socket.destroy();
    },
  };
}

const int8 = types.builtins.INT8;
const names = new Map<string, string>();

function sessionOn(client: PoolClient): Session {
  return {
    query: (sql, values = []) => ask(client, sql, values),
    run: async (sql) => {
      await client.query(sql);
    },
  };
}

async function ask<Row extends object>(
  client: PoolClient,
  text: string,
  values: readonly unknown[],
): Promise<readonly Row[]> {
  const name = names.get(text) ?? `relay-${String(names.size)}`;
  names.set(text, name);
  const { rows } = await client.query<Row>({ name, text, values: [...values] });
  return rows;
}

/** Adds settings of the session to an address, beside those that it names itself. */
function withSettings(address: string, settings: Readonly<Record<string, string>>): string {
  const url = new URL(address);
  const own = url.searchParams.get('options') ?? '';
  const ours = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
  url.searchParams.set('options', [own, ...ours].join(' ').trim());
  return url.href;
}
