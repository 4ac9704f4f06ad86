import type { Database } from '#relay/store/postgres/database';
import { createEndings } from '#relay/store/postgres/endings';
import { callFinder, tokenFinder } from '#relay/store/postgres/finding-calls';
import { inGroups } from '#relay/store/postgres/groups';
import { columns } from '#relay/store/postgres/rows';
import type { SealedSecret } from '#relay/store/records';
import { slotsOf } from '#relay/store/postgres/slots';
import type { CachedReply, ServingStore } from '#relay/store/store';

/** Creates what the relay does with its store while it serves. */
export function createServingStore(database: Database): ServingStore {
  const takeSlot = slotsOf(database);

  return {
    ping: async () => {
      await database.query('SELECT 1 FROM role LIMIT 1');
    },
    findToken: tokenFinder(database),
    findCall: callFinder(database),
    extendToken: async (id, expiresAt) => {
      await database.query('UPDATE token SET expires_at = $2 WHERE id = $1 AND revoked_at = 0', [
        ...[id, expiresAt],
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
  };
}
