import { hasHiddenCharacters, hostOf } from '#core/http/host';
import { isLocalHost } from '#core/address/index';

/**
 * How the domain that a certificate is bound to differs from the expected one. Everything but `equal` is a mismatch.
 */
export type DomainDifference =
  | 'equal'
  /** `www.` before one of them. */
  | 'www'
  /** The expected one is a subdomain of the bound one. */
  | 'subdomain'
  /** The bound one is a subdomain of the expected one. */
  | 'parent'
  /** One of them is local: localhost, `.test`, a name of a local network, or a private address. */
  | 'local'
  /** One of them looks like a staging or test copy. */
  | 'staging'
  /** The bound one contains invisible characters, such as a right-to-left mark. */
  | 'hidden-characters'
  /** One of them is not a domain. */
  | 'unreadable'
  | 'other';

/** Names that no network resolves (RFC 6761, sections 6.2 and 6.4). */
const reservedPattern = /(?:^|\.)(?:test|invalid)$/;
const stagingPattern =
  /^(?:staging|stage|stg|dev|develop|development|test|testing|uat|qa|preprod|preview|beta|demo|sandbox)(?:\d*$|-)|-(?:staging|stage|stg|dev|test|uat|qa|preprod|preview|beta|demo)$/;

/**
 * Compares the domain that a document is bound to with the expected one.
 * @param bound as spelled in the certificate; an invisible character makes it a different domain
 * @param expected as typed or pasted
 */
export function compareDomains(bound: string, expected: string): DomainDifference {
  const [a, b] = [hostOf(bound), hostOf(expected)];
  if (hasHiddenCharacters(bound)) return 'hidden-characters';
  if (a === undefined || b === undefined) return 'unreadable';
  if (a === b) return 'equal';
  if (a.replace(/^www\./, '') === b.replace(/^www\./, '')) return 'www';
  if (isLocal(a) !== isLocal(b)) return 'local';
  if (looksLikeStaging(a) !== looksLikeStaging(b) && shareTail(a, b)) return 'staging';
  if (b.endsWith(`.${a}`)) return 'subdomain';
  if (a.endsWith(`.${b}`)) return 'parent';
  return 'other';
}

function isLocal(host: string): boolean {
  return isLocalHost(host) || reservedPattern.test(host);
}

function looksLikeStaging(host: string): boolean {
  return host.split('.').some((label) => stagingPattern.test(label));
}

/**
 * Tells whether the last two labels are the same: then both probably have the same owner, which is enough for a hint.
 */
function shareTail(a: string, b: string): boolean {
  const tail = (host: string): string => host.split('.').slice(-2).join('.');
  return tail(a) === tail(b);
}
