import type { AdministrationContext } from '#background/dependencies';
import type { SellerFeature } from '#background/seller/index';
import { originPattern } from '#core/address/index';
import { encodeBase64 } from '#core/encoding/index';
import { mediaFetcher, mediaTypeOf } from '#core/items/index';
import { fail, succeed } from '#core/result';
import type { Body, Reply } from '#messaging/index';

type MediaNeeds = Pick<AdministrationContext, 'permissions' | 'sellerHttp'> &
  Pick<SellerFeature, 'access'>;

/** A larger picture, video or sound is not shown; the messages between worker and page hold 64 MiB. */
const maxMediaBytes = 8 * 1024 * 1024;
const mediaTimeoutMs = 10_000;

/**
 * Returns what a page may show of a picture, video or sound that a seller's reply named: the address itself where the
 * page may fetch it, else the content as a `data:` URL. The worker fetches from the connection's own origin on
 * loopback alone, without the key and following no redirect.
 */
export async function showMedia(
  { access, permissions, sellerHttp }: MediaNeeds,
  { connectionId, address }: Body<'items.media'>,
): Promise<Reply<'items.media'>> {
  const connection = await access.find(connectionId);
  if (connection === undefined) return fail({ kind: 'not-allowed' });
  const { baseAddress, dialect } = connection;
  const fetcher = mediaFetcher(address, baseAddress);
  if (fetcher === 'page') return succeed(address);
  if (fetcher === 'nobody' || !(await permissions.has(originPattern(baseAddress))))
    return fail({ kind: 'not-allowed' });

  const reply = await sellerHttp(
    {
      method: 'GET',
      url: address,
      headers: {},
      timeoutMs: mediaTimeoutMs,
      maxBytes: maxMediaBytes,
    },
    { plainUserAgent: dialect.plainUserAgent },
  );
  if (!reply.ok || reply.value.status !== 200) return fail({ kind: 'unavailable' });
  const { body } = reply.value;
  const type = mediaTypeOf(body);
  if (type === undefined) return fail({ kind: 'no-media' });
  return succeed(`data:${type};base64,${encodeBase64(body)}`);
}
