import type { Descriptor } from '#core/marketplaces/descriptor';

export const lemonSqueezyDescriptor: Descriptor = {
  name: 'Lemon Squeezy',
  baseAddress: 'https://api.lemonsqueezy.com',
  keyAt: 'Settings, API',
  permissions: [],
  store: { label: 'Store ID', at: 'Settings, Stores' },
};
