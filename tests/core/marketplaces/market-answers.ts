import { defaultDialect } from '#core/connections/index';
import type { RawReply, SellerRequest } from '#core/http/exchange';
import type { SendCall, SellerAccess } from '#core/marketplaces/marketplace';
import { rawReply } from '#tests/core/marketplaces/wire-examples';

/** Gives access to an account at `https://market.test` with the key `key`. */
export function accessTo(
  more: Partial<SellerAccess> = {},
  connection: Partial<SellerAccess['connection']> = {},
): SellerAccess {
  return {
    apiKey: 'key',
    deadline: 0,
    connection: {
      id: 'one',
      name: 'One',
      baseAddress: 'https://market.test',
      revision: 1,
      dialect: defaultDialect,
      ...connection,
    },
    ...more,
  };
}

/** Holds what an item has of which nothing but id and name is said. */
export const nothingMore = {
  description: '',
  category: '',
  subCategory: '',
  options: [],
  version: '',
  tags: [],
  media: { screenshots: [] },
  price: {},
  currency: '',
};

interface Answering {
  readonly ask: SendCall;
  /** The requests so far, in order. */
  readonly sent: readonly SellerRequest[];
}

/** Answers every request by a function of its address, and keeps what was sent. */
export function answering(answer: (url: URL) => RawReply, access = accessTo()): Answering {
  const sent: SellerRequest[] = [];
  const ask: SendCall = (call) => {
    const request = call.build(access);
    sent.push(request);
    return Promise.resolve(call.read(answer(new URL(request.url)), 0));
  };
  return { ask, sent };
}

/** Answers each path with its reply, and every other with 404. */
export function answeringPaths(replies: Readonly<Record<string, RawReply>>): Answering {
  return answering(({ pathname }) => replies[pathname] ?? rawReply({}, 404));
}
