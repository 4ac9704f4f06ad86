import { dayMs } from '#core/time/index';
import { tokenMaxMs } from '#relay/rules/index';
import { countMonthSql } from '#relay/store/month-count';
import { tallies } from '#relay/store/records';

/** Creates the tables, in PostgreSQL's syntax. */
const tables = `
  CREATE TABLE connection (
    id text PRIMARY KEY,
    name text NOT NULL,
    base_address text NOT NULL,
    key_placement text NOT NULL,
    encoding text NOT NULL,
    request_limit bigint NOT NULL CHECK (request_limit >= 2),
    window_ms bigint NOT NULL CHECK (window_ms > 0),
    allow_private bigint NOT NULL CHECK (allow_private IN (0, 1)),
    roles text NOT NULL, -- Words; every role where there is none.
    marketplace text, -- The seller API where there is none.
    store text
  );
  CREATE TABLE connection_key (
    connection text PRIMARY KEY REFERENCES connection (id) ON DELETE CASCADE,
    version bigint NOT NULL,
    key_name text NOT NULL, -- Of this very key alone: stands in the keys of its cached replies.
    master_key_id text NOT NULL,
    wrapped_data_key bytea NOT NULL,
    sealed bytea NOT NULL
  );
  CREATE TABLE secret (name text PRIMARY KEY, master_key_id text NOT NULL, wrapped bytea NOT NULL);
  CREATE TABLE role (name text PRIMARY KEY, sees text NOT NULL, quota bigint);
  INSERT INTO role VALUES ('agent', '', NULL);
  CREATE TABLE agent (
    id text PRIMARY KEY,
    email text NOT NULL UNIQUE,
    role text NOT NULL REFERENCES role (name),
    quota bigint,
    subject text UNIQUE
  );
  CREATE TABLE token (
    id text PRIMARY KEY,
    agent text NOT NULL REFERENCES agent (id) ON DELETE CASCADE,
    hash bytea NOT NULL,
    signed_in_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    revoked_at bigint NOT NULL,
    CONSTRAINT token_ends CHECK (expires_at <= signed_in_at + ${String(tokenMaxMs)})
  );
  CREATE TABLE invite (
    id text PRIMARY KEY,
    agent text NOT NULL REFERENCES agent (id) ON DELETE CASCADE,
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
    agent text REFERENCES agent (id) ON DELETE CASCADE,
    invite text,
    wrong_invites bigint NOT NULL
  );
  CREATE INDEX pending_join_by_expiry ON pending_join (expires_at);
  CREATE TABLE join_code (
    id text PRIMARY KEY,
    agent text NOT NULL REFERENCES agent (id) ON DELETE CASCADE,
    hash bytea NOT NULL,
    challenge text NOT NULL,
    expires_at bigint NOT NULL
  );
  CREATE TABLE team_settings (
    only_row bigint PRIMARY KEY CHECK (only_row = 1),
    version bigint NOT NULL,
    payload text NOT NULL,
    signature text NOT NULL,
    key text NOT NULL
  );
  -- Made with the connection, so that serving only ever changes it. Who decides on a state says which version of it.
  CREATE TABLE pace (
    connection text PRIMARY KEY REFERENCES connection (id) ON DELETE CASCADE,
    version bigint NOT NULL,
    tat double precision NOT NULL,
    bulk_tat double precision NOT NULL,
    held_until double precision NOT NULL,
    taken text NOT NULL, -- The slots that were taken, by when their requests may arrive: JSON.
    failures bigint NOT NULL,
    open_until double precision NOT NULL,
    probe_until double precision NOT NULL,
    failed_by text NOT NULL,
    ahead_ms double precision NOT NULL -- By how much the clock of whoever granted the last slot was ahead of the wall clock.
  ) WITH (fillfactor = 50);
  CREATE TABLE pace_agent (
    connection text NOT NULL REFERENCES connection (id) ON DELETE CASCADE,
    agent text NOT NULL,
    tat double precision NOT NULL,
    last_at double precision NOT NULL,
    PRIMARY KEY (connection, agent)
  ) WITH (fillfactor = 50);
  CREATE TABLE day_calls (
    agent text PRIMARY KEY REFERENCES agent (id) ON DELETE CASCADE,
    day bigint NOT NULL,
    calls bigint NOT NULL
  ) WITH (fillfactor = 50);
  -- Both may be lost in a crash of PostgreSQL's server: then a question is asked once more.
  CREATE UNLOGGED TABLE cached_reply (
    key text PRIMARY KEY,
    connection text NOT NULL,
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
  CREATE TABLE audit (
    id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    at bigint NOT NULL,
    kind text NOT NULL CHECK (kind IN ('intent', 'outcome', 'reply', 'admin')),
    result text NOT NULL,
    call_id text,
    agent text,
    token text,
    connection text,
    call text,
    code_hmac text,
    code_last4 text,
    actor text
  );
  CREATE INDEX audit_by_time ON audit USING brin (at);
  -- Find the uses of a token, and who took it out, in an audit of any size.
  CREATE INDEX audit_replies ON audit (token, id) WHERE kind = 'reply';
  CREATE INDEX audit_joins ON audit (token) WHERE kind = 'admin' AND token IS NOT NULL;
  -- What is older than these months may be deleted; nothing where they are not told.
  CREATE TABLE audit_kept (only_row bigint PRIMARY KEY CHECK (only_row = 1), months bigint);
  INSERT INTO audit_kept VALUES (1, NULL);
`;

