import type { MarketplaceId } from '#core/marketplaces/marketplace-id';

/**
 * Names the permissions that a key needs, as the pages call them on which it is made. They stand apart from the readers, so that a
 * form loads none of them for it.
 */
export const permissions = {
  envato: {
    username: 'View your Envato Account username',
    sales: "View the user's items' sales history",
  },
  gumroad: { profile: 'view_profile' },
  'lemon-squeezy': {},
} as const satisfies Readonly<Record<MarketplaceId, Readonly<Record<string, string>>>>;
