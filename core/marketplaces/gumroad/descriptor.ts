import type { Descriptor } from '#core/marketplaces/descriptor';

/** Nearly every token may read the account and the products. Reading the sale behind a key needs this permission. */
export const gumroadPermission = 'view_sales';

export const gumroadDescriptor: Descriptor = {
  name: 'Gumroad',
  baseAddress: 'https://api.gumroad.com',
  keyAt: 'Settings, Advanced, Applications',
  permissions: [gumroadPermission],
};
