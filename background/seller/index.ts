export {
  type AuthorizedAccess,
  bindingOf,
  type SellerAccessProvider,
  watchLock,
} from '#background/seller/access';
export type { Accounts } from '#background/seller/accounts';
export {
  createSellerFeature,
  type InteractivePriority,
  type SellerFeature,
} from '#background/seller/seller-feature';
export type { Validation } from '#background/seller/validation';
