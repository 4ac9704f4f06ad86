/**
 * Creates the functions that write for a group of calls what was decided about them in the relay, where the rules are. Rows are locked
 * in the order of their keys, so that groups never wait in a ring.
 */
export const callFunctions = `
  -- Writes the slots that were granted on a state of the pace, with their leases and intents; false when the state has changed since.
  -- version: that of the state's row. agents and what follows: of each agent who was granted one; counts: how many today, null where no
  -- quota counts them. keys and what follows: the leases. intents: audit rows, each an AuditSubject with kind and result.
  CREATE FUNCTION grant_slots(
    connection_id text, version text, moment double precision, next_tat double precision, next_bulk_tat double precision,
    next_held_until double precision, next_taken text, next_probe_until double precision,
    agents text[], tats double precision[], today bigint, counts bigint[],
    keys text[], holders text[], ends double precision[], intents jsonb
  ) RETURNS boolean LANGUAGE plpgsql AS $$
  DECLARE
    counted constant text[] := ARRAY(SELECT agent FROM unnest(agents, counts) AS asked (agent, count) WHERE count IS NOT NULL);
  BEGIN
    IF cardinality(counted) > 0 THEN
      -- Two connections may be asked at once: the later finds that the count has changed.
      INSERT INTO day_calls SELECT agent, today, 0 FROM unnest(counted) AS asked (agent) ORDER BY agent ON CONFLICT DO NOTHING;
      PERFORM 1 FROM day_calls WHERE agent = ANY (counted) ORDER BY agent FOR UPDATE;
      IF EXISTS (
        SELECT 1 FROM unnest(agents, counts) AS asked (agent, count) JOIN day_calls USING (agent)
          WHERE day = today AND calls >= count
      ) THEN
        RETURN false;
      END IF;
    END IF;
    UPDATE pace SET tat = next_tat, bulk_tat = next_bulk_tat, held_until = next_held_until, taken = next_taken,
      probe_until = next_probe_until WHERE connection = connection_id AND xmin::text = version;
    IF NOT FOUND THEN RETURN false; END IF;
    UPDATE day_calls SET day = today, calls = asked.count
      FROM unnest(agents, counts) AS asked (agent, count) WHERE day_calls.agent = asked.agent AND asked.count IS NOT NULL;
    INSERT INTO pace_agent AS known SELECT connection_id, *, moment FROM unnest(agents, tats)
      ON CONFLICT (connection, agent) DO UPDATE SET tat = excluded.tat, last_at = excluded.last_at;
    -- In the order of the keys, as whoever ends leases.
    INSERT INTO lease AS known SELECT * FROM unnest(keys, holders, ends) AS taken (key, holder, ends_at) ORDER BY taken.key
      ON CONFLICT (key) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at;
    PERFORM write_audit(clock(), intents);
    RETURN true;
  END $$;

  -- Ends calls of a group: their leases, the cached replies, and the tokens, whose rows stay locked to the end of the transaction.
  -- Returns the tokens that hold; of the others, replies are recorded as withheld. Returns the connections that count failures too.
  -- entries: audit rows, each an AuditSubject with kind and result. tokens: those of the replies.
  -- leases: keys to end, held by one of holders. cached_keys and what follows: a reply for each, of different keys.
  -- expired: how many expired replies are removed at most.
  CREATE FUNCTION end_calls(
    entries jsonb, tokens text[], connections text[], leases text[], holders text[],
    cached_keys text[], cached_for text[], stored_at bigint[], kept_until bigint[], bodies bytea[], expired integer,
    OUT holding text[], OUT failing text[]
  ) LANGUAGE plpgsql AS $$
  DECLARE
    moment double precision := clock();
    setting text;
  BEGIN
    -- The commit lets go of the tokens without waiting for the disk; the next one that does wait takes it along.
    setting := set_config('synchronous_commit', 'off', true);
    holding := '{}';
    failing := ARRAY(
      SELECT connection FROM pace WHERE connection = ANY (connections) AND (failures <> 0 OR open_until <> 0 OR probe_until <> 0)
    );
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
  END $$;
`;
