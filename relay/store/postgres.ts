import { Socket } from 'node:net';

import { Client, type ClientConfig, DatabaseError, Pool, type PoolClient, types } from 'pg';

import { inBatches } from '#relay/machine/batches';
import { followClock } from '#relay/machine/followed-clock';
import { afterLiveTime, timeLeft } from '#relay/machine/live-time';
import type { Database, Rows, Statement, Work } from '#relay/store/sql';

/**
 * Limits how many connections there are, and how long a query or a transaction may take, once it has one. Waiting for one takes as long
 * at most. The first ends a call within 600 ms when the database is gone, the second lets the administrator wait for what agents do.
 */
const limits = {
  serve: { connections: 16, milliseconds: 450 },
  administer: { connections: 4, milliseconds: 30_000 },
  // A busy team's month is copied in less than a minute.
  move: { connections: 1, milliseconds: 3_600_000 },
  // A million rows take 10 to 18 s.
  count: { connections: 1, milliseconds: 120_000 },
} as const;
type Purpose = keyof typeof limits;
/** After this time, in milliseconds, the server ends a silent client's transaction and frees its locks; half of it is safe. */
const abandonedAfterMs = 2_000;
/** How often work is retried. If one instance finds a changed row, another one has made progress. */
const maxTries = 50;
/** How often a lock is taken again that may have been lost while the process stalled. */
const maxStandstills = 5;
const ignore = (): void => undefined;
const compareEveryMs = 10_000;

/** PostgreSQL's code for a statement that the role may not run. */
export const forbidden = '42501';

export function codeOf(error: unknown): string | undefined {
  return error instanceof DatabaseError ? error.code : undefined;
}

