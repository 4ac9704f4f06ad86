import type { UpstreamState } from '#relay/pace/pace';
import type { Role } from '#relay/rules/index';
import type { Stored } from '#relay/store/records';
import { type Database, type Row, type Rows, type Statement, sql } from '#relay/store/sql';

/** Reads a row of our own schema, whose types are what it says: a column that is null is a member that is left out. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller says which columns its statement returns
export function recordOf<T>(row: Row): T {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as T;
}

/** Reads the only row of a statement; undefined if there is none. */
export function first<T>(rows: Rows | undefined, read: (row: Row) => T = recordOf): T | undefined {
  const row = rows?.[0];
  return row && read(row);
}

export function reading(database: Database): {
  readonly one: <T>(statement: Statement, read?: (row: Row) => T) => Promise<T | undefined>;
  readonly all: <T>(statement: Statement, read?: (row: Row) => T) => Promise<readonly T[]>;
} {
  return {
    one: async (statement, read) => first((await database.read(statement))[0], read),
    all: async (statement, read = recordOf) =>
      (await database.read(statement)).flat().map((row) => read(row)),
  };
}

export function toConnection(row: Row): Stored<'connection'> {
  const { allowPrivate, roles, ...rest } = recordOf<
    Omit<Stored<'connection'>, 'allowPrivate' | 'roles'> & { allowPrivate: number; roles: string }
  >(row);
  return { ...rest, allowPrivate: allowPrivate === 1, roles: roles.match(/\S+/g) ?? [] };
}

export function toRole(row: Row): Role & { readonly quota?: number } {
  const { sees, ...rest } = recordOf<{ name: string; sees: string; quota?: number }>(row);
  return { ...rest, maySee: (sees.match(/\S+/g) ?? []) as unknown as Role['maySee'] };
}

export function toKnownToken(row: Row): Stored<'knownToken'> {
  const { role, sees, ...rest } = recordOf<Stored<'knownToken'> & { role: unknown; sees: unknown }>(
    row,
  );
  return { ...rest, role: toRole({ name: role, sees }) };
}

export function toPace(row: Row): UpstreamState {
  const { taken, ...rest } = recordOf<Omit<UpstreamState, 'taken'> & { taken: string }>(row);
  return { ...rest, taken: JSON.parse(taken) as UpstreamState['taken'] };
}

/** The columns of each table, by the name of its record. */
export const columns = {
  connection: sql`id, name, base_address AS "baseAddress", key_placement AS "keyPlacement", encoding,
    request_limit AS "limit", window_ms AS "windowMs", allow_private AS "allowPrivate", roles, marketplace, store`,
  key: sql`connection, version, master_key_id AS "masterKeyId", wrapped_data_key AS "wrappedDataKey", sealed`,
  token: sql`token.id AS id, agent, hash, signed_in_at AS "signedInAt", expires_at AS "expiresAt", revoked_at AS "revokedAt"`,
  invite: sql`id, agent, hash, created_at AS "createdAt", expires_at AS "expiresAt"`,
  join: sql`id, hash, state, challenge, expires_at AS "expiresAt", agent, invite`,
  cached: sql`key, stored_at AS "storedAt", expires_at AS "expiresAt", sealed`,
  pace: sql`version, tat, bulk_tat AS "bulkTat", held_until AS "heldUntil", taken, failures, open_until AS "openUntil",
    probe_until AS "probeUntil", failed_by AS "failedBy"`,
} as const satisfies Record<string, Statement>;

export const findToken = (id: string): Statement =>
  sql`SELECT ${columns.token}, role.name AS role, sees, coalesce(agent.quota, role.quota) AS quota
    FROM token JOIN agent ON agent.id = token.agent JOIN role ON role.name = agent.role WHERE token.id = ${id}`;
