export {
  type AuthorizedAccess,
  bindingOf,
  type SellerAccessProvider,
  watchLock,
} from '#background/seller/access';
export type { Accounts } from '#background/seller/accounts';
export type { InteractivePriority } from '#background/seller/interactive-priority';
export { createSellerFeature, type SellerFeature } from '#background/seller/seller-feature';
export type { Validation } from '#background/seller/validation';
