import type { AdministrationContext } from '#background/dependencies';
import type { SellerFeature } from '#background/seller/index';
import { originPattern } from '#core/address/index';
import { encodeBase64 } from '#core/encoding/index';
import { mediaFetcher, mediaTypeOf } from '#core/items/index';
import { fail, succeed } from '#core/result';
import type { Body, Reply } from '#messaging/index';

type MediaNeeds = Pick<AdministrationContext, 'permissions' | 'sellerHttp'> &
  Pick<SellerFeature, 'access'>;

/** The largest picture, video or sound that is shown, in bytes. Messages between worker and page can have 64 MiB. */
const maxMediaBytes = 8 * 1024 * 1024;
const mediaTimeoutMs = 10_000;

/**
 * Returns a URL with which a page may show a picture, video or sound from a seller's reply: its address if the page may
 * fetch it, else its content as a `data:` URL. The worker fetches only from the connection's own origin on loopback,
 * without the key and without following redirects.
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
