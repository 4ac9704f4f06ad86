import * as v from 'valibot';

import { placeSchema } from '#core/connections/account-place';
import type { AgentPace, UpstreamState } from '#relay/rules/pace';
import { type Role, sights, wordsOf } from '#relay/rules/roles';
import type {
  AgentRecord,
  AuditRow,
  ConnectionRecord,
  InviteRecord,
  JoinRecord,
  SealedKey,
  SealedSecret,
  SignedSettings,
  KnownToken,
  TokenRecord,
  TokenUse,
} from '#relay/store/records';
import type { CachedReply } from '#relay/store/store';

/** Returns a reader of rows as either database returns them. It throws a `ValiError` on a row that no store has written. */
const reader =
  <Record>(schema: v.GenericSchema<unknown, Record>) =>
  (row: unknown): Record =>
    v.parse(schema, row);

const text = v.string();
const number = v.number();
const bytes = v.instance(Uint8Array);
/** Leaves the members out whose columns are null. */
const sparse = <Entries extends v.ObjectEntries>(entries: Entries) =>
  v.pipe(
    v.record(text, v.unknown()),
    v.transform((row) =>
      Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)),
    ),
    v.object(entries),
  );
const optionalText = v.exactOptional(text);
const words = v.pipe(text, v.transform(wordsOf));

export const toConnection = reader<ConnectionRecord>(
  sparse({
    id: text,
    name: text,
    baseAddress: text,
    keyPlacement: v.picklist(['parameter', 'X-API-Key', 'Authorization']),
    encoding: v.picklist(['form', 'json', 'multipart', 'query']),
    limit: number,
    windowMs: number,
    // SQLite has no other truth.
    allowPrivate: v.pipe(
      v.union([v.boolean(), v.picklist([0, 1])]),
      v.transform((flag) => flag !== false && flag !== 0),
    ),
    roles: words,
    ...placeSchema,
  }),
);

export const toKey = reader<SealedKey>(
  v.object({
    connection: text,
    version: number,
    masterKeyId: text,
    wrappedDataKey: bytes,
    sealed: bytes,
  }),
);

export const toSecret = reader<SealedSecret>(
  v.object({
    name: v.picklist(['canary', 'audit-hmac', 'cache-hmac', 'cache-body']),
    masterKeyId: text,
    wrapped: bytes,
  }),
);

export const toAgent = reader<AgentRecord>(
  sparse({ id: text, email: text, role: text, subject: optionalText }),
);

export const toToken = reader<TokenRecord>(
  v.object({
    id: text,
    agent: text,
    hash: bytes,
    signedInAt: number,
    expiresAt: number,
    revokedAt: number,
  }),
);

const aboutToken = v.object({ role: text, sees: text, quota: v.nullable(number) });

/** Reads a token with what its agent may see and how often they may ask. */
export function toKnownToken(row: object): KnownToken {
  const { role: name, sees, quota } = v.parse(aboutToken, row);
  const known = { ...toToken(row), role: toRole({ name, sees }) };
  return quota === null ? known : { ...known, quota };
}

export const toInvite = reader<InviteRecord>(
  v.object({ id: text, agent: text, hash: bytes, createdAt: number, expiresAt: number }),
);

export const toSettings = reader<SignedSettings>(
  v.object({ version: number, payload: text, signature: text, key: text }),
);

export const toJoin = reader<JoinRecord>(
  sparse({
    id: text,
    hash: bytes,
    state: text,
    challenge: text,
    expiresAt: number,
    agent: optionalText,
    invite: optionalText,
  }),
);

export const toJoinCode = reader(v.object({ agent: text, hash: bytes, challenge: text }));

