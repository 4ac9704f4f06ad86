import { type MarketplaceId, marketplaceIds } from '#core/marketplaces/marketplace-id';
import type { MarketplaceExpectations } from '#tests/support/marketplace-expectations';

/** Holds what is expected of each marketplace, from the file with its id. */
export const expectations = Object.fromEntries(
  await Promise.all(
    marketplaceIds.map(async (id) => {
      const file = (await import(/* @vite-ignore */ `./expectations/${id}.ts`)) as {
        expected: MarketplaceExpectations;
      };
      return [id, file.expected] as const;
    }),
  ),
) as Readonly<Record<MarketplaceId, MarketplaceExpectations>>;
