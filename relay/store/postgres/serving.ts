import type { Database } from '#relay/store/postgres/database';
import { createEndings } from '#relay/store/postgres/endings';
import { callFinder, tokenFinder } from '#relay/store/postgres/finding-calls';
import { inGroups } from '#relay/store/postgres/groups';
import { columns } from '#relay/store/postgres/rows';
import type { SealedSecret } from '#relay/store/records';
import { createSlots } from '#relay/store/postgres/slots';
import type { CachedReply, ServingStore } from '#relay/store/store';

/** Creates what the relay does with its store while it serves. */
export function createServingStore(database: Database): ServingStore {
  const slots = createSlots(database);
  const { release, reportCall } = createEndings(database);

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
    takeSlot: slots.takeSlot,
    release,
    reportCall: (report) => {
      slots.settle(report);
      return reportCall(report);
    },
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
