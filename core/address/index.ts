export {
  type BaseAddress,
  type BaseAddressProblem,
  isLocalHost,
  parseBaseAddress,
  toUnicodeHost,
} from '#core/address/base-address';
export {
  isLoopback,
  isSafeOrigin,
  originPattern,
  parseWithAssumedScheme,
} from '#core/address/origin';
