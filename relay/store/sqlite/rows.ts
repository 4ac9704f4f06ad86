import type { Role, Sight } from '#relay/rules/roles';
import type {
  AgentRecord,
  ConnectionRecord,
  InviteRecord,
  JoinRecord,
  SealedKey,
  SealedSecret,
  SignedSettings,
  TokenRecord,
} from '#relay/store/records';
import { withoutNulls } from '#relay/store/without-nulls';

/** Holds a row as `node:sqlite` returns it. */
export type Row = Record<string, unknown>;

// Columns are STRICT and written by this store alone, so that their types hold without being asked for again.

export const toConnection = (row: Row): ConnectionRecord => ({
  ...(row as unknown as ConnectionRecord),
  allowPrivate: row['allowPrivate'] === 1,
});

export const toKey = (row: Row): SealedKey => ({ ...(row as unknown as SealedKey) });

export const toSecret = (row: Row): SealedSecret => ({ ...(row as unknown as SealedSecret) });

export const toAgent = (row: Row): AgentRecord => ({ ...(row as unknown as AgentRecord) });

export const toToken = (row: Row): TokenRecord => ({ ...(row as unknown as TokenRecord) });

export const toInvite = (row: Row): InviteRecord => ({ ...(row as unknown as InviteRecord) });

export const toSettings = (row: Row): SignedSettings => ({ ...(row as unknown as SignedSettings) });

export const toJoin = (row: Row): JoinRecord => withoutNulls(row) as JoinRecord;

export const toRole = (row: Row): Role => ({
  name: String(row['name']),
  sees: String(row['sees'])
    .split(' ')
    .filter((sight): sight is Sight => sight !== ''),
});

/** Lists the columns of a table under the names of their records. */
export const columns = {
  connection: `id, name, base_address AS baseAddress, key_placement AS keyPlacement, encoding,
    request_limit AS "limit", window_ms AS windowMs, allow_private AS allowPrivate`,
  key: 'connection, version, master_key_id AS masterKeyId, wrapped_data_key AS wrappedDataKey, sealed',
  secret: 'name, master_key_id AS masterKeyId, wrapped',
  token: `token.id AS id, agent, hash, signed_in_at AS signedInAt, expires_at AS expiresAt, revoked_at AS revokedAt`,
  invite: 'id, agent, hash, created_at AS createdAt, expires_at AS expiresAt',
  join: 'id, hash, state, challenge, expires_at AS expiresAt, agent, invite',
  settings: 'version, payload, signature, key',
};