const keptFrom = `(SELECT coalesce(month_start(months), 0) FROM audit_kept)`;

/** Deletes audit rows in batches, so that others can write in between. */
export const deleteOldAudit = `DELETE FROM audit WHERE id IN (SELECT id FROM audit WHERE at < ${keptFrom} LIMIT 5000) RETURNING 1`;

/** Whether rows could be deleted although the week before yesterday has none: then the clock may be ahead, and all would be deleted. */
export const auditInDoubt = `SELECT EXISTS (SELECT 1 FROM audit WHERE at < ${keptFrom}) AND NOT EXISTS (SELECT 1 FROM audit
  WHERE at > (SELECT CAST(clock() AS bigint)) - ${String(8 * dayMs)} AND at < (SELECT CAST(clock() AS bigint)) - ${String(dayMs)}) AS doubt`;

const inSqlite = (schema: string): string =>
  schema
    .replaceAll(
      'bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY',
      'INTEGER PRIMARY KEY AUTOINCREMENT',
    )
    .replaceAll(/\bbigint\b/g, 'INTEGER')
    .replaceAll('double precision', 'REAL')
    .replaceAll(/\bbytea\b/g, 'BLOB')
    .replaceAll(/ UNLOGGED| USING brin| WITH \(fillfactor = 50\)/g, '');

const sqliteOnly = `
  CREATE TRIGGER audit_is_final BEFORE UPDATE ON audit BEGIN SELECT RAISE(ABORT, 'audit rows are never changed'); END;
  CREATE TRIGGER audit_is_kept BEFORE DELETE ON audit WHEN OLD.at >= ${keptFrom}
    BEGIN SELECT RAISE(ABORT, 'audit rows are never deleted before their time'); END;
`;

const ownPath = 'SET search_path = relay, pg_temp';