export const toAuditRow = reader<AuditRow>(
  sparse({
    id: number,
    at: number,
    kind: v.picklist(['intent', 'outcome', 'reply', 'admin']),
    result: text,
    callId: optionalText,
    agent: optionalText,
    token: optionalText,
    connection: optionalText,
    call: v.exactOptional(v.picklist(['account', 'items', 'item', 'validation'])),
    codeHmac: optionalText,
    codeLast4: optionalText,
    actor: optionalText,
  }),
);

export const toTokenUse = reader<TokenUse>(
  sparse({
    token: text,
    firstAt: v.exactOptional(number),
    lastAt: v.exactOptional(number),
    actor: optionalText,
  }),
);

export const toCachedReply = reader<CachedReply>(
  v.object({ key: text, storedAt: number, expiresAt: number, sealed: bytes }),
);

export const toRole = reader<Role>(
  v.object({
    name: text,
    sees: v.pipe(words, v.array(v.picklist(sights))),
  }),
);

export const toRoleQuota = reader(v.object({ role: text, calls: number }));

export const toAgentQuota = reader(v.object({ agent: text, calls: number, today: number }));

export const toPace = reader<UpstreamState>(
  v.object({
    tat: number,
    bulkTat: number,
    heldUntil: number,
    taken: v.pipe(text, v.parseJson(), v.array(v.tuple([number, number]))),
    failures: number,
    openUntil: number,
    probeUntil: number,
  }),
);

/** Reads what is known of an agent's pace, and how many agents are active at that upstream. */
export const toAgentPace = reader<AgentPace & { readonly active: number }>(
  v.object({ tat: number, lastAt: number, today: number, active: number }),
);

const connectionParts = `name, base_address AS "baseAddress", key_placement AS "keyPlacement", encoding,
  request_limit AS "limit", window_ms AS "windowMs", allow_private AS "allowPrivate", roles, marketplace, store`;
const keyParts =
  'version, master_key_id AS "masterKeyId", wrapped_data_key AS "wrappedDataKey", sealed';

/** Lists the columns of a table under the names of their records, of which the parts are those without the connection's id. */
export const columns = {
  connection: `id, ${connectionParts}`,
  connectionParts,
  key: `connection, ${keyParts}`,
  keyParts,
  secret: 'name, master_key_id AS "masterKeyId", wrapped',
  token: `token.id AS id, agent, hash, signed_in_at AS "signedInAt", expires_at AS "expiresAt", revoked_at AS "revokedAt"`,
  invite: 'id, agent, hash, created_at AS "createdAt", expires_at AS "expiresAt"',
  join: 'id, hash, state, challenge, expires_at AS "expiresAt", agent, invite',
  settings: 'version, payload, signature, key',
  cached: 'key, stored_at AS "storedAt", expires_at AS "expiresAt", sealed',
  pace: `tat, bulk_tat AS "bulkTat", held_until AS "heldUntil", taken, failures, open_until AS "openUntil",
    probe_until AS "probeUntil"`,
  audit: `id, at, kind, result, call_id AS "callId", agent, token, connection, call, code_hmac AS "codeHmac",
    code_last4 AS "codeLast4", actor`,
};

/** Finds a token with what its agent may see, to be ended by a condition. */
export const tokenSql = `SELECT ${columns.token}, role.name AS role, sees, coalesce(agent.quota, role.quota) AS quota
  FROM token JOIN agent ON agent.id = token.agent JOIN role ON role.name = agent.role`;

const isUse = "kind = 'reply' AND result NOT IN ('withheld', 'not-begun')";

/** Returns the statement that tells how tokens were used from a moment on. @param rows a table or a subquery with rows of the audit */
export const tokenUsesSql = (rows: string): string => `
  SELECT token, min(at) FILTER (WHERE ${isUse}) AS "firstAt", max(at) FILTER (WHERE ${isUse}) AS "lastAt",
    max(actor) FILTER (WHERE kind = 'admin' AND result IN ('joined', 'invite-redeemed')) AS actor
  FROM ${rows} WHERE at >= $1 AND token IS NOT NULL GROUP BY token`;
