import type { Database } from '#relay/store/postgres/database';
import { createEndings } from '#relay/store/postgres/endings';
import { callFinder, tokenFinder } from '#relay/store/postgres/finding-calls';
import { inGroups } from '#relay/store/postgres/groups';
import { columns } from '#relay/store/postgres/rows';
import type { SealedSecret } from '#relay/store/records';
import type { CachedReply, ServingStore, SlotAnswer, SlotRequest } from '#relay/store/store';

/** Creates what the relay does with its store while it serves. */
export function createServingStore(database: Database): ServingStore {
  const takeSlot = slotsOf(database);

  return {
    ping: async () => {
      // A question that nobody asks: a server that only reads, as a standby does, or has no room refuses it.
      await database.query(
        `INSERT INTO lease VALUES ('ping', '', 0) ON CONFLICT (key) DO UPDATE SET expires_at = 0`,
      );
    },
    findToken: tokenFinder(database),
    findCall: callFinder(database),
    extendToken: async (id, expiresAt) => {
      await database.query('UPDATE token SET expires_at = $2 WHERE id = $1 AND revoked_at = 0', [
        id,
        expiresAt,
      ]);
    },
    secrets: () => database.query<SealedSecret>(`SELECT ${columns.secret} FROM secret`),
    takeSlot,
    ...createEndings(database),
    findCached: inGroups<string, CachedReply | undefined>(
      async (keys) => {
        const rows = await database.query<CachedReply>(
          `SELECT key, stored_at AS "storedAt", expires_at AS "expiresAt", sealed FROM cached_reply
             WHERE key = ANY ($1) AND expires_at > clock()`,
          [[...new Set(keys)]],
        );
        return keys.map((key) => rows.find((row) => row.key === key));
      },
      { lanes: 2 },
    ),
    dropExpiredReplies: async () => {
      const dropped = await database.query(
        // A bigint that is asked for once, so that the index leads to them.
        `DELETE FROM cached_reply WHERE key = ANY (ARRAY(
           SELECT key FROM cached_reply WHERE expires_at <= (SELECT clock())::bigint
             ORDER BY expires_at LIMIT 1000 FOR UPDATE SKIP LOCKED
         )) RETURNING 1`,
      );
      return dropped.length;
    },
  };
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
            agent,
            bulk,
            lease,
            unlessCached,
            subject,
          }));
          const rows = await database.query<SlotRow>(
            'SELECT granted, at, because FROM take_slots($1, $2, $3, $4, $5)',
            [...rule, JSON.stringify(asked)],
          );
          return rows.map((row) => (row.granted ? { granted: true } : row));
        },
        { lanes: 1 },
      );
      groups.set(name, take);
    }
    return take(request);
  };
}
