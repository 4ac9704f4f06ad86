/**
 * Creates the functions of the pace. They say in SQL what `rules/pace.ts` and `rules/breaker.ts` say: were the rule asked in the
 * relay, the row would stay locked for two journeys over the network, and for as long as a process stands still between them.
 * A property test holds both to the same decisions.
 */
export const paceFunctions = `
  CREATE FUNCTION decide_slot(
    request_limit double precision, window_ms double precision, deadline_ms double precision,
    INOUT tat double precision, INOUT bulk_tat double precision, INOUT agent_tat double precision,
    INOUT held_until double precision,
    bulk boolean, active_agents double precision, moment double precision,
    OUT granted boolean, OUT at double precision, OUT because text
  ) LANGUAGE plpgsql IMMUTABLE AS $$
  DECLARE
    bulk_stretch constant double precision := 1.5;
    burst double precision := least(request_limit - 1, greatest(2, floor(request_limit / 6)));
    step_ms double precision := ceil((window_ms + deadline_ms) / (request_limit - burst));
    share double precision := greatest(1, floor(burst / active_agents));
    agent_step double precision := step_ms * active_agents;
  BEGIN
    granted := false;
    IF held_until > moment THEN
      at := held_until;
      because := 'held';
      RETURN;
    END IF;
    -- A clock that was turned back blocks nobody for long.
    tat := least(tat, moment + burst * step_ms);
    bulk_tat := least(bulk_tat, moment + bulk_stretch * step_ms);
    IF bulk THEN
      at := greatest(tat, bulk_tat);
    ELSE
      at := greatest(tat - (burst - 1) * step_ms, least(agent_tat - (share - 1) * agent_step, tat));
    END IF;
    IF at > moment THEN
      because := 'pace';
      RETURN;
    END IF;
    granted := true;
    held_until := 0;
    tat := greatest(moment, tat) + step_ms;
    IF bulk THEN
      bulk_tat := greatest(moment, bulk_tat) + step_ms * bulk_stretch;
    ELSE
      agent_tat := greatest(moment, agent_tat) + agent_step;
    END IF;
  END $$;

  -- Decides on requests of one connection, in their order. Grants come with their intents; if there is none, nothing is written.
  CREATE FUNCTION take_slots(
    connection_id text, request_limit double precision, window_ms double precision,
    deadline_ms double precision, requests jsonb
  ) RETURNS TABLE (granted boolean, at double precision, because text) LANGUAGE plpgsql AS $$
  DECLARE
    active_ms constant double precision := 10000;
    probe_ms constant double precision := 15000;
    failures_to_open constant integer := 5;
    state pace%ROWTYPE;
    request record;
    decision record;
    moment double precision;
    stored_tat double precision;
    others double precision;
    intents jsonb := '[]';
  BEGIN
    SELECT * INTO state FROM pace WHERE pace.connection = connection_id FOR UPDATE;
    IF NOT FOUND THEN
      RAISE foreign_key_violation USING MESSAGE = 'there is no such connection';
    END IF;
    PERFORM 1 FROM lease
      WHERE lease.key = ANY (ARRAY(SELECT value -> 'lease' ->> 'key' FROM jsonb_array_elements(requests)))
      ORDER BY lease.key FOR UPDATE;
    -- All locks are held now.
    moment := clock();
    FOR request IN
      SELECT value ->> 'agent' AS agent, (value ->> 'bulk')::boolean AS bulk, value -> 'subject' AS subject,
        value -> 'lease' ->> 'key' AS lease_key, value -> 'lease' ->> 'holder' AS holder,
        (value -> 'lease' ->> 'forMs')::double precision AS for_ms,
        (value ->> 'unlessCached')::boolean AS unless_cached
      FROM jsonb_array_elements(requests)
    LOOP
      granted := false;
      SELECT lease.expires_at INTO at FROM lease
        WHERE lease.key = request.lease_key AND lease.holder <> request.holder AND lease.expires_at > moment;
      IF FOUND THEN
        because := 'leased';
        RETURN NEXT;
        CONTINUE;
      END IF;
      -- The lease's end and the reply were committed together, so that who no longer finds the one finds the other.
      IF request.unless_cached AND EXISTS (
        SELECT 1 FROM cached_reply WHERE cached_reply.key = request.lease_key AND cached_reply.expires_at > moment
      ) THEN
        at := moment;
        because := 'leased';
        RETURN NEXT;
        CONTINUE;
      END IF;
      IF state.failures >= failures_to_open AND greatest(state.open_until, state.probe_until) > moment THEN
        at := greatest(state.open_until, state.probe_until);
        because := 'upstream-paused';
        RETURN NEXT;
        CONTINUE;
      END IF;
      SELECT max(tat) FILTER (WHERE agent = request.agent),
          count(*) FILTER (WHERE agent <> request.agent AND last_at > moment - active_ms)
        INTO stored_tat, others FROM pace_agent WHERE connection = connection_id;
      SELECT * INTO decision FROM decide_slot(
        request_limit, window_ms, deadline_ms, state.tat, state.bulk_tat, coalesce(stored_tat, 0),
        state.held_until, request.bulk, others + 1, moment
      );
      granted := decision.granted;
      at := decision.at;
      because := decision.because;
      IF granted THEN
        state.tat := decision.tat;
        state.bulk_tat := decision.bulk_tat;
        state.held_until := decision.held_until;
        IF state.failures >= failures_to_open THEN state.probe_until := moment + probe_ms; END IF;
        INSERT INTO pace_agent AS known VALUES (connection_id, request.agent, decision.agent_tat, moment)
          ON CONFLICT (connection, agent) DO UPDATE SET tat = excluded.tat, last_at = excluded.last_at;
        INSERT INTO lease AS known VALUES (request.lease_key, request.holder, moment + request.for_ms)
          ON CONFLICT (key) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at;
        intents := intents || jsonb_build_array(request.subject || jsonb_build_object(
          'kind', 'intent', 'result', CASE WHEN request.bulk THEN 'bulk' ELSE 'interactive' END));
      END IF;
      RETURN NEXT;
    END LOOP;
    IF intents = '[]' THEN
      -- The lock alone would cost a flush of the log.
      PERFORM set_config('synchronous_commit', 'off', true);
      RETURN;
    END IF;
    UPDATE pace SET tat = state.tat, bulk_tat = state.bulk_tat, held_until = state.held_until,
      probe_until = state.probe_until WHERE pace.connection = connection_id;
    PERFORM write_audit(moment, intents);
  END $$;
`;
