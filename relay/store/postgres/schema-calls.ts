import { breakerLimits } from '#relay/rules/breaker';

/** Creates the functions that run after a slot was taken. Rows are locked in the order of their keys, so that groups never wait in a ring. */
export const callFunctions = `
  CREATE FUNCTION note_health(connection_id text, health text, held double precision) RETURNS void
    LANGUAGE plpgsql AS $$
  DECLARE
    failures_to_open constant integer := ${String(breakerLimits.failuresToOpen)};
    open_ms constant double precision := ${String(breakerLimits.openMs)};
  BEGIN
    -- Where nothing changes, no row is locked.
    IF health = 'up' THEN
      UPDATE pace SET failures = 0, open_until = 0, probe_until = 0
        WHERE connection = connection_id AND (failures <> 0 OR open_until <> 0 OR probe_until <> 0);
    ELSIF health = 'down' THEN
      UPDATE pace SET failures = failures + 1, probe_until = 0,
          open_until = CASE WHEN failures + 1 >= failures_to_open THEN clock() + open_ms ELSE 0 END
        WHERE connection = connection_id;
    ELSE
      UPDATE pace SET probe_until = 0 WHERE connection = connection_id AND probe_until <> 0;
    END IF;
    UPDATE pace SET held_until = held WHERE connection = connection_id AND held_until < held;
  END $$;

  -- Ends calls of a group: their leases, what their replies say of the upstreams, the cached replies, and the tokens, whose rows
  -- stay locked to the end of the transaction. Returns those that hold; of the others, replies are recorded as withheld.
  -- entries: audit rows, each an AuditSubject with kind and result. tokens: those of the replies.
  -- health: null where all connections are up, else an array of connection, health and heldUntil.
  -- leases: keys to end, held by one of holders. cached_keys and what follows: a reply for each, of different keys.
  -- expired: how many expired replies are removed at most.
  CREATE FUNCTION end_calls(
    entries jsonb, tokens text[], connections text[], health jsonb, leases text[], holders text[],
    cached_keys text[], cached_for text[], stored_at bigint[], kept_until bigint[], bodies bytea[], expired integer
  ) RETURNS text[] LANGUAGE plpgsql AS $$
  DECLARE
    moment double precision := clock();
    report record;
    holding text[] := '{}';
    setting text;
  BEGIN
    -- The commit lets go of the tokens without waiting for the disk; the next one that does wait takes it along.
    setting := set_config('synchronous_commit', 'off', true);
    IF health IS NULL AND EXISTS (
      SELECT 1 FROM pace WHERE pace.connection = ANY (connections) AND (failures <> 0 OR open_until <> 0 OR probe_until <> 0)
    ) THEN
      SELECT jsonb_agg(jsonb_build_object('connection', id, 'health', 'up')) INTO health FROM unnest(connections) AS up (id);
    END IF;
    IF health IS NOT NULL THEN
      FOR report IN
        SELECT value ->> 'connection' AS connection, value ->> 'health' AS health,
          (value ->> 'heldUntil')::double precision AS held
        FROM jsonb_array_elements(health) WITH ORDINALITY ORDER BY 1, ordinality
      LOOP
        PERFORM note_health(report.connection, report.health, report.held);
      END LOOP;
    END IF;
    IF cardinality(leases) > 1 THEN PERFORM 1 FROM lease WHERE key = ANY (leases) ORDER BY key FOR UPDATE; END IF;
    -- All leases of a group were taken by one instance, so that each of the keys was taken by each of the holders.
    IF cardinality(leases) > 0 THEN DELETE FROM lease WHERE key = ANY (leases) AND holder = ANY (holders); END IF;
    IF expired > 0 THEN
      DELETE FROM cached_reply WHERE key = ANY (ARRAY(
        -- A bigint, so that the index leads to them.
        SELECT key FROM cached_reply WHERE expires_at <= moment::bigint ORDER BY expires_at LIMIT expired FOR UPDATE SKIP LOCKED
      ));
    END IF;
    IF cardinality(cached_keys) > 0 THEN
      -- The administrator may have removed the connection meanwhile.
      INSERT INTO cached_reply AS known SELECT reply.key, reply.stored, reply.kept, reply.body
        FROM unnest(cached_keys, cached_for, stored_at, kept_until, bodies) AS reply (key, connection, stored, kept, body)
        WHERE EXISTS (SELECT 1 FROM connection WHERE id = reply.connection)
        ORDER BY reply.key
        ON CONFLICT (key) DO UPDATE SET stored_at = excluded.stored_at, expires_at = excluded.expires_at,
          sealed = excluded.sealed;
    END IF;
    IF cardinality(tokens) > 0 THEN
      -- The clock is read after each lock.
      SELECT coalesce(array_agg(id), '{}') INTO holding FROM (
        SELECT id, revoked_at, expires_at FROM token WHERE id = ANY (tokens) ORDER BY id FOR NO KEY UPDATE
      ) AS locked WHERE revoked_at = 0 AND expires_at > clock();
      moment := clock();
    END IF;
    IF audit_month_is_missing(moment) THEN PERFORM ensure_audit_month(moment); END IF;
    INSERT INTO audit (at, kind, result, call_id, agent, token, connection, call, code_hmac, code_last4)
      SELECT floor(moment), kind, CASE WHEN kind = 'reply' AND token <> ALL (holding) THEN 'withheld' ELSE result END,
        "callId", agent, token, connection, call, "codeHmac", "codeLast4"
      FROM jsonb_to_recordset(entries) AS entry (
        kind text, result text, "callId" text, agent text, token text, connection text, call text,
        "codeHmac" text, "codeLast4" text
      );
    RETURN holding;
  END $$;
`;
