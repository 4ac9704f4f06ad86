import type { ConnectionRecord } from '#relay/store/records';
import { isSight, type Role, wordsOf } from '#relay/rules/roles';

/** Lists the columns of a table under the names of their records. `pg` gives them the types that the records have. */
export const columns = {
  connection: `id, name, base_address AS "baseAddress", key_placement AS "keyPlacement", encoding,
    request_limit AS "limit", window_ms AS "windowMs", allow_private AS "allowPrivate", string_to_array(roles, ' ') AS roles,
    marketplace, store`,
  key: 'connection, version, master_key_id AS "masterKeyId", wrapped_data_key AS "wrappedDataKey", sealed',
  secret: 'name, master_key_id AS "masterKeyId", wrapped',
  token: `token.id AS id, agent, hash, signed_in_at AS "signedInAt", expires_at AS "expiresAt", revoked_at AS "revokedAt"`,
  invite: 'id, agent, hash, created_at AS "createdAt", expires_at AS "expiresAt"',
  join: 'id, hash, state, challenge, expires_at AS "expiresAt", agent, invite',
  settings: 'version, payload, signature, key',
  pace: `pace.xmin::text AS version, tat, bulk_tat AS "bulkTat", held_until AS "heldUntil", taken, failures,
    open_until AS "openUntil", probe_until AS "probeUntil"`,
};

/** Holds a connection as its table has it. */
export type ConnectionRow = Omit<ConnectionRecord, 'marketplace' | 'store'> & {
  readonly [Name in 'marketplace' | 'store']: ConnectionRecord[Name] | null;
};

/** Leaves out what is null. */
export function toConnection({ marketplace, store, ...rest }: ConnectionRow): ConnectionRecord {
  return {
    ...rest,
    ...(marketplace !== null && { marketplace }),
    ...(store !== null && { store }),
  };
}

/** Holds a role as its table has it. */
export interface RoleRow {
  readonly name: string;
  /** Words with spaces between them. */
  readonly sees: string;
}

export const toRole = ({ name, sees }: RoleRow): Role => ({
  name,
  sees: wordsOf(sees).filter(isSight),
});
