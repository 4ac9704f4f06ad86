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
