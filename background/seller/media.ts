import type { Permissions } from '#adapters/browser/permissions';
import type { SellerHttp } from '#adapters/http/seller-http';
import type { SellerAccessProvider } from '#background/seller/access';
import { originPattern } from '#core/connections/origin';
import { type Result, fail, succeed } from '#core/result';
import { mediaFetcher, mediaTypeOf } from '#core/seller/media';
import { encodeBase64 } from '#core/text/base64';
import type { MediaFault } from '#messaging/topics/items';

/** A larger picture, video or sound is not shown; the messages between worker and page hold 64 MiB. */
const maxMediaBytes = 8 * 1024 * 1024;
const timeoutMs = 10_000;

interface MediaDependencies {
  readonly access: Pick<SellerAccessProvider, 'find'>;
  readonly permissions: Pick<Permissions, 'has'>;
  readonly http: SellerHttp;
}

/** Identifies a picture, video or sound that a seller's reply named, and the connection the reply came through. */
export interface WantedMedia {
  readonly connectionId: string;
  readonly address: string;
}

export interface Media {
  /**
   * Returns what a page may show: the address itself where the page may fetch it, else the content as a `data:` URL. The worker
   * fetches from the connection's own origin on loopback alone, without the key and following no redirect.
   */
  source(wanted: WantedMedia): Promise<Result<string, MediaFault>>;
}

export function createMedia({ access, permissions, http }: MediaDependencies): Media {
  return {
    async source({ connectionId, address }) {
      const connection = await access.find(connectionId);
      if (connection === undefined) return fail({ kind: 'not-allowed' });
      const { baseAddress, dialect } = connection;
      const fetcher = mediaFetcher(address, baseAddress);
      if (fetcher === 'page') return succeed(address);
      if (fetcher === 'nobody' || !(await permissions.has(originPattern(baseAddress))))
        return fail({ kind: 'not-allowed' });

      const reply = await http(
        { method: 'GET', url: address, headers: {}, timeoutMs, maxBytes: maxMediaBytes },
        { plainUserAgent: dialect.plainUserAgent },
      );
      if (!reply.ok || reply.value.status !== 200) return fail({ kind: 'unavailable' });
      const { body } = reply.value;
      const type = mediaTypeOf(body);
      if (type === undefined) return fail({ kind: 'no-media' });
      return succeed(`data:${type};base64,${encodeBase64(body)}`);
    },
  };
}
