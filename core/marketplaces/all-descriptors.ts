// The descriptor of each marketplace, by its id.

export { easyDigitalDownloadsDescriptor as 'easy-digital-downloads' } from '#core/marketplaces/easy-digital-downloads/descriptor';
export { envatoDescriptor as envato } from '#core/marketplaces/envato/descriptor';
export { freemiusDescriptor as freemius } from '#core/marketplaces/freemius/descriptor';
export { gumroadDescriptor as gumroad } from '#core/marketplaces/gumroad/descriptor';
export { lemonSqueezyDescriptor as 'lemon-squeezy' } from '#core/marketplaces/lemon-squeezy/descriptor';
export { polarDescriptor as polar } from '#core/marketplaces/polar/descriptor';
