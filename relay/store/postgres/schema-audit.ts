import { countMonthSql } from '#relay/store/month-count';

/** Creates the audit: a table for each month, so that a month can be dropped whole. */
export const auditTables = `
  CREATE SEQUENCE audit_id;
  CREATE TABLE audit (
    id bigint NOT NULL DEFAULT nextval('relay.audit_id'),
    at bigint NOT NULL,
    kind text NOT NULL CHECK (kind IN ('intent', 'outcome', 'reply', 'admin')),
    result text NOT NULL,
    call_id text, agent text, token text, connection text, call text, code_hmac text, code_last4 text
  ) PARTITION BY RANGE (at);
  CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'audit rows are neither changed nor deleted'; END $$;
  CREATE TRIGGER audit_is_final BEFORE UPDATE OR DELETE ON audit
    FOR EACH ROW EXECUTE FUNCTION refuse_change();
`;

/** Adds who acted to the audit. */
export const auditActor = `
  ALTER TABLE audit ADD COLUMN actor text;
  CREATE OR REPLACE FUNCTION write_audit(moment double precision, entries jsonb) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    IF audit_month_is_missing(moment) THEN PERFORM ensure_audit_month(moment); END IF;
    INSERT INTO audit (at, kind, result, call_id, agent, token, connection, call, code_hmac, code_last4, actor)
    SELECT floor(moment), kind, result, "callId", agent, token, connection, call, "codeHmac", "codeLast4", actor
    FROM jsonb_to_recordset(entries) AS entry (
      kind text, result text, "callId" text, agent text, token text, connection text, call text,
      "codeHmac" text, "codeLast4" text, actor text
    );
  END $$;
`;

/** Has the runner record what serving changes, and nothing in the name of an administrator. */
const auditActors = `
  CREATE FUNCTION refuse_other_actor() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF pg_has_role((SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'USAGE') THEN RETURN NEW; END IF;
    -- An administrator has an account and a host, "ada@relay-1".
    IF NEW.actor LIKE '%@%' OR NOT (CASE
      WHEN NEW.result IN ('joined', 'join-confirmed-by-invite', 'join-confirmed-by-sign-in', 'token-revoked') THEN true
      WHEN NEW.result = 'agent-role-set' THEN coalesce(NEW.actor = 'sign-in', false)
      WHEN NEW.result LIKE 'audit-dropped-%' THEN coalesce(NEW.actor = 'retention', false)
      ELSE NEW.result ~ '^report-read-\\d{4}-\\d\\d$'
    END) THEN
      RAISE EXCEPTION 'permission denied: only the owner does this';
    END IF;
    RETURN NEW;
  END $$;
  CREATE TRIGGER audit_has_its_actor BEFORE INSERT ON audit FOR EACH ROW
    WHEN (NEW.kind = 'admin') EXECUTE FUNCTION refuse_other_actor();
`;

/** Lets the runner count the checks of a month, and still not read one. A new step that creates it again may have another statement. */
export const auditCount = `${auditActors}
  CREATE OR REPLACE FUNCTION count_month(month text)
    RETURNS TABLE (part text, name text, last4 text, checks bigint, found bigint, not_found bigint, other_answer bigint,
      no_answer bigint, agents bigint)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = relay, pg_temp AS
    -- Of a whole month alone: of a shorter time it would tell single calls.
    $$ ${countMonthSql(`(
      SELECT * FROM audit WHERE at >= extract(epoch FROM to_date(month, 'YYYY-MM')) * 1000
        AND at < extract(epoch FROM to_date(month, 'YYYY-MM') + interval '1 month') * 1000
    ) AS rows`)} $$;
  REVOKE EXECUTE ON FUNCTION count_month(text) FROM PUBLIC;
`;

/** Lets the runner drop the months that the owner does not keep, and no other. */
export const auditRetention = `
  CREATE TABLE kept_audit (only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row), months integer NOT NULL);
  CREATE FUNCTION drop_old_audit() RETURNS text[]
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = relay, pg_temp SET lock_timeout = '100ms' AS $$
  DECLARE
    first text;
    old text[];
  BEGIN
    SELECT to_char(date_trunc('month', to_timestamp(clock() / 1000) AT TIME ZONE 'UTC') - make_interval(months => months),
      '"audit_"YYYY_MM') INTO first FROM kept_audit;
    SELECT array_agg(relname::text ORDER BY relname) INTO old FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
      WHERE inhparent = 'audit'::regclass AND relname < first;
    IF old IS NULL THEN RETURN '{}'; END IF;
    EXECUTE 'DROP TABLE ' || array_to_string(old, ', ');
    RETURN old;
  END $$;
  REVOKE EXECUTE ON FUNCTION drop_old_audit() FROM PUBLIC;
`;

/** Creates the functions that write to the audit. The month's table is made with the owner's right, which the runner has not. */
export const auditFunctions = `
  CREATE FUNCTION ensure_audit_month(moment double precision) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = relay, pg_temp AS $$
  DECLARE
    first timestamp := date_trunc('month', to_timestamp(moment / 1000) AT TIME ZONE 'UTC');
    next timestamp := first + interval '1 month';
    month text := 'audit_' || to_char(first, 'YYYY_MM');
  BEGIN
    IF to_regclass('relay.' || month) IS NOT NULL THEN RETURN; END IF;
    IF abs(moment - clock()) > 86400000 THEN RAISE EXCEPTION 'the audit is about now'; END IF;
    PERFORM 1 FROM schema_version FOR UPDATE;
    IF to_regclass('relay.' || month) IS NOT NULL THEN RETURN; END IF;
    EXECUTE format('CREATE TABLE %I (LIKE audit INCLUDING DEFAULTS INCLUDING CONSTRAINTS)', month);
    -- Unlike CREATE TABLE … PARTITION OF, this stops nobody who is writing.
    EXECUTE format('ALTER TABLE audit ATTACH PARTITION %I FOR VALUES FROM (%s) TO (%s)', month,
      extract(epoch FROM first AT TIME ZONE 'UTC')::bigint * 1000,
      extract(epoch FROM next AT TIME ZONE 'UTC')::bigint * 1000);
  END $$;
  REVOKE EXECUTE ON FUNCTION ensure_audit_month(double precision) FROM PUBLIC;

  -- Spares the function above, which takes several times as long, where it has nothing to do.
  CREATE FUNCTION audit_month_is_missing(moment double precision) RETURNS boolean LANGUAGE sql STABLE AS
    $$ SELECT to_regclass(to_char(to_timestamp(moment / 1000) AT TIME ZONE 'UTC', '"relay.audit_"YYYY_MM')) IS NULL $$;

  -- Each of entries is an AuditSubject with kind and result.
  CREATE FUNCTION write_audit(moment double precision, entries jsonb) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    IF audit_month_is_missing(moment) THEN PERFORM ensure_audit_month(moment); END IF;
    INSERT INTO audit (at, kind, result, call_id, agent, token, connection, call, code_hmac, code_last4)
    SELECT floor(moment), kind, result, "callId", agent, token, connection, call, "codeHmac", "codeLast4"
    FROM jsonb_to_recordset(entries) AS entry (
      kind text, result text, "callId" text, agent text, token text, connection text, call text,
      "codeHmac" text, "codeLast4" text
    );
  END $$;
`;
