export { decodeBase64, encodeBase64 } from '#core/encoding/base64';
export {
  base64UrlOfBase64,
  type Bytes,
  bytesOfHex,
  concatBytes,
  decodeBase64Url,
  decodeStrictBase64,
  encodeBase64Url,
  equalBytes,
  hexOf,
  ownBytes,
  textOfUtf8,
  utf8,
} from '#core/encoding/bytes';
export { parseAfterNotice, parseJson, withoutByteOrderMark } from '#core/encoding/json';
export {
  canonicalJson,
  isJsonObject,
  type JsonDocument,
  type JsonObject,
  type JsonOddity,
  type JsonValue,
  parsePlainJson,
  parseStrictJson,
} from '#core/encoding/strict-json';