/** Only in PostgreSQL: one clock for all instances, and limits on what a stolen runner role can do. */
const postgresOnly = `
  -- Epoch milliseconds. It is no constant within a transaction, so that it can be read after a lock.
  -- What it calls is bound here, and the path of other functions set: the runner may have functions of the same names elsewhere.
  CREATE FUNCTION clock() RETURNS double precision LANGUAGE sql VOLATILE
    RETURN extract(epoch FROM clock_timestamp())::double precision * 1000;
  CREATE FUNCTION steady() RETURNS double precision LANGUAGE sql VOLATILE RETURN clock();
  CREATE FUNCTION month_start(months_before bigint) RETURNS bigint LANGUAGE sql VOLATILE
    RETURN extract(epoch FROM date_trunc('month', to_timestamp(clock() / 1000) AT TIME ZONE 'UTC')
      - make_interval(months => months_before::integer))::bigint * 1000;
  CREATE FUNCTION must(holds boolean) RETURNS boolean LANGUAGE plpgsql VOLATILE ${ownPath} AS $$
  BEGIN
    IF holds THEN RETURN true; END IF;
    RAISE EXCEPTION 'changed meanwhile' USING ERRCODE = 'serialization_failure';
  END $$;

  CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql ${ownPath} AS
    $$ BEGIN RAISE EXCEPTION 'permission denied: %', TG_ARGV[0]; END $$;
  CREATE TRIGGER audit_is_final BEFORE UPDATE ON audit FOR EACH ROW EXECUTE FUNCTION refuse('audit rows are never changed');
  CREATE FUNCTION refuse_early_end() RETURNS trigger LANGUAGE plpgsql ${ownPath} AS $$
  BEGIN
    IF OLD.at < ${keptFrom} THEN RETURN OLD; END IF;
    RAISE EXCEPTION 'permission denied: audit rows are never deleted before their time';
  END $$;
  CREATE TRIGGER audit_is_kept BEFORE DELETE ON audit FOR EACH ROW EXECUTE FUNCTION refuse_early_end();
  CREATE TRIGGER audit_stays BEFORE TRUNCATE ON audit EXECUTE FUNCTION refuse('audit rows are never deleted before their time');
  CREATE TRIGGER audit_is_about_now BEFORE INSERT ON audit FOR EACH ROW
    WHEN (abs(NEW.at - clock()) > 60000) EXECUTE FUNCTION refuse('the audit is about now');
  CREATE TRIGGER token_is_signed_in_now BEFORE INSERT ON token FOR EACH ROW
    WHEN (NEW.signed_in_at > clock() + 60000) EXECUTE FUNCTION refuse('a sign-in is not to come');
  CREATE TRIGGER token_stays_revoked BEFORE UPDATE OF revoked_at ON token FOR EACH ROW
    WHEN (OLD.revoked_at <> 0 OR NEW.revoked_at = 0) EXECUTE FUNCTION refuse('a token stays revoked');

  -- Has the runner record what serving changes, and nothing in the name of an administrator, who is "ada@relay-1".
  CREATE FUNCTION refuse_other_actor() RETURNS trigger LANGUAGE plpgsql ${ownPath} AS $$
  BEGIN
    IF pg_has_role((SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'USAGE') THEN RETURN NEW; END IF;
    IF NEW.actor LIKE '%@%' OR NOT (CASE
      WHEN NEW.result IN ('joined', 'join-confirmed-by-invite', 'join-confirmed-by-sign-in', 'token-revoked') THEN true
      WHEN NEW.result ~ '^agent-role-set [a-z0-9-]{1,40}$' THEN coalesce(NEW.actor = 'sign-in', false)
      WHEN NEW.result = 'audit-dropped' THEN coalesce(NEW.actor = 'retention', false)
      ELSE NEW.result ~ '^report-read-\\d{4}-\\d\\d$'
    END) THEN
      RAISE EXCEPTION 'permission denied: only the owner does this';
    END IF;
    RETURN NEW;
  END $$;
  CREATE TRIGGER audit_has_its_actor BEFORE INSERT ON audit FOR EACH ROW
    WHEN (NEW.kind = 'admin' OR NEW.actor IS NOT NULL) EXECUTE FUNCTION refuse_other_actor();

  -- With the owner's right, since the runner reads no row. Of a whole month alone: of a shorter time it would tell single calls.
  CREATE FUNCTION count_month(month text)
    RETURNS TABLE (part text, name text, last4 text, ${tallies.map((name) => `"${name}" bigint`).join(', ')})
    LANGUAGE sql STABLE SECURITY DEFINER ${ownPath} AS $$ ${countMonthSql(
      `extract(epoch FROM to_date(month, 'YYYY-MM'))::bigint * 1000`,
      `extract(epoch FROM to_date(month, 'YYYY-MM') + interval '1 month')::bigint * 1000`,
    )} $$;
  CREATE FUNCTION delete_old_audit() RETURNS SETOF integer
    LANGUAGE sql SECURITY DEFINER ${ownPath} AS $$ ${deleteOldAudit} $$;
  CREATE FUNCTION audit_in_doubt() RETURNS boolean
    LANGUAGE sql SECURITY DEFINER ${ownPath} AS $$ ${auditInDoubt} $$;
  REVOKE EXECUTE ON FUNCTION count_month(text), delete_old_audit(), audit_in_doubt() FROM PUBLIC;
`;

/**
 * Creates each version of the schema from the previous one, starting from nothing. Released versions never change: a new version is
 * appended to both lists.
 */
export const schemas: Readonly<Record<'sqlite' | 'postgres', readonly string[]>> = {
  sqlite: [inSqlite(tables) + sqliteOnly],
  postgres: [tables + postgresOnly],
};
export const schemaVersion = schemas.postgres.length;

export const newerThan = (version: number): string =>
  `The database has schema ${String(version)}; this relay knows ${String(schemaVersion)}.`;

/** Returns the statements that let a role only serve. It may neither read nor change the audit. */
export function grantsTo(role: string): string {
  const runner = `"${role.replaceAll('"', '""')}"`;
  return `
    GRANT USAGE ON SCHEMA relay TO ${runner};
    GRANT SELECT ON schema_version, connection, connection_key, role, agent, team_settings, audit_kept TO ${runner};
    GRANT UPDATE (role) ON agent TO ${runner};
    GRANT SELECT, INSERT ON secret TO ${runner};
    GRANT SELECT, INSERT, UPDATE (expires_at, revoked_at) ON token TO ${runner};
    GRANT SELECT, UPDATE ON pace TO ${runner};
    GRANT SELECT, INSERT, UPDATE ON pace_agent, day_calls TO ${runner};
    GRANT SELECT, INSERT, UPDATE, DELETE ON cached_reply, lease, pending_join, join_code TO ${runner};
    -- UPDATE of a column that never changes is what a row lock asks for.
    GRANT SELECT, DELETE, UPDATE (id) ON invite TO ${runner};
    GRANT INSERT (at, kind, result, call_id, agent, token, connection, call, code_hmac, code_last4, actor) ON audit TO ${runner};
    GRANT EXECUTE ON FUNCTION count_month(text), delete_old_audit(), audit_in_doubt() TO ${runner};
  `;
}
