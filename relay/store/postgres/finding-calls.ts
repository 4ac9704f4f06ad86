import type { Database } from '#relay/store/postgres/database';
import { inGroups } from '#relay/store/postgres/groups';
import { columns, type ConnectionRow, toConnection, toRole } from '#relay/store/postgres/rows';
import { keyNameBytes } from '#relay/store/serving';
import type { ConnectionRecord, KnownToken, SealedKey, TokenRecord } from '#relay/store/records';
import type { CachedReply, CallFindings, CallLookup, ServingStore } from '#relay/store/store';

type TokenRow = TokenRecord & {
  readonly roleName: string;
  readonly sees: string;
  readonly quota: number | null;
};

/** Has a call's parts side by side; all columns of a part that is not there are null. */
interface FoundRow extends TokenRow, Omit<ConnectionRow, 'id'>, Omit<SealedKey, 'connection'> {
  readonly connection: string;
  readonly cacheKey: string;
  readonly storedAt: number;
  readonly keptUntil: number;
  readonly sealedReply: Uint8Array;
}

const tokenSql = `SELECT ${columns.token}, role.name AS "roleName", sees,
    coalesce(agent.quota, role.quota) AS quota FROM token
  JOIN agent ON agent.id = token.agent JOIN role ON role.name = agent.role`;

/** Looks each part up by its key. LIMIT keeps the planner from joining whole tables, whatever it believes of their sizes. */
const callSql = `
  SELECT known.*, shop.*, newest.*, reply.*
  FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY AS asked (token, connection, key_end, n)
  LEFT JOIN LATERAL (${tokenSql} WHERE token.id = asked.token LIMIT 1) AS known ON true
  LEFT JOIN LATERAL (
    SELECT id AS connection, name, base_address AS "baseAddress", key_placement AS "keyPlacement", encoding,
      request_limit AS "limit", window_ms AS "windowMs", allow_private AS "allowPrivate",
      string_to_array(roles, ' ') AS roles, marketplace, store
    FROM connection WHERE id = asked.connection LIMIT 1
  ) AS shop ON true
  LEFT JOIN LATERAL (
    SELECT version, master_key_id AS "masterKeyId", wrapped_data_key AS "wrappedDataKey", sealed
    FROM connection_key WHERE connection = asked.connection LIMIT 1
  ) AS newest ON true
  LEFT JOIN LATERAL (
    SELECT key AS "cacheKey", stored_at AS "storedAt", expires_at AS "keptUntil", sealed AS "sealedReply"
    FROM cached_reply
    WHERE key = concat_ws(':', asked.connection, encode(substring(newest.sealed FOR ${String(keyNameBytes)}), 'hex'), asked.key_end)
      AND expires_at > clock() LIMIT 1
  ) AS reply ON true
  ORDER BY n`;

/** Creates what finds a token alone. */
export function tokenFinder(database: Database): ServingStore['findToken'] {
  return async (id) => {
    const [row] = await database.query<TokenRow>(`${tokenSql} WHERE token.id = $1`, [id]);
    return row && toKnownToken(row);
  };
}

/** Creates what finds all that a call asks for, in one statement for all calls of a group. */
export function callFinder(database: Database): ServingStore['findCall'] {
  return inGroups<CallLookup, CallFindings>(
    async (lookups) => {
      const rows = await database.query<FoundRow>(callSql, [
        lookups.map(({ token }) => token),
        lookups.map(({ connection }) => connection),
        lookups.map(({ cacheKeyEnd }) => cacheKeyEnd),
      ]);
      return rows.map(toFindings);
    },
    { lanes: 2 },
  );
}

function toKnownToken(row: TokenRow): KnownToken {
  const { id, agent, hash, signedInAt, expiresAt, revokedAt, roleName, sees, quota } = row;
  const role = toRole({ name: roleName, sees });
  const known = { id, agent, hash, signedInAt, expiresAt, revokedAt, role };
  return quota === null ? known : { ...known, quota };
}

function toFindings(row: {
  readonly [Name in keyof FoundRow]: FoundRow[Name] | null;
}): CallFindings {
  const found = row as FoundRow;
  return {
    token: row.id === null ? undefined : toKnownToken(found),
    connection: row.connection === null ? undefined : connectionIn(found),
    key: row.version === null ? undefined : toKey(found),
    cached: row.cacheKey === null ? undefined : toCached(found),
  };
}

function connectionIn(row: FoundRow): ConnectionRecord {
  const { connection: id, name, baseAddress, keyPlacement, encoding, marketplace, store } = row;
  const { limit, windowMs, allowPrivate, roles } = row;
  const asked = { baseAddress, marketplace, store, keyPlacement, encoding, limit, windowMs };
  return toConnection({ id, name, ...asked, allowPrivate, roles });
}

function toKey({ connection, version, masterKeyId, wrappedDataKey, sealed }: FoundRow): SealedKey {
  return { connection, version, masterKeyId, wrappedDataKey, sealed };
}

function toCached({ cacheKey: key, storedAt, keptUntil, sealedReply }: FoundRow): CachedReply {
  return { key, storedAt, expiresAt: keptUntil, sealed: sealedReply };
}
