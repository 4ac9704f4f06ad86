import { tokenMaxMs } from '#relay/rules/token';
import {
  auditActor,
  auditCount,
  auditFunctions,
  auditRetention,
  auditTables,
} from '#relay/store/postgres/schema-audit';
import { callFunctions } from '#relay/store/postgres/schema-calls';

const tables = `
  CREATE TABLE connection (
    id text PRIMARY KEY,
    name text NOT NULL,
    base_address text NOT NULL,
    key_placement text NOT NULL,
    encoding text NOT NULL,
    request_limit bigint NOT NULL CHECK (request_limit >= 2),
    window_ms bigint NOT NULL CHECK (window_ms > 0),
    allow_private boolean NOT NULL
  );
  CREATE TABLE connection_key (
    connection text PRIMARY KEY REFERENCES connection ON DELETE CASCADE,
    version bigint NOT NULL,
    master_key_id text NOT NULL,
    wrapped_data_key bytea NOT NULL,
    sealed bytea NOT NULL
  );
  CREATE TABLE secret (name text PRIMARY KEY, master_key_id text NOT NULL, wrapped bytea NOT NULL);
  CREATE TABLE role (name text PRIMARY KEY, sees text NOT NULL);
  INSERT INTO role VALUES ('agent', '');
  CREATE TABLE agent (id text PRIMARY KEY, email text NOT NULL UNIQUE, role text NOT NULL REFERENCES role);
  CREATE TABLE token (
    id text PRIMARY KEY,
    agent text NOT NULL REFERENCES agent ON DELETE CASCADE,
    hash bytea NOT NULL,
    signed_in_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    revoked_at bigint NOT NULL
  );
  CREATE TABLE invite (
    id text PRIMARY KEY,
    agent text NOT NULL REFERENCES agent ON DELETE CASCADE,
    hash bytea NOT NULL,
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL
  );
  CREATE TABLE pending_join (
    id text PRIMARY KEY,
    hash bytea NOT NULL,
    state text NOT NULL,
    challenge text NOT NULL,
    expires_at bigint NOT NULL,
    agent text REFERENCES agent ON DELETE CASCADE,
    invite text,
    wrong_invites integer NOT NULL DEFAULT 0
  );
  CREATE INDEX pending_join_by_expiry ON pending_join (expires_at);
  CREATE TABLE join_code (
    id text PRIMARY KEY,
    agent text NOT NULL REFERENCES agent ON DELETE CASCADE,
    hash bytea NOT NULL,
    challenge text NOT NULL,
    expires_at bigint NOT NULL
  );
  CREATE TABLE team_settings (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    version bigint NOT NULL,
    payload text NOT NULL,
    signature text NOT NULL,
    key text NOT NULL
  );
  -- Made with the connection, so that serving only ever changes it.
  CREATE TABLE pace (
    connection text PRIMARY KEY REFERENCES connection ON DELETE CASCADE,
    tat double precision NOT NULL DEFAULT 0,
    bulk_tat double precision NOT NULL DEFAULT 0,
    held_until double precision NOT NULL DEFAULT 0,
    failures integer NOT NULL DEFAULT 0,
    open_until double precision NOT NULL DEFAULT 0,
    probe_until double precision NOT NULL DEFAULT 0
  ) WITH (fillfactor = 50);
  CREATE TABLE pace_agent (
    connection text NOT NULL REFERENCES connection ON DELETE CASCADE,
    agent text NOT NULL,
    tat double precision NOT NULL,
    last_at double precision NOT NULL,
    PRIMARY KEY (connection, agent)
  ) WITH (fillfactor = 50);
  -- Both may be lost in a crash of the server: then a question is asked once more.
  CREATE UNLOGGED TABLE cached_reply (
    key text PRIMARY KEY,
    stored_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    sealed bytea NOT NULL
  );
  CREATE INDEX cached_reply_by_expiry ON cached_reply (expires_at);
  CREATE UNLOGGED TABLE lease (
    key text PRIMARY KEY,
    holder text NOT NULL,
    expires_at double precision NOT NULL
  );
  -- Epoch milliseconds. It is no constant within a transaction, so that it can be read after a lock.
  CREATE FUNCTION clock() RETURNS double precision LANGUAGE sql VOLATILE AS
    $$ SELECT extract(epoch FROM clock_timestamp())::double precision * 1000 $$;
  -- With the owner's right: the runner may end a token, as an agent who leaves asks for, and cannot undo a revocation.
  CREATE FUNCTION revoke_token(token_id text) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = relay, pg_temp AS $$
  BEGIN
    UPDATE token SET revoked_at = floor(clock()) WHERE id = token_id AND revoked_at = 0;
    RETURN FOUND;
  END $$;
  REVOKE EXECUTE ON FUNCTION revoke_token(text) FROM PUBLIC;
`;

