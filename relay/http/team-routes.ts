import { accountLocation } from '#core/connections/index';
import { isRecord } from '#core/record';
import { parseJson } from '#core/encoding/index';
import { type Calls, mayAsk } from '#relay/calls/answer-call';
import {
  jsonReply,
  type ReadyReply,
  readBody,
  type RelayRequest,
  type Routes,
} from '#relay/http/messages';
import { challengeOf, parseCode } from '#relay/join/credentials';
import { type FailureKind, newToken } from '#relay/rules/index';
import type { JoinParts } from '#relay/join/join-sessions';
import { readReport, reportJson } from '#relay/admin/report';
import type { Stored } from '#relay/store/index';
import { isMonth, monthAt } from '#relay/month';
import { browserNameOf } from '#relay/join/browser-name';

const maxBodyBytes = 4096;

/**
 * Creates Counterfoil's routes other than seller calls, below `/relay/v1`: the token, the team's settings and, for a role that may see it,
 * the report of a month.
 */
export function createTeamRoutes(
  parts: JoinParts,
  calls: Calls,
  refuse: (request: RelayRequest, kind: FailureKind) => ReadyReply,
): Routes {
  const { store, clocks, observer } = parts;

  async function takeToken(request: RelayRequest): Promise<ReadyReply | undefined> {
    const { incoming } = request;
    const body = await readBody(incoming, maxBodyBytes);
    if (!body.ok)
      return body.fault === 'cut-off' ? undefined : refuse(request, 'request-too-large');
    const asked = parseJson(body.value.toString());
    const { code, code_verifier: verifier } = isRecord(asked) ? asked : {};
    const parsed = typeof code === 'string' ? parseCode(code) : undefined;
    const challenge = typeof verifier === 'string' ? challengeOf(verifier) : undefined;
    if (parsed === undefined || challenge === undefined) return refuse(request, 'code-unknown');
    const token = newToken(clocks.now());
    const browser = browserNameOf(incoming.headers['user-agent'] ?? '');
    const agent = await store.redeemCode(parsed, challenge, token.record, browser);
    if (agent === undefined) return refuse(request, 'code-unknown');
    observer.join('joined', agent.id);
    const { email, role } = agent;
    const connections = (await store.connections()).filter((one) => mayAsk(agent.role, one));
    return jsonReply({
      token: token.text,
      expires_at: new Date(token.record.expiresAt).toISOString(),
      agent: { email, role },
      connections: connections.map((one) => ({
        id: one.id,
        name: one.name,
        ...accountLocation(one),
      })),
    });
  }

  async function endToken({ id, agent }: Stored<'knownToken'>): Promise<ReadyReply> {
    await store.revokeToken(id);
    observer.join('left', agent);
    return { ...jsonReply({}), status: 204, body: Buffer.alloc(0) };
  }

  async function readMonth(
    { id, agent, role }: Stored<'knownToken'>,
    request: RelayRequest,
  ): Promise<ReadyReply> {
    if (!role.maySee.includes('report')) return refuse(request, 'not-for-role');
    const month = request.query.get('month') ?? '';
    if (!isMonth(month) || month > monthAt(clocks.now())) return refuse(request, 'no-such-month');
    const report = await readReport({ store, now: clocks.now }, month, { agent, token: id });
    return jsonReply({ report: reportJson(report) });
  }

  const withToken =
    (next: (token: Stored<'knownToken'>, request: RelayRequest) => Promise<ReadyReply>) =>
    async (request: RelayRequest): Promise<ReadyReply> => {
      const authorize = () => calls.authorize(request.incoming.headers.authorization);
      const token = await authorize();
      if (!token.ok) return refuse(request, token.fault.kind);
      const reply = await next(token.value, request);
      // A report may take minutes, and a token that has ended in the meantime must not get it.
      const still = next === endToken ? token : await authorize();
      return still.ok ? reply : refuse(request, still.fault.kind);
    };

  return {
    'POST /relay/v1/token': takeToken,
    'DELETE /relay/v1/token': withToken(endToken),
    'GET /relay/v1/settings': withToken(async () => {
      const { payload, signature, key } = (await store.findSettings()) ?? {};
      return jsonReply({ settings: key === undefined ? null : { payload, signature, key } });
    }),
    'GET /relay/v1/report': withToken(readMonth),
  };
}
