import { type MarketplaceId, marketplaceIds } from '#core/marketplaces/marketplace-id';
import type { PlaceExpectations } from '#tests/support/place-expectations';

/** Holds what is expected of each marketplace, from the file with its id. */
export const expectations = Object.fromEntries(
  await Promise.all(
    marketplaceIds.map(async (id) => {
      const file = (await import(/* @vite-ignore */ `./places/${id}.ts`)) as {
        expected: PlaceExpectations;
      };
      return [id, file.expected] as const;
    }),
  ),
) as Readonly<Record<MarketplaceId, PlaceExpectations>>;
