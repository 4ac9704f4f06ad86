import { exchange, type ExchangeDependencies } from '#adapters/http/http-exchange';
import { type Result, fail, succeed } from '#core/result';
import type { RawReply } from '#core/http/exchange';
import {
  readRelayFailure,
  readRelayInfo,
  readTeamReport,
  type RelayInfo,
  relayOutage,
  type TeamFault,
  type TeamReport,
} from '#core/team/index';
import { isRecord } from '#core/record';
import { parseJson } from '#core/encoding/index';

/** Makes a team relay's own calls, as opposed to seller calls (`relay/README.md`). */
export interface RelayHttp {
  /** Redeems a one-time code. Faults besides the relay's: `code-refused`. */
  token(
    relay: string,
    code: string,
    verifier: string,
  ): Promise<Result<{ readonly token: string; readonly email: string }, TeamFault>>;
  /** Returns the team's signed settings, unparsed; null if there are none. */
  settings(relay: string, token: string): Promise<Result<unknown, TeamFault>>;
  /** Returns the report of the team's checks in a month, `2026-11`. Faults besides the relay's: `relay-too-old`. */
  report(relay: string, token: string, month: string): Promise<Result<TeamReport, TeamFault>>;
  revoke(relay: string, token: string): Promise<Result<unknown, TeamFault>>;
}

/** Room for the settings' text of at most 2 MiB, escaped, and the JSON around it. */
const settingsLimitBytes = 8 * 1024 * 1024;
/** Room for some thousand agents, connections and days of 150 bytes each. */
const reportLimitBytes = 1024 * 1024;

export function createRelayHttp(dependencies: ExchangeDependencies): RelayHttp {
  const call = async (
    method: 'GET' | 'POST' | 'DELETE',
    url: string,
    rest: { readonly token?: string; readonly body?: object; readonly limitBytes?: number },
  ): Promise<Result<Readonly<Record<string, unknown>>, TeamFault>> => {
    const { token, ...sent } = rest;
    const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
    const reply = await exchange({ method, url, headers, ...sent }, dependencies);
    return reply.ok ? readReply(reply.value, dependencies.now()) : reply;
  };

  return {
    async token(relay, code, verifier) {
      const body = { code, code_verifier: verifier };
      const reply = await call('POST', `${relay}/relay/v1/token`, { body });
      if (!reply.ok) return reply;
      const { token, agent } = reply.value;
      const email = isRecord(agent) ? agent['email'] : undefined;
      return typeof token === 'string' && /^cfr1_[\w-]{1,200}$/u.test(token)
        ? succeed({ token, email: typeof email === 'string' ? email : '' })
        : fail({ kind: 'no-relay' });
    },
    async settings(relay, token) {
      const limitBytes = settingsLimitBytes;
      const reply = await call('GET', `${relay}/relay/v1/settings`, { token, limitBytes });
      return reply.ok ? succeed(reply.value['settings'] ?? null) : reply;
    },
    async report(relay, token, month) {
      const limitBytes = reportLimitBytes;
      const url = `${relay}/relay/v1/report?month=${month}`;
      const reply = await call('GET', url, { token, limitBytes });
      if (!reply.ok) return reply;
      const report = readTeamReport(reply.value['report'], month);
      return report === undefined ? fail({ kind: 'no-relay' }) : succeed(report);
    },
    revoke: (relay, token) => call('DELETE', `${relay}/relay/v1/token`, { token }),
  };
}

function readReply(
  raw: RawReply,
  now: number,
): Result<Readonly<Record<string, unknown>>, TeamFault> {
  if (raw.relayFailure === 'code-unknown') return fail({ kind: 'code-refused' });
  // 404 means an unknown path or an unknown seller call.
  if (raw.relayFailure === 'not-a-seller-call') return fail({ kind: 'relay-too-old' });
  if (raw.status === 204) return succeed({});
  const body = raw.status === 200 ? parseJson(new TextDecoder().decode(raw.body)) : undefined;
  if (isRecord(body)) return succeed(body);
  // Every failure of a relay is one of these.
  return fail((readRelayFailure(raw, now) ?? relayOutage) as TeamFault);
}

/** Creates a function that asks an origin whether it is a relay, and for which team. */
export function createRelayInfo(
  dependencies: ExchangeDependencies,
): (relay: string) => Promise<Result<RelayInfo, TeamFault>> {
  return async (relay) => {
    const url = `${relay}/.well-known/counterfoil-relay`;
    const reply = await exchange({ method: 'GET', url }, dependencies);
    if (!reply.ok) return reply;
    const { status, body, relayFailure } = reply.value;
    // 429 and higher statuses come from the relay itself or a proxy in front of it.
    if (status >= 429 || relayFailure !== undefined) {
      return fail((readRelayFailure(reply.value, dependencies.now()) ?? relayOutage) as TeamFault);
    }
    const info =
      status === 200 ? readRelayInfo(parseJson(new TextDecoder().decode(body))) : undefined;
    return info === undefined ? fail({ kind: 'no-relay' }) : succeed(info);
  };
}
