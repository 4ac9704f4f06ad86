import type { Database } from '#relay/store/postgres/database';
import { inGroups } from '#relay/store/postgres/groups';
import { blindedHash } from '#relay/store/postgres/blinded-hash';
import { type SlotRow, toSlotAnswer } from '#relay/store/postgres/slots';
import { columns, toRole } from '#relay/store/postgres/rows';
import type { ConnectionRecord, KnownToken, SealedKey, TokenRecord } from '#relay/store/records';
import type {
  CachedReply,
  CallFindings,
  CallLookup,
  LookupSlot,
  ServingStore,
} from '#relay/store/store';

type TokenRow = TokenRecord & { readonly roleName: string; readonly sees: string };

/** Has a call's parts side by side; all columns of a part that is not there are null. */
interface FoundRow extends TokenRow, Omit<ConnectionRecord, 'id'>, Omit<SealedKey, 'connection'> {
  readonly connection: string;
  readonly cacheKey: string;
  readonly storedAt: number;
  readonly keptUntil: number;
  readonly sealedReply: Uint8Array;
}

type NullableSlot = SlotRow | { readonly granted: null };

const tokenSql = `SELECT ${columns.token}, role.name AS "roleName", sees FROM token
  JOIN agent ON agent.id = token.agent JOIN role ON role.name = agent.role`;

/** Looks each part up by its key. LIMIT keeps the planner from joining whole tables, whatever it believes of their sizes. */
const partsOfAsked = `
  LEFT JOIN LATERAL (${tokenSql} WHERE token.id = asked.token LIMIT 1) AS known ON true
  LEFT JOIN LATERAL (
    SELECT id AS connection, name, base_address AS "baseAddress", key_placement AS "keyPlacement", encoding,
      request_limit AS "limit", window_ms AS "windowMs", allow_private AS "allowPrivate"
    FROM connection WHERE id = asked.connection LIMIT 1
  ) AS shop ON true
  LEFT JOIN LATERAL (
    SELECT version, master_key_id AS "masterKeyId", wrapped_data_key AS "wrappedDataKey", sealed
    FROM connection_key WHERE connection = asked.connection LIMIT 1
  ) AS newest ON true
  LEFT JOIN LATERAL (
    SELECT key AS "cacheKey", stored_at AS "storedAt", expires_at AS "keptUntil", sealed AS "sealedReply"
    FROM cached_reply
    WHERE key = concat_ws(':', asked.connection, newest.version, asked.key_end) AND expires_at > clock() LIMIT 1
  ) AS reply ON true`;

const callSql = `
  SELECT known.*, shop.*, newest.*, reply.*
  FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY AS asked (token, connection, key_end, n)
  ${partsOfAsked} ORDER BY n`;

/**
 * Does the same for calls to one connection, and asks for the slots of those that would ask its upstream. Without any of them no row
 * is locked. Hashes are compared blinded by a number of the call's own, so that how long it takes tells nothing about the stored one.
 */
const openingSql = `
  WITH found AS MATERIALIZED (
    SELECT n, slot, known.*, shop.*, newest.*, reply.*,
      slot -> 'subject' || jsonb_build_object('agent', known.agent) AS subject,
      concat_ws(':', shop.connection, newest.version, slot ->> 'leaseKeyEnd') AS lease_key,
      known.id IS NOT NULL AND newest.version IS NOT NULL AND reply."cacheKey" IS NULL
        AND known."revokedAt" = 0 AND known."expiresAt" > clock()
        AND sha256(decode(slot ->> 'nonce', 'hex') || known.hash) = decode(slot ->> 'digest', 'hex') AS asks
    FROM ROWS FROM (jsonb_to_recordset($3) AS (token text, connection text, key_end text, slot jsonb))
      WITH ORDINALITY AS asked (token, connection, key_end, slot, n)
    ${partsOfAsked}
  ), decided AS MATERIALIZED (
    SELECT wanted.places[decision.place] AS n, granted, at, because
    FROM (
      SELECT array_agg(n ORDER BY n) AS places, jsonb_agg(jsonb_build_object(
          'agent', agent, 'bulk', slot -> 'bulk', 'unlessCached', slot -> 'unlessCached', 'subject', subject,
          'lease', jsonb_build_object('key', lease_key, 'holder', slot -> 'holder', 'forMs', slot -> 'forMs')
        ) ORDER BY n) AS requests,
        min("limit") AS request_limit, min("windowMs") AS window_ms
      FROM found WHERE asks HAVING count(*) > 0
    ) AS wanted
    CROSS JOIN LATERAL take_slots($1, wanted.request_limit, wanted.window_ms, $2, wanted.requests)
      WITH ORDINALITY AS decision (granted, at, because, place)
  )
  SELECT id, agent, hash, "signedInAt", "expiresAt", "revokedAt", "roleName", sees,
    connection, name, "baseAddress", "keyPlacement", encoding, "limit", "windowMs", "allowPrivate",
    version, "masterKeyId", "wrappedDataKey", sealed, "cacheKey", "storedAt", "keptUntil", "sealedReply",
    granted, at, because
  FROM found LEFT JOIN decided ON decided.n = found.n ORDER BY found.n`;

