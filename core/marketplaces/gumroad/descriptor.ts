import type { Descriptor } from '#core/marketplaces/descriptor';

export const gumroadPermissions = { profile: 'view_profile' } as const;

export const gumroad: Descriptor = {
  name: 'Gumroad',
  baseAddress: 'https://api.gumroad.com',
  keyAt: 'Settings, Advanced, Applications',
  permissions: [gumroadPermissions.profile],
};
