import type { Descriptor } from '#core/marketplaces/descriptor';

export const freemiusDescriptor: Descriptor = {
  name: 'Freemius',
  baseAddress: 'https://api.freemius.com',
  keyAt: 'Settings, API & Keys (API Bearer Authorization Token)',
  permissions: [],
  store: { label: 'Product ID', at: 'Settings, API & Keys' },
};
