export type { CachedItem, CachedItems, ItemListing, ItemsPort } from '#core/items/cached-items';
export {
  type BoughtAt,
  type Expectation,
  type ExpectedItem,
  isForOtherItem,
  isOtherItem,
} from '#core/items/expected-item';
export { mediaFetcher, mediaTypeOf } from '#core/items/media';
