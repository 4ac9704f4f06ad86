export {
  type BaseAddress,
  type BaseAddressProblem,
  parseBaseAddress,
} from '#core/address/base-address';
export { isLocalHost } from '#core/address/local-host';
export {
  isLoopback,
  isSafeOrigin,
  originPattern,
  parseWithAssumedScheme,
} from '#core/address/origin';
export { maxUrlLength, safeUrl } from '#core/address/safe-url';
export { toUnicodeHost } from '#core/address/unicode-host';
