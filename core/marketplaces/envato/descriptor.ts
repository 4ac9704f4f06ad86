import type { Descriptor } from '#core/marketplaces/descriptor';

export const envatoPermissions = {
  username: 'View your Envato Account username',
  sales: "View the user's items' sales history",
} as const;

export const envatoDescriptor: Descriptor = {
  name: 'Envato Market',
  baseAddress: 'https://api.envato.com',
  keyAt: 'build.envato.com',
  permissions: [envatoPermissions.username, envatoPermissions.sales],
  notFoundAlso: 'account-closed',
};
