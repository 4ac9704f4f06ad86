import fc from 'fast-check';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { afterCall, decidePassage } from '#relay/rules/breaker';
import { activeAgentMs, decideSlot } from '#relay/rules/pace';
import { createTestDatabase } from '#tests/relay/support/postgres';

let client: Client;
beforeAll(async () => {
  const database = await createTestDatabase();
  client = new Client(database.superuser);
  await client.connect();
  await client.query(`
    SET search_path = relay;
    CREATE TABLE public.test_clock (now double precision NOT NULL);
    INSERT INTO public.test_clock VALUES (0);
    GRANT SELECT ON public.test_clock TO PUBLIC;
    CREATE OR REPLACE FUNCTION relay.clock() RETURNS double precision LANGUAGE sql VOLATILE AS
      'SELECT now FROM public.test_clock';
    INSERT INTO connection VALUES ('shop', 'Shop', 'https://shop.test', 'parameter', 'form', 60, 60000, false);
    INSERT INTO pace VALUES ('shop');
  `);
});
afterAll(() => client.end());

const now = 1_780_000_000_000;
/** Moments about now, whole and not, and those that a clock turned back leaves behind. */
const moment = fc.oneof(
  fc.constant(0),
  fc.constant(now),
  fc.integer({ min: now - 120_000, max: now + 120_000 }),
  fc.double({ min: now - 20_000, max: now + 20_000, noNaN: true }),
  fc.double({ min: now, max: now + 1e9, noNaN: true }),
);
const limit = fc.record({
  limit: fc.oneof(fc.integer({ min: 2, max: 30 }), fc.integer({ min: 2, max: 100_000 })),
  windowMs: fc.integer({ min: 1, max: 86_400 }).map((seconds) => seconds * 1000),
  deadlineMs: fc.constantFrom(1_000, 2_000, 5_000),
});
const state = fc.record({ tat: moment, bulkTat: moment, agentTat: moment, heldUntil: moment });

test('the function of the database decides as rules/pace.ts does', async () => {
  const request = fc.record({ bulk: fc.boolean(), activeAgents: fc.integer({ min: 1, max: 500 }) });
  await fc.assert(
    fc.asyncProperty(limit, state, request, async (rule, stored, asked) => {
      const { rows } = await client.query<Record<string, unknown>>(
        `SELECT granted, at, because, tat, bulk_tat AS "bulkTat", agent_tat AS "agentTat", held_until AS "heldUntil"
           FROM decide_slot($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
        [
          rule.limit,
          rule.windowMs,
          rule.deadlineMs,
          stored.tat,
          stored.bulkTat,
          stored.agentTat,
          stored.heldUntil,
          asked.bulk,
          asked.activeAgents,
          now,
        ],
      );
      const decision = decideSlot(rule, stored, asked, now);
      const { state: next, ...answer } = { state: {}, ...decision };
      expect(rows[0]).toMatchObject({ ...answer, ...next });
    }),
    { numRuns: 1_000 },
  );
});

test('with stored rows, other agents and the breaker it decides as the rules do', async () => {
  const breaker = fc.record({
    failures: fc.integer({ min: 0, max: 7 }),
    openUntil: moment,
    probeUntil: moment,
  });
  const others = fc.array(moment, { maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(
      limit,
      state,
      breaker,
      others,
      fc.boolean(),
      async (rule, stored, health, seen, bulk) => {
        await client.query('UPDATE public.test_clock SET now = $1', [now]);
        await client.query('DELETE FROM lease');
        await client.query('DELETE FROM pace_agent');
        await client.query(
          'UPDATE pace SET tat = $1, bulk_tat = $2, held_until = $3, failures = $4, open_until = $5, probe_until = $6',
          [
            stored.tat,
            stored.bulkTat,
            stored.heldUntil,
            health.failures,
            health.openUntil,
            health.probeUntil,
          ],
        );
        const agents = ['ada', ...seen.map((_, n) => `other-${String(n)}`)];
        await client.query(
          `INSERT INTO pace_agent SELECT 'shop', agent, $2, at FROM unnest ($1::text[], $3::float8[]) AS known (agent, at)`,
          [agents, stored.agentTat, [0, ...seen]],
        );
        const request = {
          agent: 'ada',
          bulk,
          subject: { connection: 'shop', agent: 'ada' },
          lease: { key: 'k', holder: 'one', forMs: 1_000 },
        };
        const { rows } = await client.query<Record<string, unknown>>(
          'SELECT granted, because, at FROM take_slots($1, $2, $3, $4, $5)',
          ['shop', rule.limit, rule.windowMs, rule.deadlineMs, JSON.stringify([request])],
        );
        const passage = decidePassage({ ...stored, ...health }, now);
        if (!passage.passes) {
          expect(rows[0]).toEqual({ granted: false, because: 'upstream-paused', at: passage.at });
          return;
        }
        const activeAgents = 1 + seen.filter((at) => at > now - activeAgentMs).length;
        const decision = decideSlot(rule, stored, { bulk, activeAgents }, now);
        const after = await client.query<Record<string, unknown>>(
          `SELECT pace.tat, bulk_tat AS "bulkTat", held_until AS "heldUntil", probe_until AS "probeUntil",
           pace_agent.tat AS "agentTat" FROM pace JOIN pace_agent USING (connection) WHERE agent = 'ada'`,
        );
        if (!decision.granted) {
          expect(rows[0]).toEqual(decision);
          expect(after.rows[0]).toEqual({ ...stored, probeUntil: health.probeUntil });
          return;
        }
        expect(rows[0]).toMatchObject({ granted: true });
        expect(after.rows[0]).toEqual({ ...decision.state, probeUntil: passage.state.probeUntil });
      },
    ),
    { numRuns: 200 },
  );
});

test('a call’s end changes the breaker as rules/breaker.ts says', async () => {
  const before = fc.record({
    failures: fc.integer({ min: 0, max: 7 }),
    openUntil: moment,
    probeUntil: moment,
  });
  await fc.assert(
    fc.asyncProperty(before, fc.constantFrom('up', 'down'), async (health, result) => {
      await client.query('UPDATE public.test_clock SET now = $1', [now]);
      await client.query('UPDATE pace SET failures = $1, open_until = $2, probe_until = $3', [
        health.failures,
        health.openUntil,
        health.probeUntil,
      ]);
      await client.query("SELECT note_health('shop', $1, NULL)", [result]);
      const { rows } = await client.query<Record<string, unknown>>(
        'SELECT failures, open_until AS "openUntil", probe_until AS "probeUntil" FROM pace',
      );
      expect(rows[0]).toEqual(afterCall(health, result, now));
    }),
    { numRuns: 100 },
  );
});
