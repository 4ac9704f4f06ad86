// How a relay answers requests for each marketplace, by its id. Only a relay loads this.

export { easyDigitalDownloadsRelayRules as 'easy-digital-downloads' } from '#core/marketplaces/easy-digital-downloads/reader';
export { envatoRelayRules as envato } from '#core/marketplaces/envato/reader';
export { freemiusRelayRules as freemius } from '#core/marketplaces/freemius/reader';
export { gumroadRelayRules as gumroad } from '#core/marketplaces/gumroad/reader';
export { lemonSqueezyRelayRules as 'lemon-squeezy' } from '#core/marketplaces/lemon-squeezy/reader';
export { polarRelayRules as polar } from '#core/marketplaces/polar/reader';
