export { classifyInput } from '#core/codes/classify-input';
export { anyPrefix, anyCharacter, matchShape, parseCodePattern } from '#core/codes/code-shape';
export {
  canonicalCode,
  correctedSpelling,
  isMasked,
  likelySpelling,
  maskCode,
  sameCode,
  shortenCode,
} from '#core/codes/code-spelling';
export { locateCodes } from '#core/codes/find-codes';
export { isToken } from '#core/codes/license-form';
export { readValueName } from '#core/codes/value-names';
