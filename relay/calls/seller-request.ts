import { defaultDialect } from '#core/connections/connection';
import type { RawReply, SellerRequest } from '#core/marketplaces/exchange';
import type { SellerAccess } from '#core/marketplaces/marketplace';
import {
  accountRequest,
  itemRequest,
  itemsRequest,
  readAccountReply,
  readItemReply,
  readItemsReply,
  readValidationReply,
  validationRequest,
} from '#core/marketplaces/seller-api';
import { holdsKey } from '#relay/rules/echoed-key';
import type { SellerCall } from '#relay/rules/seller-call';
import type { ConnectionRecord } from '#relay/store/records';

/** Builds the request to the upstream. It holds the API key. */
export function buildRequest(
  connection: ConnectionRecord,
  apiKey: string,
  call: SellerCall,
  parameter: string,
): SellerRequest {
  const { id, name, baseAddress, keyPlacement, encoding } = connection;
  const dialect = { ...defaultDialect, keyPlacement, encoding };
  const access: SellerAccess = {
    connection: { id, name, baseAddress, revision: 0, dialect },
    apiKey,
    deadline: 0,
  };
  switch (call) {
    case 'account':
      return accountRequest(access);
    case 'items':
      return itemsRequest(access);
    case 'item':
      return withItemId(itemRequest(access, 0), parameter);
    case 'validation':
      return validationRequest(access, parameter);
  }
}

/** Sends the id as the agent's program sent it, also one that is no number. */
function withItemId(request: SellerRequest, itemId: string): SellerRequest {
  const url = new URL(request.url);
  url.searchParams.set('item_id', itemId);
  return { ...request, url: url.href };
}

/** Tells whether a reply is a success that may be cached: never an error, a not-found or an answer about something else. */
export function isSuccess(
  raw: RawReply,
  call: SellerCall,
  parameter: string,
  now: number,
): boolean {
  switch (call) {
    case 'account':
      return readAccountReply(raw, now).ok;
    case 'items': {
      const read = readItemsReply(raw, now);
      return read.ok && read.value.items.length > 0 && read.value.unreadable.length === 0;
    }
    case 'item': {
      const read = readItemReply(raw, Number(parameter), now);
      return read.ok && read.value.kind === 'item';
    }
    case 'validation': {
      const read = readValidationReply(raw, parameter, now);
      return read.ok && read.value.kind === 'purchase';
    }
  }
}

/** Tells whether a reply holds the API key in what an agent would be given of it, its body and its type. */
export function echoesKey({ body, contentType }: RawReply, apiKey: string): boolean {
  return holdsKey(body, apiKey) || holdsKey(Buffer.from(contentType), apiKey);
}
