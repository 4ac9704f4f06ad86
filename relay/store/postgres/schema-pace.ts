import { breakerLimits } from '#relay/rules/breaker';
import { activeAgentMs, bulkStretch } from '#relay/rules/pace';

/**
 * Creates the functions of the pace. They say in SQL what `rules/pace.ts` and `rules/breaker.ts` say: were the rule asked in the
 * relay, the row would stay locked for two round trips over the network, and for as long as a process stands still between them.
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
    bulk_stretch constant double precision := ${String(bulkStretch)};
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
  -- Each statement costs more than what it does for one request, so that each is run once for all of them.
  CREATE FUNCTION take_slots(
    connection_id text, request_limit double precision, window_ms double precision,
    deadline_ms double precision, requests jsonb
  ) RETURNS TABLE (granted boolean, at double precision, because text) LANGUAGE plpgsql AS $$
  DECLARE
    active_ms constant double precision := ${String(activeAgentMs)};
    probe_ms constant double precision := ${String(breakerLimits.probeMs)};
    failures_to_open constant integer := ${String(breakerLimits.failuresToOpen)};
    state pace%ROWTYPE;
    request record;
    decision record;
    moment double precision;
    active bigint;
    place integer;
    -- What the granted slots change: of each agent, of each lease, and an intent of each.
    agents text[] := '{}';
    agent_tats double precision[] := '{}';
    keys text[] := '{}';
    holders text[] := '{}';
    ends double precision[] := '{}';
    intents jsonb[] := '{}';
    works text[] := '{}';
  BEGIN
    SELECT * INTO state FROM pace WHERE pace.connection = connection_id FOR UPDATE;
    IF NOT FOUND THEN
      RAISE foreign_key_violation USING MESSAGE = 'there is no such connection';
    END IF;
    -- Whoever asks for a slot of this connection waits for the lock, so that nobody else changes its agents or takes a lease now.
    moment := clock();
    -- A lease ends and its reply comes in one commit, so that one statement finds either.
    FOR request IN
      SELECT asked.agent, asked.bulk, asked.subject, asked.lease ->> 'key' AS key, asked.lease ->> 'holder' AS holder,
        (asked.lease ->> 'forMs')::double precision AS for_ms, known.tat, known.last_at > moment - active_ms AS is_active,
        (SELECT count(*) FROM pace_agent WHERE connection = connection_id AND last_at > moment - active_ms) AS active,
        (SELECT lease.expires_at FROM lease WHERE lease.key = asked.lease ->> 'key'
          AND lease.holder <> asked.lease ->> 'holder' AND lease.expires_at > moment) AS leased_until,
        asked."unlessCached" AND EXISTS (SELECT 1 FROM cached_reply
          WHERE cached_reply.key = asked.lease ->> 'key' AND cached_reply.expires_at > moment) AS is_cached
      FROM jsonb_to_recordset(requests) AS asked (agent text, bulk boolean, "unlessCached" boolean, subject jsonb, lease jsonb)
      LEFT JOIN LATERAL (
        SELECT tat, last_at FROM pace_agent WHERE connection = connection_id AND pace_agent.agent = asked.agent LIMIT 1
      ) AS known ON true
    LOOP
      granted := false;
      active := coalesce(active, request.active);
      IF request.leased_until IS NOT NULL THEN
        at := request.leased_until;
        because := 'leased';
        RETURN NEXT;
        CONTINUE;
      END IF;
      IF request.is_cached THEN
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
      -- An agent who was granted a slot in this group is active.
      place := array_position(agents, request.agent);
      decision := decide_slot(
        request_limit, window_ms, deadline_ms, state.tat, state.bulk_tat, coalesce(agent_tats[place], request.tat, 0),
        state.held_until, request.bulk,
        (active + CASE WHEN place IS NOT NULL OR request.is_active THEN 0 ELSE 1 END)::double precision, moment
      );
      granted := decision.granted;
      at := decision.at;
      because := decision.because;
      IF granted THEN
        state.tat := decision.tat;
        state.bulk_tat := decision.bulk_tat;
        state.held_until := decision.held_until;
        IF state.failures >= failures_to_open THEN state.probe_until := moment + probe_ms; END IF;
        IF place IS NULL THEN
          IF request.is_active IS NOT TRUE THEN active := active + 1; END IF;
          agents := agents || request.agent;
          agent_tats := agent_tats || decision.agent_tat;
        ELSE
          agent_tats[place] := decision.agent_tat;
        END IF;
        IF request.key <> ALL (keys) THEN
          keys := keys || request.key;
          holders := holders || request.holder;
          ends := ends || (moment + request.for_ms);
        END IF;
        intents := intents || request.subject;
        works := works || CASE WHEN request.bulk THEN 'bulk' ELSE 'interactive' END;
      END IF;
      RETURN NEXT;
    END LOOP;
    IF cardinality(intents) = 0 THEN
      -- The lock alone would cost a flush of the log.
      PERFORM set_config('synchronous_commit', 'off', true);
      RETURN;
    END IF;
    UPDATE pace SET tat = state.tat, bulk_tat = state.bulk_tat, held_until = state.held_until,
      probe_until = state.probe_until WHERE pace.connection = connection_id;
    INSERT INTO pace_agent AS known SELECT connection_id, *, moment FROM unnest(agents, agent_tats)
      ON CONFLICT (connection, agent) DO UPDATE SET tat = excluded.tat, last_at = excluded.last_at;
    -- In the order of the keys, as whoever ends leases.
    INSERT INTO lease AS known SELECT * FROM unnest(keys, holders, ends) AS taken (key, holder, ends_at) ORDER BY taken.key
      ON CONFLICT (key) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at;
    IF audit_month_is_missing(moment) THEN PERFORM ensure_audit_month(moment); END IF;
    INSERT INTO audit (at, kind, result, call_id, agent, token, connection, call, code_hmac, code_last4)
      SELECT floor(moment), 'intent', work, subject ->> 'callId', subject ->> 'agent', subject ->> 'token',
        subject ->> 'connection', subject ->> 'call', subject ->> 'codeHmac', subject ->> 'codeLast4'
      FROM unnest(intents, works) AS intent (subject, work);
  END $$;
`;
