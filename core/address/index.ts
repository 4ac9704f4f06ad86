export {
  type BaseAddress,
  type BaseAddressProblem,
  parseBaseAddress,
} from '#core/address/base-address';
export {
  isLoopback,
  isSafeOrigin,
  originPattern,
  parseWithAssumedScheme,
} from '#core/address/origin';
export { isLocalHost } from '#core/address/local-host';
export { toUnicodeHost } from '#core/address/unicode-host';
