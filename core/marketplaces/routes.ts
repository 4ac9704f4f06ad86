import { withErrorFields } from '#core/marketplaces/json-api';
import type { RelayRules, Route } from '#core/marketplaces/marketplace';
import { type MarketplaceId, marketplaceIds } from '#core/marketplaces/marketplace-id';
import * as relayRules from '#core/marketplaces/relay-rules';
import { sellerApiRelayRules } from '#core/marketplaces/seller-api/reader';

export interface FoundRoute extends Pick<RelayRules, 'accountFields'> {
  /** Undefined: the seller API. */
  readonly marketplace: MarketplaceId | undefined;
  readonly route: Route;
  /** The fields of a reply that a relay passes on, by their dotted paths; undefined: all of them. */
  readonly fields: readonly string[] | undefined;
  /** The values from the path. */
  readonly inPath: readonly string[];
}

/** Returns how a relay answers a marketplace's requests. @param marketplace undefined: the seller API */
export function relayRulesOf(marketplace: MarketplaceId | undefined): RelayRules {
  return marketplace === undefined ? sellerApiRelayRules : relayRules[marketplace];
}

/**
 * Finds the routes that match a method and a path below a connection's address, at most one per marketplace. The
 * connection's marketplace decides which one applies.
 */
export function routesAt(method: string, path: string): FoundRoute[] {
  return [undefined, ...marketplaceIds].flatMap((marketplace) => {
    const { routes, accountFields } = relayRulesOf(marketplace);
    for (const route of routes) {
      const inPath = route.method === method ? matchPath(route.path, path) : undefined;
      const fields = route.fields && [...Object.keys(withErrorFields({})), ...route.fields];
      if (inPath !== undefined) return [{ marketplace, route, fields, inPath, accountFields }];
    }
    return [];
  });
}

function matchPath(pattern: string, path: string): readonly string[] | undefined {
  if (!pattern.endsWith('*')) return path === pattern ? [] : undefined;
  const begin = pattern.slice(0, -1);
  const value = path.slice(begin.length).replaceAll(/%3d/giu, '=');
  return path.startsWith(begin) && /^[\w=-]{1,64}$/u.test(value) ? [value] : undefined;
}
