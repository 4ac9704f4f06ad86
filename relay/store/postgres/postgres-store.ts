import { omitUndefined } from '#core/result';
import { createAdminStore, type Dialect } from '#relay/store/admin-store';
import { createJoinStore } from '#relay/store/join-store';
import {
  countMonth,
  dropAuditBefore,
  dropOldAudit,
  readAudit,
  readTokenUses,
  writeSql,
} from '#relay/store/postgres/audit';
import {
  type Database,
  forTheAdministrator,
  openDatabase,
  whileServing,
} from '#relay/store/postgres/database';
import { inGroups } from '#relay/store/postgres/groups';
import { checkSchema } from '#relay/store/postgres/prepare';
import { createServingStore } from '#relay/store/postgres/serving';
import type { Store, StoreClocks } from '#relay/store/store';

/** Follows the database's clock, which all instances share, so that their own clocks may differ. */
interface DatabaseClock {
  readonly clocks: StoreClocks;
  stop(): void;
}

const compareEveryMs = 10_000;

/**
 * Reads the database's clock now and every ten seconds.
 * @param steady a clock of this process that never jumps, however wrong it is
 */
async function followDatabaseClock(
  database: Database,
  steady: () => number,
): Promise<DatabaseClock> {
  let offset = 0;
  async function compare(): Promise<void> {
    const before = steady();
    const [row] = await database.query<{ readonly now: number }>('SELECT clock() AS now');
    const middle = (before + steady()) / 2;
    if (row !== undefined) offset = row.now - middle;
  }
  await compare();
  const timer = setInterval(() => {
    // While the database is gone, the last offset holds.
    compare().catch(() => undefined);
  }, compareEveryMs);
  timer.unref();
  const now = (): number => steady() + offset;
  return {
    clocks: { now: () => Math.floor(now()), paceNow: now },
    stop: () => {
      clearInterval(timer);
    },
  };
}

function createDialect(database: Database, operator?: string): Dialect {
  const by = omitUndefined({ actor: operator });
  return {
    read: (...statement) => database.query(...statement),
    run: (...statement) => database.query(...statement),
    transact: (work) =>
      database.transaction(async (session) => {
        const steps = work();
        let step = steps.next([]);
        while (step.done !== true) {
          step = steps.next(await session.query(...step.value));
        }
        return step.value;
      }),
    together: (work) => inGroups(work, { lanes: 1 }),
    record: (result, subject) => [
      [writeSql, [JSON.stringify([{ ...by, ...subject, kind: 'admin', result }])]],
    ],
    audit: {
      readAudit: (month, use) => readAudit(database, month, use),
      tokenUses: (since) => readTokenUses(database, since),
      dropOldAudit: () => dropOldAudit(database),
      dropAuditBefore: (month) => dropAuditBefore(database, month, undefined, by),
    },
    countMonth: (month) => countMonth(database, month),
    forUpdate: ' FOR UPDATE',
    isReplyOf: "starts_with(key, $1 || ':')",
    // With the right of the owner.
    revokeToken: 'SELECT 1 WHERE revoke_token($1)',
    followRole: 'SELECT 1 WHERE set_agent_role($1, $2)',
    insertJoins: (joins) => [
      [
        `INSERT INTO pending_join (id, hash, state, challenge, expires_at)
           SELECT id, decode(hash, 'hex'), state, challenge, "expiresAt" FROM jsonb_to_recordset($1)
             AS begun (id text, hash text, state text, challenge text, "expiresAt" bigint)`,
        [
          JSON.stringify(
            joins.map((join) => ({ ...join, hash: Buffer.from(join.hash).toString('hex') })),
          ),
        ],
      ],
    ],
  };
}

const limitsFor = { serve: whileServing, administer: forTheAdministrator };

/**
 * Opens a store in PostgreSQL, which any number of relays may share. Its clock is the database's.
 * @param address `postgres://…` with the role to use: the runner's to serve, the owner's to administer
 * @param clocks of this process; of them only their pace counts
 * @param operator stands in the audit of the administrator's changes
 * @throws SchemaProblem when the schema is older or newer than this program
 */
export async function openPostgresStore(
  address: string,
  clocks: StoreClocks,
  purpose: keyof typeof limitsFor,
  operator?: string,
): Promise<Store> {
  const database = openDatabase(address, limitsFor[purpose]);
  try {
    await checkSchema(database);
    const dialect = createDialect(database, operator);
    const clock = await followDatabaseClock(database, clocks.paceNow);
    return {
      ...createServingStore(database),
      ...createAdminStore(dialect),
      ...createJoinStore(dialect),
      clocks: clock.clocks,
      databaseBytes: async () => {
        const [row] = await database.query<{ readonly bytes: number }>(
          'SELECT pg_database_size(current_database()) AS bytes',
        );
        return row?.bytes ?? 0;
      },
      reusableBytes: () => 0,
      close: async () => {
        clock.stop();
        await database.close();
      },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}
