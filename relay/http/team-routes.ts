import { type Context, Hono } from 'hono';

import { accountPlaceOf } from '#core/marketplaces/marketplace-id';
import { parseJson } from '#core/text/json';
import { type Calls, mayAsk } from '#relay/calls/answer-call';
import { type RelayEnvironment, readBody, refuseBody } from '#relay/http/messages';
import { challengeOf, parseCode, newToken } from '#relay/join/credentials';
import type { JoinParts } from '#relay/join/join-routes';
import { readReport, reportJson } from '#relay/admin/report';
import { isMonth, monthAt } from '#relay/rules/audit-month';
import { browserNameOf } from '#relay/rules/browser-name';
import type { FailureKind } from '#relay/rules/failure';
import type { KnownToken } from '#relay/store/records';

type C = Context<RelayEnvironment>;

const maxBodyBytes = 4096;

/** Creates what Counterfoil asks of the relay beside the seller calls, below `/relay/v1`: its token, the team's settings and, for a role that sees it, the report of a month. */
export function createTeamRoutes(
  parts: JoinParts,
  calls: Calls,
  refuse: (c: C, kind: FailureKind) => Response,
): Hono<RelayEnvironment> {
  const { store, clocks, observer } = parts;
  const app = new Hono<RelayEnvironment>();
  app.use(async (c, next) => {
    await next();
    c.header('Cache-Control', 'no-store');
    c.header('X-Content-Type-Options', 'nosniff');
  });

  app.post('/token', async (c) => {
    const body = await readBody(c.env.incoming, maxBodyBytes);
    if (!body.ok) return refuseBody(body.fault, () => refuse(c, 'request-too-large'));
    const { code, verifier } = readTokenRequest(body.value.toString());
    const parsed = parseCode(code);
    const challenge = challengeOf(verifier);
    if (parsed === undefined || challenge === undefined) return refuse(c, 'code-unknown');
    const token = newToken(clocks.now());
    const browser = browserNameOf(c.req.header('user-agent') ?? '');
    const agent = await store.redeemCode(parsed, challenge, token.record, browser);
    if (agent === undefined) return refuse(c, 'code-unknown');
    observer.join('joined', agent.id);
    const { email, role } = agent;
    const connections = (await store.connections()).filter((one) => mayAsk(agent.role, one));
    return c.json({
      token: token.text,
      expires_at: new Date(token.record.expiresAt).toISOString(),
      agent: { email, role },
      connections: connections.map((one) => ({
        id: one.id,
        name: one.name,
        ...accountPlaceOf(one),
      })),
    });
  });

  app.delete('/token', (c) =>
    withToken(c, async ({ id, agent }) => {
      await store.revokeToken(id);
      observer.join('left', agent);
      return c.body(null, 204);
    }),
  );

  app.get('/settings', (c) =>
    withToken(c, async () => {
      const found = await store.findSettings();
      if (found === undefined) return c.json({ settings: null });
      const { payload, signature, key } = found;
      return c.json({ settings: { payload, signature, key } });
    }),
  );
  app.get('/report', (c) =>
    withToken(c, async ({ id, agent, role }) => {
      if (!role.sees.includes('report')) return refuse(c, 'not-for-role');
      const month = c.req.query('month') ?? '';
      if (!isMonth(month) || month > monthAt(clocks.now())) return refuse(c, 'no-such-month');
      const report = await readReport({ store, now: clocks.now }, month, { agent, token: id });
      return c.json({ report: reportJson(report) });
    }),
  );
  return app;

  async function withToken(
    c: C,
    next: (token: KnownToken) => Promise<Response>,
  ): Promise<Response> {
    const token = await calls.authorize(c.req.header('authorization'));
    return token.ok ? next(token.value) : refuse(c, token.fault.kind);
  }
}

/** Reads the body of a request for a token; empty texts where it is none. */
function readTokenRequest(body: string): { readonly code: string; readonly verifier: string } {
  const json = parseJson(body);
  const { code, code_verifier: verifier } = (
    typeof json === 'object' && json !== null ? json : {}
  ) as Readonly<Record<string, unknown>>;
  return {
    code: typeof code === 'string' ? code : '',
    verifier: typeof verifier === 'string' ? verifier : '',
  };
}
