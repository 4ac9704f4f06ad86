import { decodeBase64Url, encodeBase64Url } from '#core/license/encoding/bytes';
import type { RawReply } from '#core/marketplaces/exchange';

/** Holds a reply for a message from the worker to a page, since messages carry JSON and no bytes. */
export interface EncodedReply extends Omit<RawReply, 'body'> {
  /** base64url. */
  readonly body: string;
}

/** Encodes a reply for a message. */
export function encodeReply({ body, ...rest }: RawReply): EncodedReply {
  return { ...rest, body: encodeBase64Url(body) };
}

/** Decodes a reply from a message; an invalid body becomes empty. */
export function decodeReply({ body, ...rest }: EncodedReply): RawReply {
  return { ...rest, body: decodeBase64Url(body) ?? new Uint8Array() };
}
