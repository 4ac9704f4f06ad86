import type { Descriptor } from '#core/marketplaces/descriptor';

export const polarPermissions = {
  organization: 'organizations:read',
  products: 'products:read',
  orders: 'orders:read',
} as const;

export const polarDescriptor: Descriptor = {
  name: 'Polar',
  baseAddress: 'https://api.polar.sh',
  keyAt: 'Settings, Developers',
  permissions: /* @__PURE__ */ Object.values(polarPermissions),
  keyless: true,
  store: { label: 'Organization ID', at: 'Settings' },
};
