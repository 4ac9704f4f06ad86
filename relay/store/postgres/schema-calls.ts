/** Creates the functions that run after a slot was taken. Rows are locked in the order of their keys, so that groups never wait in a ring. */
export const callFunctions = `
  CREATE FUNCTION note_health(connection_id text, health text, held double precision) RETURNS void
    LANGUAGE plpgsql AS $$
  DECLARE
    failures_to_open constant integer := 5;
    open_ms constant double precision := 10000;
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

  -- bodies holds the cached replies that reports name by their place, from 1.
  CREATE FUNCTION report_calls(reports jsonb, bodies bytea[]) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    moment double precision := clock();
    report record;
    outcomes jsonb;
    -- Arrays lead to the rows by their index, however many there are.
    connections text[] := ARRAY(SELECT value -> 'subject' ->> 'connection' FROM jsonb_array_elements(reports));
    keys text[] := ARRAY(SELECT value -> 'lease' ->> 'key' FROM jsonb_array_elements(reports));
    holders text[] := ARRAY(SELECT value -> 'lease' ->> 'holder' FROM jsonb_array_elements(reports));
  BEGIN
    -- Mostly all is well before and after.
    IF EXISTS (
      SELECT 1 FROM jsonb_array_elements(reports) WHERE value ->> 'health' <> 'up' OR value -> 'heldUntil' IS NOT NULL
    ) OR EXISTS (
      SELECT 1 FROM pace WHERE connection = ANY (connections)
        AND (failures <> 0 OR open_until <> 0 OR probe_until <> 0)
    ) THEN
      FOR report IN
        SELECT value -> 'subject' ->> 'connection' AS connection, value ->> 'health' AS health,
          (value ->> 'heldUntil')::double precision AS held
        FROM jsonb_array_elements(reports) WITH ORDINALITY ORDER BY 1, ordinality
      LOOP
        PERFORM note_health(report.connection, report.health, report.held);
      END LOOP;
    END IF;
    SELECT jsonb_agg(value -> 'subject' || jsonb_build_object('kind', 'outcome', 'result', value -> 'result')
        ORDER BY ordinality)
      INTO outcomes FROM jsonb_array_elements(reports) WITH ORDINALITY;
    PERFORM write_audit(moment, outcomes);
    PERFORM 1 FROM lease WHERE key = ANY (keys) ORDER BY key FOR UPDATE;
    -- All reports of a group come from one instance, so that each of the keys was taken by each of the holders.
    DELETE FROM lease WHERE key = ANY (keys) AND holder = ANY (holders);
    IF cardinality(bodies) = 0 THEN RETURN; END IF;
    DELETE FROM cached_reply WHERE key = ANY (ARRAY(
      SELECT key FROM cached_reply WHERE expires_at <= moment ORDER BY expires_at LIMIT 100 FOR UPDATE SKIP LOCKED
    ));
    -- The administrator may have removed the connection meanwhile.
    INSERT INTO cached_reply AS known
      SELECT DISTINCT ON (cache ->> 'key') cache ->> 'key', (cache ->> 'storedAt')::bigint,
        (cache ->> 'expiresAt')::bigint, bodies[(cache ->> 'body')::integer]
      FROM jsonb_array_elements(reports) WITH ORDINALITY, LATERAL (SELECT value -> 'cache' AS cache) AS kept
      WHERE cache IS NOT NULL
        AND EXISTS (SELECT 1 FROM connection WHERE id = value -> 'subject' ->> 'connection')
      ORDER BY cache ->> 'key', ordinality DESC
      ON CONFLICT (key) DO UPDATE SET stored_at = excluded.stored_at, expires_at = excluded.expires_at,
        sealed = excluded.sealed;
  END $$;

  -- Locks the tokens until the end of the transaction, and tells for each request whether its token holds.
  CREATE FUNCTION hold_tokens(requests jsonb) RETURNS TABLE (holds boolean) LANGUAGE plpgsql AS $$
  DECLARE
    moment double precision;
    request record;
    replies jsonb := '[]';
  BEGIN
    PERFORM 1 FROM token
      WHERE id IN (SELECT value -> 'subject' ->> 'token' FROM jsonb_array_elements(requests))
      ORDER BY id FOR NO KEY UPDATE;
    moment := clock();
    FOR request IN SELECT value -> 'subject' AS subject, value -> 'result' AS result FROM jsonb_array_elements(requests)
    LOOP
      holds := EXISTS (SELECT 1 FROM token
        WHERE id = request.subject ->> 'token' AND revoked_at = 0 AND expires_at > moment);
      replies := replies || jsonb_build_array(request.subject || jsonb_build_object(
        'kind', 'reply', 'result', CASE WHEN holds THEN request.result ELSE '"withheld"' END));
      RETURN NEXT;
    END LOOP;
    PERFORM write_audit(moment, replies);
  END $$;
`;
