import { omitUndefined } from '#core/result';
import type { RawReply } from '#core/http/exchange';
import type { Fault } from '#core/marketplaces/index';

/** Used if the relay gives no time. */
const defaultWaitMs = 5000;

/** The fault if the relay, or the way to it, is down. */
export const relayOutage = {
  kind: 'relay-unavailable',
  reason: 'outage',
} as const satisfies Fault;

/**
 * Reads a failure of the team's relay; undefined for a reply that the relay passed on. Call it only for connections
 * through a relay, before any reader of the seller's replies: a 401 from the relay says nothing about the seller's key,
 * and none of its failures says anything about a code.
 *
 * An unknown failure name is read by its status. A reply that the relay neither wrote nor passed on comes from a proxy
 * and is an outage.
 * @param now epoch milliseconds
 */
export function readRelayFailure(
  { relayFailure, relayCause = '', ageMs, status, retryAt }: RawReply,
  now: number,
): Fault | undefined {
  const again = omitUndefined({ retryAt });
  const outage = { ...relayOutage, ...again };
  if (relayFailure === undefined) return ageMs === undefined ? outage : undefined;
  switch (status) {
    case 401:
      return { kind: 'relay-sign-in', reason: endings.get(relayFailure) ?? 'unknown' };
    case 400:
    case 403:
      return relayFailure === 'not-for-role'
        ? { kind: 'relay-refused', reason: 'role' }
        : { kind: 'relay-refused' };
    case 429:
      return {
        kind: 'rate-limited',
        retryAt: retryAt ?? now + defaultWaitMs,
        by: relayFailure === 'quota' ? relayFailure : 'relay',
      };
  }
  if (relayFailure === 'no-key') return { ...outage, reason: 'no-key' };
  if (!relayFailure.startsWith('upstream-')) return outage;
  if (!unreached.has(relayFailure)) return { kind: 'relay-upstream', reason: 'unusable', ...again };
  const cause = causes.get(relayCause);
  return { kind: 'relay-upstream', reason: 'unreachable', ...omitUndefined({ cause }), ...again };
}

type UnreachableCause = NonNullable<Extract<Fault, { kind: 'relay-upstream' }>['cause']>;

const endings = new Map([
  ['token-expired', 'expired'],
  ['token-revoked', 'revoked'],
] as const satisfies [string, string][]) as ReadonlyMap<string, 'expired' | 'revoked'>;

const unreached: ReadonlySet<string> = new Set([
  'upstream-unreachable',
  'upstream-timeout',
  'upstream-paused',
  'upstream-not-allowed',
]);

const causes: ReadonlyMap<string, UnreachableCause> = new Map(
  (['name', 'refused', 'certificate', 'timeout', 'broken'] as const).map((cause) => [cause, cause]),
);
