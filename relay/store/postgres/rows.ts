import { isSight, type Role } from '#relay/rules/roles';

/** Lists the columns of a table under the names of their records. `pg` gives them the types that the records have. */
export const columns = {
  connection: `id, name, base_address AS "baseAddress", key_placement AS "keyPlacement", encoding,
    request_limit AS "limit", window_ms AS "windowMs", allow_private AS "allowPrivate"`,
  key: 'connection, version, master_key_id AS "masterKeyId", wrapped_data_key AS "wrappedDataKey", sealed',
  secret: 'name, master_key_id AS "masterKeyId", wrapped',
  token: `token.id AS id, agent, hash, signed_in_at AS "signedInAt", expires_at AS "expiresAt", revoked_at AS "revokedAt"`,
  invite: 'id, agent, hash, created_at AS "createdAt", expires_at AS "expiresAt"',
  join: 'id, hash, state, challenge, expires_at AS "expiresAt", agent, invite',
  settings: 'version, payload, signature, key',
};

/** Holds a role as its table has it. */
export interface RoleRow {
  readonly name: string;
  /** Words with spaces between them. */
  readonly sees: string;
}

export const toRole = ({ name, sees }: RoleRow): Role => ({
  name,
  sees: sees.split(' ').filter(isSight),
});
