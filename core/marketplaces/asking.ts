// What the worker and a team's relay load: how each marketplace is asked, and how its replies are read.

export type { PurchaseReply, Question, SellerCall } from '#core/marketplaces/marketplace';
export { codeReaderOf, itemReaderOf } from '#core/marketplaces/readers';
export { routesAt } from '#core/marketplaces/routes';
