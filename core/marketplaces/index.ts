// Every page may load this door: it leads to no reader.

export { codePatternsOf, connectionsFor, hasFormOf } from '#core/marketplaces/code-forms';
export { needsKey, descriptorOf } from '#core/marketplaces/descriptors';
export { type Fault, searchIn } from '#core/marketplaces/fault';
export { marketplaceIds } from '#core/marketplaces/marketplace-id';
export { type Account, type Item, ItemId, Purchase } from '#core/marketplaces/resources';