/** Opens a pool, which connects on first use. @param address `postgres://…`, as DATABASE_URL has it */
function openPool(address: string, purpose: Purpose) {
  const { connections, milliseconds } = limits[purpose];
  const connectMs = Math.min(milliseconds, 5_000);
  const sockets = new Set<Socket>();
  class OwnClient extends Client {
    constructor(config?: ClientConfig) {
      const socket = new Socket();
      super({ ...config, stream: () => socket });
      sockets.add(socket);
      const end = afterLiveTime(connectMs, () => socket.destroy());
      this.once('connect', end);
      socket.once('close', () => {
        end();
        sockets.delete(socket);
      });
    }
  }
  const pool = new Pool({
    Client: OwnClient,
    connectionString: withSettings(address, {
      search_path: 'relay',
      // Every statement finds its rows by a key, so planning again for each set of values is expensive and gains nothing.
      plan_cache_mode: 'force_generic_plan',
      // A plan made while a table was small would later scan all of it, including deleted rows.
      enable_seqscan: 'off',
      // Compiling a plan takes longer than running it, and plans without an index would be compiled.
      jit: 'off',
      // Without statistics, the server would scan a month once for each of its rows.
      ...(purpose === 'count' ? { enable_nestloop: 'off' } : {}),
      statement_timeout: String(milliseconds),
      // A client that may take long may also be silent for long, for example while it reads rows elsewhere.
      idle_in_transaction_session_timeout: String(Math.max(milliseconds, abandonedAfterMs)),
    }),
    max: connections,
    // Opening a connection takes longer than a call should.
    idleTimeoutMillis: 0,
    keepAlive: true,
    keepAliveInitialDelayMillis: 30_000,
    // Queries are sent while earlier ones of the same connection are running.
    pipeline: true,
    types: {
      getTypeParser: (id, format) =>
        id === types.builtins.INT8
          ? Number
          : (types.getTypeParser(id, format) as (text: string) => unknown),
    },
  });
  // A broken connection is reported by its user; an idle one is replaced.
  pool.on('error', ignore);
  pool.on('connect', (client) => client.on('error', ignore));

  function borrow(): Promise<PoolClient> {
    const late = Promise.withResolvers<PoolClient>();
    const end = afterLiveTime(connectMs, () => {
      late.reject(new Error('No connection to the database was free in time.'));
    });
    const connecting = pool.connect().finally(end);
    return Promise.race([connecting, late.promise]).catch((error: unknown) => {
      connecting.then((unused) => {
        unused.release();
      }, ignore);
      throw error;
    });
  }

  /** Lends a connection. If anything fails on it, it is closed. */
  async function withClient<T>(work: (client: Client) => Promise<T>): Promise<T> {
    const client = await borrow();
    // In pipeline mode a connection ends only after its queries are answered, which may never happen.
    const end = afterLiveTime(milliseconds, () => client.connection.stream.destroy());
    let failed = true;
    try {
      const value = await work(client);
      failed = false;
      return value;
    } finally {
      end();
      client.release(failed);
    }
  }
  return {
    withClient,
    close: async () => {
      await pool.end();
      // The driver leaves a socket open after an aborted sign-in, and the server waits a minute for it.
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Sends statements together. Rejects with the first failure, after all are answered. */
async function send(client: Client, all: readonly Statement[]): Promise<Rows[]> {
  // A packet for each statement would wake the server each time.
  client.connection.stream.cork();
  const asked = all.map(async ([text, ...values]) => {
    // A text without values may contain several statements, which cannot be prepared.
    const query = values.length === 0 ? text : { name: nameOf(text), text, values };
    return (await client.query(query)).rows as Rows;
  });
  client.connection.stream.uncork();
  const answers = await Promise.allSettled(asked);
  return answers.map((answer) => {
    if (answer.status === 'rejected') throw answer.reason;
    return answer.value;
  });
}

const names = new Map<string, string>();

function nameOf(text: string): string {
  const name = names.get(text) ?? `relay-${String(names.size)}`;
  names.set(text, name);
  return name;
}

const begin: Statement = ['BEGIN'];
const beginWithoutDisk: Statement = ['BEGIN; SET LOCAL synchronous_commit = off'];
const commit: Statement = ['COMMIT'];

/** Runs work in one transaction; undefined if a row had changed in the meantime, so that nothing was done. */
async function runOnce<T>(
  client: Client,
  work: Work<T>,
): Promise<{ readonly value: T } | undefined> {
  const steps = work();
  let first: readonly Statement[] = [begin];
  try {
    let step = steps.next([]);
    while (step.done !== true) {
      const rows = await send(client, [...first, ...step.value]);
      step = steps.next(rows.slice(first.length));
      first = [];
    }
    const [value, ...last] = step.value;
    await send(client, [...first, ...last, commit]);
    return { value };
  } catch (error) {
    // A deadlock is treated as a changed row.
    if (!['40001', '40P01'].includes(codeOf(error) ?? '')) throw error;
    await client.query('ROLLBACK');
    return undefined;
  }
}

/** @param steady a clock of this process that may be wrong but never jumps */
export async function openPostgres(
  address: string,
  steady: () => number,
  purpose: Purpose,
): Promise<Database> {
  const { withClient, close } = openPool(address, purpose);
  const read: Database['read'] = (...all) => withClient((client) => send(client, all));
  const write: Database['write'] = async (work) => {
    for (let tries = 0; tries < maxTries; tries += 1) {
      const done = await withClient((client) => runOnce(client, work));
      if (done !== undefined) return done.value;
    }
    throw new Error('Others change the same row all the time.');
  };
  const { paceNow, jumpedMs, compare } = followClock(steady, async () => {
    const [[row] = []] = await read([
      'SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS now',
    ]);
    return Number(row?.['now']);
  });
  await compare().catch(async (error: unknown) => {
    await close();
    throw error;
  });
  // While the database is unreachable, the last offset is used.
  const comparing = setInterval(() => void compare().catch(ignore), compareEveryMs).unref();

  return {
    read,
    batch: (...all) =>
      withClient(async (client) => void (await send(client, [begin, ...all, commit]))),
    write,
    hold: async (first, locks, use) => {
      let recorded: Rows[] | undefined;
      let isDone = false;
      const lockAndUse = async (client: Client): Promise<boolean> => {
        const left = timeLeft(abandonedAfterMs / 2);
        const holds = (): boolean => left() >= 0;
        const recording = recorded === undefined ? [beginWithoutDisk, ...first, commit] : [];
        const locking = locks.length === 0 ? [] : [beginWithoutDisk, ...locks];
        const rows = await send(client, [...recording, ...locking]);
        recorded ??= rows.slice(1, first.length + 1);
        if (locks.length > 0 && !holds()) {
          await send(client, [['ROLLBACK']]).catch(ignore);
          return false;
        }
        const last = use(recorded, rows.slice(recording.length + 1), holds);
        // If nothing is left to write, it does not matter how the transaction ends.
        isDone = last.length === 0;
        if (locks.length > 0) await send(client, [...last, commit]);
        return true;
      };
      for (let tries = 0; tries < maxStandstills; tries += 1) {
        const ended = withClient(lockAndUse).catch((error: unknown) => {
          if (!isDone) throw error;
          return true;
        });
        if (await ended) return;
      }
      throw new Error('The process stands still again and again.');
    },
    // If the database is unreachable, requests that wait for a group have waited long enough.
    together: (work, atOnce) =>
      inBatches(work, (error) => !(error instanceof DatabaseError), atOnce),
    countMonth: async (month) => {
      const patient = openPool(address, 'count');
      try {
        const [rows = []] = await patient.withClient((client) =>
          send(client, [['SELECT * FROM count_month($1)', month]]),
        );
        return rows;
      } finally {
        await patient.close();
      }
    },
    deleteOldAudit: ['SELECT 1 FROM delete_old_audit()'],
    auditInDoubt: ['SELECT audit_in_doubt() AS doubt'],
    hasOwnClock: false,
    jumpedMs,
    clocks: { now: () => Math.floor(paceNow()), paceNow },
    databaseBytes: async () => {
      const [[row] = []] = await read(['SELECT pg_database_size(current_database()) AS bytes']);
      return Number(row?.['bytes']);
    },
    reusableBytes: () => 0,
    close: async () => {
      clearInterval(comparing);
      await close();
    },
  };
}

/** Adds session settings to an address, besides its own. */
function withSettings(address: string, settings: Readonly<Record<string, string>>): string {
  const url = new URL(address);
  const own = url.searchParams.get('options') ?? '';
  const ours = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
  url.searchParams.set('options', [own, ...ours].join(' ').trim());
  return url.href;
}
