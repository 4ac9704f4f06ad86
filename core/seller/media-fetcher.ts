import { isLocalHost } from '#core/connections/local-host';
import { isSafeOrigin } from '#core/connections/origin';
import { safeUrl } from '#core/seller/safe-url';

/** Says who may fetch a picture, video or sound that a seller's reply names. */
export type MediaFetcher =
  /** The page, from a public host or the connection's own https origin. */
  | 'page'
  /** The worker, from the connection's own origin on loopback. */
  | 'worker'
  | 'nobody';

/**
 * Decides who may fetch what a seller names. A seller may name any address, so that one on this machine or in a local network
 * counts only on the connection's own origin: another would make the agent's browser call a router or a local program.
 * @param baseAddress of the connection that the reply came from
 */
export function mediaFetcher(address: string, baseAddress: string): MediaFetcher {
  const safe = safeUrl(address);
  if (safe === undefined) return 'nobody';
  const url = new URL(safe);
  const isOwn = url.origin === new URL(baseAddress).origin;
  if (!isOwn && isLocalHost(url.hostname)) return 'nobody';
  if (url.protocol === 'https:') return 'page';
  return isSafeOrigin(url) ? 'worker' : 'nobody';
}
