import type { Database } from '#relay/store/postgres/database';
import { inGroups } from '#relay/store/postgres/groups';
import { columns, toRole } from '#relay/store/postgres/rows';
import type { RoleRow } from '#relay/store/postgres/rows';
import type {
  AuditSubject,
  ConnectionRecord,
  SealedKey,
  SealedSecret,
  TokenRecord,
} from '#relay/store/records';
import type {
  CachedReply,
  CallReport,
  ServingStore,
  SlotAnswer,
  SlotRequest,
} from '#relay/store/store';

/** Half of the time after which the server ends a transaction that is silent, and frees its locks. */
const longestHoldMs = 1_000;

/** Creates what the relay does with its store while it serves. */
export function createServingStore(database: Database): ServingStore {
  const find = findById(database);
  const findToken = find<TokenRecord & { readonly roleName: string; readonly sees: string }>(
    `SELECT ${columns.token}, role.name AS "roleName", sees FROM token
       JOIN agent ON agent.id = token.agent JOIN role ON role.name = agent.role WHERE token.id = ANY ($1)`,
    ({ id }) => id,
  );
  const takeSlot = slotsOf(database);

  return {
    ping: async () => {
      await database.query('SELECT 1 FROM role LIMIT 1');
    },
    findToken: async (id) => {
      const row = await findToken(id);
      if (row === undefined) return undefined;
      const { roleName, sees, ...token } = row;
      return { ...token, role: toRole({ name: roleName, sees } satisfies RoleRow) };
    },
    extendToken: async (id, expiresAt) => {
      await database.query('UPDATE token SET expires_at = $2 WHERE id = $1 AND revoked_at = 0', [
        ...[id, expiresAt],
      ]);
    },
    findConnection: find<ConnectionRecord>(
      `SELECT ${columns.connection} FROM connection WHERE id = ANY ($1)`,
      ({ id }) => id,
    ),
    findKey: find<SealedKey>(
      `SELECT ${columns.key} FROM connection_key WHERE connection = ANY ($1)`,
      ({ connection }) => connection,
    ),
    secrets: () => database.query<SealedSecret>(`SELECT ${columns.secret} FROM secret`),
    takeSlot,
    reportCall: inGroups<CallReport, undefined>(
      async (reports) => {
        await database.query('SELECT report_calls($1, $2)', reportValues(reports));
        return reports.map(() => undefined);
      },
      { lanes: 2 },
    ),
    release: releasesOf(database),
    findCached: find<CachedReply>(
      `SELECT key, stored_at AS "storedAt", expires_at AS "expiresAt", sealed FROM cached_reply
         WHERE key = ANY ($1) AND expires_at > clock()`,
      ({ key }) => key,
    ),
  };
}

/** Returns what makes a method of a query that finds rows by a list of ids. */
function findById(database: Database) {
  return <Row extends object>(
    sql: string,
    idOf: (row: Row) => string,
  ): ((id: string) => Promise<Row | undefined>) =>
    inGroups<string, Row | undefined>(
      async (ids) => {
        const rows = await database.query<Row>(sql, [[...new Set(ids)]]);
        const found = new Map(rows.map((row) => [idOf(row), row]));
        return ids.map((id) => found.get(id));
      },
      { lanes: 2 },
    );
}

type SlotRow = { readonly granted: true } | Extract<SlotAnswer, { granted: false }>;

/** Requests of one connection are decided in groups, since each locks the same row until its commit. */
function slotsOf(database: Database): ServingStore['takeSlot'] {
  const groups = new Map<string, (request: SlotRequest) => Promise<SlotAnswer>>();
  return (request) => {
    const { id, limit, windowMs } = request.connection;
    const rule = [id, limit, windowMs, request.deadlineMs] as const;
    const name = JSON.stringify(rule);
    let take = groups.get(name);
    if (take === undefined) {
      take = inGroups<SlotRequest, SlotAnswer>(
        async (requests) => {
          const asked = requests.map(({ agent, bulk, lease, unlessCached, subject }) => ({
            ...{ agent, bulk, lease, unlessCached, subject },
          }));
          const rows = await database.query<SlotRow>(
            'SELECT granted, at, because FROM take_slots($1, $2, $3, $4, $5)',
            [...rule, JSON.stringify(asked)],
          );
          return rows.map((row) => (row.granted ? { granted: true } : row));
        },
        { lanes: 2 },
      );
      groups.set(name, take);
    }
    return take(request);
  };
}

function reportValues(reports: readonly CallReport[]): readonly unknown[] {
  const bodies: Uint8Array[] = [];
  const written = reports.map(({ cache, ...report }) => {
    if (cache === undefined) return report;
    const { sealed, ...about } = cache;
    return { ...report, cache: { ...about, body: bodies.push(sealed) } };
  });
  return [JSON.stringify(written), bodies];
}

interface Release {
  readonly subject: AuditSubject;
  readonly result: string;
  readonly begin: () => void;
}

/**
 * Begins replies while their tokens' rows are locked: a revocation is committed before that, and the reply withheld, or after the
 * first byte. The lock is exclusive, so that those who wait for it come in their order, a revocation too.
 */
function releasesOf(database: Database): ServingStore['release'] {
  const release = inGroups<Release, 'begun' | 'withheld'>(
    (requests) =>
      database.transaction(async (session) => {
        const asked = requests.map(({ subject, result }) => ({ subject, result }));
        const askedAt = performance.now();
        const rows = await session.query<{ readonly holds: boolean }>(
          'SELECT holds FROM hold_tokens($1)',
          [JSON.stringify(asked)],
        );
        // The process may have stood still for longer than the server waits.
        if (performance.now() - askedAt > longestHoldMs) throw new Error('The lock may be gone.');
        return requests.map(({ begin }, n) => {
          if (rows[n]?.holds !== true) return 'withheld';
          begin();
          return 'begun';
        });
      }),
    // Two groups of one instance would wait for each other wherever an agent has several calls under way.
    { lanes: 1 },
  );
  return (subject, result, begin) => release({ subject, result, begin });
}
