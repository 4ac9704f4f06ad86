import { relayedEnvato } from '#core/marketplaces/envato/reader';
import { relayedGumroad } from '#core/marketplaces/gumroad/reader';
import { relayedLemonSqueezy } from '#core/marketplaces/lemon-squeezy/reader';
import type { Relayed, Route } from '#core/marketplaces/marketplace';
import { type MarketplaceId, marketplaceIds } from '#core/marketplaces/marketplace-id';
import { relayedSellerApi } from '#core/marketplaces/seller-api/reader';

/** Stands apart from how marketplaces are asked, since a relay alone needs it. */
const relayed: Readonly<Record<MarketplaceId, Relayed>> = {
  envato: relayedEnvato,
  gumroad: relayedGumroad,
  'lemon-squeezy': relayedLemonSqueezy,
};

const all: readonly (readonly [MarketplaceId | undefined, Relayed])[] = [
  [undefined, relayedSellerApi],
  ...marketplaceIds.map((id) => [id, relayed[id]] as const),
];

/** Holds a request that a path leads to. */
export interface FoundRoute extends Pick<Relayed, 'accountFields'> {
  /** Undefined: the seller API. */
  readonly marketplace: MarketplaceId | undefined;
  readonly route: Route;
  /** The value that stands in the path. */
  readonly inPath: readonly string[];
}

/**
 * Finds the request of a marketplace by its method and its path below a connection's address; undefined for every other. No two
 * marketplaces have a path in common.
 */
export function routeAt(method: string, path: string): FoundRoute | undefined {
  for (const [marketplace, { routes, accountFields }] of all) {
    for (const route of routes) {
      const inPath = route.method === method ? matchPath(route.path, path) : undefined;
      if (inPath !== undefined) return { marketplace, route, inPath, accountFields };
    }
  }
  return undefined;
}

function matchPath(pattern: string, path: string): readonly string[] | undefined {
  if (!pattern.endsWith('*')) return path === pattern ? [] : undefined;
  const begin = pattern.slice(0, -1);
  const value = path.slice(begin.length).replaceAll(/%3d/giu, '=');
  return path.startsWith(begin) && /^[\w=-]{1,64}$/u.test(value) ? [value] : undefined;
}
