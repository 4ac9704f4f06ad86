import type { Descriptor } from '#core/marketplaces/descriptor';

export const usernamePermission = 'View your Envato Account username';
export const salesPermission = "View the user's items' sales history";

export const envatoDescriptor: Descriptor = {
  name: 'Envato Market',
  baseAddress: 'https://api.envato.com',
  keyAt: 'build.envato.com',
  permissions: [usernamePermission, salesPermission],
  knowsSupport: true,
  notFoundAlso: 'account-closed',
};
