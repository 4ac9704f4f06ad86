import type { Descriptor } from '#core/marketplaces/descriptor';

export const salesPermission = 'view_shop_reports';

export const easyDigitalDownloadsDescriptor: Descriptor = {
  name: 'Easy Digital Downloads',
  keyAt: 'Downloads, Tools, API Keys (public key:token)',
  permissions: [salesPermission],
  keyless: true,
};