/** Holds against a runner's role in somebody else's hands: rows of the audit that are about another time, and tokens without an end. */
const bounds = `
  CREATE FUNCTION refuse_other_time() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'permission denied: this is about now'; END $$;
  CREATE TRIGGER audit_is_about_now BEFORE INSERT ON audit FOR EACH ROW
    WHEN (abs(NEW.at - clock()) > 60000) EXECUTE FUNCTION refuse_other_time();
  CREATE TRIGGER token_is_signed_in_now BEFORE INSERT ON token FOR EACH ROW
    WHEN (NEW.signed_in_at > clock() + 60000) EXECUTE FUNCTION refuse_other_time();
  UPDATE token SET expires_at = signed_in_at + ${String(tokenMaxMs)} WHERE expires_at > signed_in_at + ${String(tokenMaxMs)};
  ALTER TABLE token ADD CONSTRAINT token_ends CHECK (expires_at <= signed_in_at + ${String(tokenMaxMs)});
`;

/** Moves the rules of the pace out of the database, where `rules/pace.ts` has them, and limits connections to roles and agents to a quota. */
const limits = `
  DROP FUNCTION IF EXISTS end_calls(jsonb, text[], text[], jsonb, text[], text[], text[], text[], bigint[], bigint[], bytea[], integer);
  DROP FUNCTION IF EXISTS note_health(text, text, double precision);
  DROP FUNCTION IF EXISTS take_slots(text, double precision, double precision, double precision, jsonb);
  DROP FUNCTION IF EXISTS decide_slot(double precision, double precision, double precision, double precision, double precision,
    double precision, double precision, boolean, double precision, double precision);
  -- The slots that were taken, by when their requests may arrive: JSON.
  ALTER TABLE pace ADD COLUMN taken text NOT NULL DEFAULT '[]';
  -- Words; every role where there is none.
  ALTER TABLE connection ADD COLUMN roles text NOT NULL DEFAULT '';
  ALTER TABLE role ADD COLUMN quota bigint;
  ALTER TABLE agent ADD COLUMN quota bigint;
  CREATE TABLE day_calls (
    agent text PRIMARY KEY REFERENCES agent ON DELETE CASCADE,
    day bigint NOT NULL,
    calls bigint NOT NULL
  ) WITH (fillfactor = 50);
`;

/** Adds what a provider calls an agent. With the owner's right the runner gives agents the roles of their groups. */
const identities = `
  ALTER TABLE agent ADD COLUMN subject text UNIQUE;
  CREATE FUNCTION set_agent_role(agent_id text, role_name text) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = relay, pg_temp AS $$
  BEGIN
    UPDATE agent SET role = role_name WHERE id = agent_id AND role <> role_name;
    RETURN FOUND;
  END $$;
  REVOKE EXECUTE ON FUNCTION set_agent_role(text, text) FROM PUBLIC;
`;

/**
 * Lists the steps that bring a database from one schema version to the next. A step that was released is never changed: a change is
 * a new step.
 */
export const upgrades: readonly string[] = [
  [tables, auditTables, auditFunctions].join('\n'),
  bounds,
  auditActor,
  [auditCount, limits, callFunctions].join('\n'),
  [identities, auditRetention].join('\n'),
  // The seller API where there is no marketplace.
  'ALTER TABLE connection ADD COLUMN marketplace text, ADD COLUMN store text',
];

/** Returns the statements that let a role serve, and no more. It may neither read nor change the audit. */
export function grantsTo(role: string): string {
  const runner = `"${role.replaceAll('"', '""')}"`;
  return `
    GRANT USAGE ON SCHEMA relay TO ${runner};
    GRANT SELECT ON schema_version, connection, connection_key, role, agent, team_settings TO ${runner};
    GRANT SELECT, INSERT ON secret TO ${runner};
    GRANT SELECT, INSERT, UPDATE (expires_at) ON token TO ${runner};
    GRANT SELECT, UPDATE ON pace TO ${runner};
    GRANT SELECT, INSERT, UPDATE ON pace_agent, day_calls TO ${runner};
    GRANT SELECT, INSERT, UPDATE, DELETE ON cached_reply, lease, pending_join, join_code TO ${runner};
    -- UPDATE of a column that never changes is what a row lock asks for.
    GRANT SELECT, DELETE, UPDATE (id) ON invite TO ${runner};
    -- An earlier version let it choose the id as well.
    REVOKE INSERT ON audit FROM ${runner};
    GRANT INSERT (at, kind, result, call_id, agent, token, connection, call, code_hmac, code_last4, actor) ON audit TO ${runner};
    GRANT USAGE ON SEQUENCE audit_id TO ${runner};
    GRANT EXECUTE ON FUNCTION ensure_audit_month(double precision), count_month(text), drop_old_audit(),
      revoke_token(text), set_agent_role(text, text) TO ${runner};
  `;
}
