import { decodeBase64Url, encodeBase64Url } from '#core/license/encoding/base64url';
import type { RawReply } from '#core/seller/exchange';

/** A reply as it travels from the worker to a page: messages carry JSON, not bytes. */
export interface EncodedReply extends Omit<RawReply, 'body'> {
  /** base64url. */
  readonly body: string;
}

export function encodeReply({ body, ...rest }: RawReply): EncodedReply {
  return { ...rest, body: encodeBase64Url(body) };
}

export function decodeReply({ body, ...rest }: EncodedReply): RawReply {
  return { ...rest, body: decodeBase64Url(body) ?? new Uint8Array() };
}
