import { defaultDialect } from '#core/connections/index';
import type { MarketplaceId } from '#core/marketplaces/marketplace-id';
import { marketplaceIds } from '#core/marketplaces/index';
import { emulations } from '#sandbox/marketplaces/marketplaces';
import type { RelayFiles } from '#tests/relay/support/relay';
import type { TestSandbox } from '#tests/support/sandbox';

/** Returns where an account in the sandbox is, beside its address. */
const placeIn = (marketplace: MarketplaceId) => {
  const { store } = emulations[marketplace];
  return { marketplace, ...(store !== undefined && { store }) };
};

/** Returns what `connections add` takes of a marketplace in the sandbox. */
export function optionsOf(id: MarketplaceId): string {
  const { marketplace, store } = placeIn(id);
  return `--limit 6000 --marketplace ${marketplace}${store === undefined ? '' : ` --store ${store}`}`;
}

/** Connects a relay to each marketplace of the sandbox. Returns the connections as the team's settings have them. */
export async function connectMarketplaces(
  files: RelayFiles,
  sandbox: TestSandbox,
  origin = '',
): Promise<readonly object[]> {
  for (const id of marketplaceIds) {
    const { whole } = sandbox.tokens[`/${id}`];
    await files.connect(id, `${sandbox.origin}/${id}`, whole, optionsOf(id));
  }
  const dialect = { ...defaultDialect, keyPlacement: 'Authorization' };
  return marketplaceIds.map((id) => ({
    ...placeIn(id),
    id,
    name: id,
    baseAddress: `${origin}/c/${id}`,
    dialect,
  }));
}
