import { exchange, type ExchangeDependencies } from '#adapters/http/http-exchange';
import { type Result, fail, succeed } from '#core/result';
import { readRelayFailure, relayOutage } from '#core/marketplaces/relay-failure';
import type { TeamFault } from '#core/team/team';
import { readRelayInfo, type RelayInfo } from '#core/team/relay';
import { parseJson } from '#core/text/json';

/** Creates the question to an origin whether a relay is there, and whose. */
export function createRelayInfo(
  dependencies: ExchangeDependencies,
): (relay: string) => Promise<Result<RelayInfo, TeamFault>> {
  return async (relay) => {
    const url = `${relay}/.well-known/counterfoil-relay`;
    const reply = await exchange({ method: 'GET', url }, dependencies);
    if (!reply.ok) return reply;
    const { status, body, relayFailure } = reply.value;
    // 429 and what is above it come from the relay that is asked for, or from a proxy before it.
    if (status >= 429 || relayFailure !== undefined) {
      return fail((readRelayFailure(reply.value, dependencies.now()) ?? relayOutage) as TeamFault);
    }
    const info =
      status === 200 ? readRelayInfo(parseJson(new TextDecoder().decode(body))) : undefined;
    return info === undefined ? fail({ kind: 'no-relay' }) : succeed(info);
  };
}