/** Creates what finds a token alone. */
export function tokenFinder(database: Database): ServingStore['findToken'] {
  return async (id) => {
    const [row] = await database.query<TokenRow>(`${tokenSql} WHERE token.id = $1`, [id]);
    return row && toKnownToken(row);
  };
}

type Opening = CallLookup & { readonly slot: LookupSlot };

/**
 * Creates what finds all that a call asks for, in one statement for all calls of a group. Slots are asked for only at connections
 * that were found before, each in groups of its own, so that no name that somebody makes up starts one.
 */
export function callFinder(database: Database): ServingStore['findCall'] {
  const find = finderAlone(database);
  const openings = new Map<string, (lookup: Opening) => Promise<CallFindings>>();
  return async (lookup) => {
    const { connection, slot } = lookup;
    if (slot === undefined) return find(lookup);
    const name = JSON.stringify([connection, slot.deadlineMs]);
    const open = openings.get(name);
    const found = await (open === undefined ? find(lookup) : open({ ...lookup, slot }));
    if (found.connection === undefined) openings.delete(name);
    else if (open === undefined && !openings.has(name)) {
      openings.set(name, openerAt(database, connection, slot.deadlineMs));
    }
    return found;
  };
}

function openerAt(
  database: Database,
  connection: string,
  deadlineMs: number,
): (lookup: Opening) => Promise<CallFindings> {
  return inGroups<Opening, CallFindings>(
    async (lookups) => {
      const asked = lookups.map(({ token, cacheKeyEnd, slot: { hash, ...slot } }) => ({
        ...{ token, connection, key_end: cacheKeyEnd },
        slot: { ...slot, ...blindedHash(hash) },
      }));
      const rows = await database.query<FoundRow & NullableSlot>(openingSql, [
        ...[connection, deadlineMs, JSON.stringify(asked)],
      ]);
      return rows.map((row) => {
        const found = toFindings(row);
        return row.granted === null ? found : { ...found, slot: toSlotAnswer(row) };
      });
    },
    // Each of them locks the same row until its commit.
    { lanes: 1 },
  );
}

function finderAlone(database: Database): ServingStore['findCall'] {
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
  const { id, agent, hash, signedInAt, expiresAt, revokedAt, roleName, sees } = row;
  const role = toRole({ name: roleName, sees });
  return { id, agent, hash, signedInAt, expiresAt, revokedAt, role };
}

function toFindings(row: {
  readonly [Name in keyof FoundRow]: FoundRow[Name] | null;
}): CallFindings {
  const found = row as FoundRow;
  return {
    token: row.id === null ? undefined : toKnownToken(found),
    connection: row.connection === null ? undefined : toConnection(found),
    key: row.version === null ? undefined : toKey(found),
    cached: row.cacheKey === null ? undefined : toCached(found),
  };
}

function toConnection(row: FoundRow): ConnectionRecord {
  const { connection: id, name, baseAddress, keyPlacement, encoding } = row;
  const { limit, windowMs, allowPrivate } = row;
  return { id, name, baseAddress, keyPlacement, encoding, limit, windowMs, allowPrivate };
}

function toKey({ connection, version, masterKeyId, wrappedDataKey, sealed }: FoundRow): SealedKey {
  return { connection, version, masterKeyId, wrappedDataKey, sealed };
}

function toCached({ cacheKey: key, storedAt, keptUntil, sealedReply }: FoundRow): CachedReply {
  return { key, storedAt, expiresAt: keptUntil, sealed: sealedReply };
}
