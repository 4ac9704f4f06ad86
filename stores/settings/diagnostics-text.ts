import type { Dialect, SecretState } from '#core/connections/index';
import type { Fault } from '#core/marketplaces/index';

/** The content of diagnostics. It contains no code, key, name or address. */
export interface DiagnosticFacts {
  readonly version: string;
  readonly browser: string;
  readonly secrets: SecretState;
  readonly connections: readonly {
    readonly dialect: Dialect;
    readonly hasKey: boolean;
    readonly permitted: boolean;
    /** The result of the test on this page; absent if there was none. */
    readonly tested?: Fault | 'good';
  }[];
  readonly authorities: readonly { readonly kind: string; readonly permitted: boolean }[];
  readonly sites: readonly { readonly automatic: boolean; readonly permitted: boolean }[];
  readonly keys: readonly { readonly kind: string; readonly revoked: boolean }[];
  readonly unreadable: readonly { readonly source: string; readonly path: string }[];
  /** Whether a newer version of the program stored something. */
  readonly newer: boolean;
  /** The outcomes of the latest checks; `good` means an answer. */
  readonly checks: readonly (Fault | 'good')[];
}

/** Writes the diagnostics for a problem report: versions, states and kinds of faults. */
export function diagnosticsText(facts: DiagnosticFacts): string {
  const { secrets } = facts;
  return [
    `Counterfoil ${facts.version}`,
    `Browser: ${facts.browser}`,
    `Keys: ${secrets.mode}, ${secrets.locked ? 'locked' : 'open'}`,
    ...facts.connections.map((one, at) => `Connection ${String(at + 1)}: ${connectionText(one)}`),
    ...facts.authorities.map(
      ({ kind, permitted }, at) => `Authority ${String(at + 1)}: ${kind}, ${allowed(permitted)}`,
    ),
    ...facts.sites.map(
      ({ automatic, permitted }, at) =>
        `Site ${String(at + 1)}: ${automatic ? 'automatic' : 'on click'}, ${allowed(permitted)}`,
    ),
    `Pinned keys: ${facts.keys.map(({ kind, revoked }) => (revoked ? `${kind} (revoked)` : kind)).join(', ') || 'none'}`,
    `Unreadable records: ${facts.unreadable.map(({ source, path }) => `${source} at ${path}`).join(', ') || 'none'}`,
    ...(facts.newer ? ['Stored by a newer version: yes'] : []),
    `Latest checks: ${facts.checks.map(outcomeText).join(', ') || 'none'}`,
  ].join('\n');
}

function connectionText({
  dialect,
  hasKey,
  permitted,
  tested,
}: DiagnosticFacts['connections'][number]): string {
  const { keyPlacement, encoding, proven, plainUserAgent, requestsPerMinute, codePattern } =
    dialect;
  return [
    hasKey ? 'key' : 'no key',
    allowed(permitted),
    proven ? 'proven' : 'not proven',
    `${keyPlacement}/${encoding}`,
    ...(plainUserAgent ? ['plain requests'] : []),
    ...(codePattern === undefined ? [] : ['own pattern']),
    `${String(requestsPerMinute)} a minute`,
    ...(tested === undefined ? [] : [`tested: ${outcomeText(tested)}`]),
  ].join(', ');
}

const allowed = (permitted: boolean): string => (permitted ? 'allowed' : 'not allowed');

/** Describes a fault by its kind and distinguishing members, never by a server's own text. */
function outcomeText(outcome: Fault | 'good'): string {
  if (outcome === 'good') return outcome;
  const details = [
    'status' in outcome ? String(outcome.status) : '',
    'userAgent' in outcome ? outcome.userAgent : '',
    'about' in outcome ? outcome.about : '',
    'by' in outcome ? outcome.by : '',
    'reason' in outcome ? outcome.reason : '',
  ].filter((detail) => detail !== '');
  return details.length === 0 ? outcome.kind : `${outcome.kind} (${details.join(', ')})`;
}
