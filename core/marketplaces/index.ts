// Every page may load this door: it leads to no reader.

export { needsKey, placeOf } from '#core/marketplaces/descriptors';
export { type Fault, searchIn } from '#core/marketplaces/fault';
export { codeForms, marketplaceIds } from '#core/marketplaces/marketplace-id';
export {
  type Account,
  type Item,
  type Purchase,
  purchaseProblems,
} from '#core/marketplaces/resources';
