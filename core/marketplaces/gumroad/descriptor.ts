import type { Descriptor } from '#core/marketplaces/descriptor';

/**
 * Nearly every token may read the account and the products; only one with this permission may read the sale behind a
 * key.
 */
export const gumroadPermission = 'view_sales';

export const gumroadDescriptor: Descriptor = {
  name: 'Gumroad',
  baseAddress: 'https://api.gumroad.com',
  keyAt: 'Settings, Advanced, Applications',
  permissions: [gumroadPermission],
};
