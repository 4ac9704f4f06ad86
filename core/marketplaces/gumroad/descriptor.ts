import type { Descriptor } from '#core/marketplaces/descriptor';

/** Account and products are told to nearly every token, the sale of a key to one with this alone. */
export const gumroadPermission = 'view_sales';

export const gumroadDescriptor: Descriptor = {
  name: 'Gumroad',
  baseAddress: 'https://api.gumroad.com',
  keyAt: 'Settings, Advanced, Applications',
  permissions: [gumroadPermission],
};
