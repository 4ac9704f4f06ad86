// What the worker and a team's relay load: how each marketplace is asked, and how its replies are read.

export { withErrorFields } from '#core/marketplaces/bearer';
export type {
  Ask,
  PurchaseReply,
  Question,
  SellerAccess,
  SellerCall,
} from '#core/marketplaces/marketplace';
export { codeReaderOf, itemReaderOf, marketplaceOf } from '#core/marketplaces/readers';
export { routesAt } from '#core/marketplaces/routes';
