// The door for the worker and a team's relay: how each marketplace is asked, and how its replies are read.

export type {
  AskedItem,
  PurchaseReply,
  CallKind,
  SellerAccess,
  SellerCall,
} from '#core/marketplaces/marketplace';
export { type Readers, readersFrom } from '#core/marketplaces/first-readers';
export { laterReaders, marketplaceOf } from '#core/marketplaces/readers';
export { routesAt } from '#core/marketplaces/routes';
