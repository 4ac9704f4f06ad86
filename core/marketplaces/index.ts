// The door for every page: it does not load the readers.

export { needsKey, placeOf } from '#core/marketplaces/descriptors';
export { type Fault, searchIn } from '#core/marketplaces/fault';
export { codeForms, marketplaceIds } from '#core/marketplaces/marketplace-id';
export {
  type Account,
  type Item,
  type Purchase,
  purchaseProblems,
} from '#core/marketplaces/resources';
