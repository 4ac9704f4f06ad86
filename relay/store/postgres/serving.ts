import type { Database } from '#relay/store/postgres/database';
import { createEndings } from '#relay/store/postgres/endings';
import { inGroups } from '#relay/store/postgres/groups';
import {
  columns,
  toCachedReply,
  toConnection,
  toKey,
  toKnownToken,
  tokenSql,
  toSecret,
} from '#relay/store/rows';
import { keyNameBytes } from '#relay/store/records';
import { createSlots } from '#relay/store/postgres/slots';
import type { CachedReply, CallFindings, CallLookup, ServingStore } from '#relay/store/store';

/** Looks each part up by its key. LIMIT keeps the planner from joining whole tables, whatever it believes of their sizes. */
const callSql = `
  SELECT known.*, shop.*, newest.*, reply.*
  FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY AS asked (token, connection, key_end, n)
  LEFT JOIN LATERAL (${tokenSql} WHERE token.id = asked.token LIMIT 1) AS known ON true
  LEFT JOIN LATERAL (
    SELECT id AS connection, ${columns.connectionParts}
    FROM connection WHERE id = asked.connection LIMIT 1
  ) AS shop ON true
  LEFT JOIN LATERAL (
    SELECT ${columns.keyParts} FROM connection_key WHERE connection = asked.connection LIMIT 1
  ) AS newest ON true
  LEFT JOIN LATERAL (
    SELECT key AS "cacheKey", stored_at AS "storedAt", expires_at AS "keptUntil", sealed AS "sealedReply"
    FROM cached_reply
    WHERE key = concat_ws(':', asked.connection, encode(substring(newest.sealed FOR ${String(keyNameBytes)}), 'hex'), asked.key_end)
      AND expires_at > clock() LIMIT 1
  ) AS reply ON true
  ORDER BY n`;

/** Reads the parts side by side; all columns of a part that is not there are null. */
function toFindings(row: Readonly<Record<string, unknown>>): CallFindings {
  const { id, connection, version, cacheKey, keptUntil, sealedReply, storedAt } = row;
  const reply = { key: cacheKey, storedAt, expiresAt: keptUntil, sealed: sealedReply };
  return {
    token: id === null ? undefined : toKnownToken(row),
    connection: connection === null ? undefined : toConnection({ ...row, id: connection }),
    key: version === null ? undefined : toKey(row),
    cached: cacheKey === null ? undefined : toCachedReply(reply),
  };
}

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
    findToken: async (id) => {
      const [row] = await database.query(`${tokenSql} WHERE token.id = $1`, [id]);
      return row && toKnownToken(row);
    },
    findCall: inGroups<CallLookup, CallFindings>(
      async (lookups) => {
        const rows = await database.query<Record<string, unknown>>(callSql, [
          lookups.map(({ token }) => token),
          lookups.map(({ connection }) => connection),
          lookups.map(({ cacheKeyEnd }) => cacheKeyEnd),
        ]);
        return rows.map(toFindings);
      },
      { lanes: 2 },
    ),
    extendToken: async (id, expiresAt) => {
      await database.query('UPDATE token SET expires_at = $2 WHERE id = $1 AND revoked_at = 0', [
        id,
        expiresAt,
      ]);
    },
    secrets: async () =>
      (await database.query(`SELECT ${columns.secret} FROM secret`)).map(toSecret),
    takeSlot: slots.takeSlot,
    release,
    reportCall: (report) => {
      slots.settle(report);
      return reportCall(report);
    },
    findCached: inGroups<string, CachedReply | undefined>(
      async (keys) => {
        const rows = await database.query<CachedReply>(
          `SELECT ${columns.cached} FROM cached_reply
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
