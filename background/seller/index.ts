export { type AuthorizedAccess, bindingOf, watchLock } from '#background/seller/access';
export { createSellerFeature, type SellerFeature } from '#background/seller/seller-feature';
