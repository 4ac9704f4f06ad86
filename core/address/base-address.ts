import { isSafeOrigin, parseWithAssumedScheme } from '#core/address/origin';
import { fail, type Result, succeed } from '#core/result';

export interface BaseAddress {
  /** The stored address: an origin and a path without a trailing slash, such as `https://market.test/shop`. */
  readonly address: string;
  /**
   * The ASCII host that the browser contacts, with a port unless it is the scheme's default. Show `toUnicodeHost` of it
   * as well.
   */
  readonly host: string;
}

export type BaseAddressProblem =
  | { readonly kind: 'empty' }
  | { readonly kind: 'not-an-address' }
  | { readonly kind: 'too-long'; readonly limit: number }
  /** The scheme is neither http nor https. */
  | { readonly kind: 'scheme'; readonly scheme: string }
  /** http to a host other than `localhost` or `127.0.0.1`: the key would be sent unencrypted. */
  | { readonly kind: 'insecure' }
  | { readonly kind: 'user-info' }
  | { readonly kind: 'query' }
  | { readonly kind: 'fragment' };

const maxAddressLength = 2000;
const trailingSlashes = /(?<!\/)\/+$/;
const endpointTail =
  /(?:\/api(?:\/account\/details|\/items\/(?:all|item)|\/purchases\/validation)?\/*)+$/i;

/**
 * Parses a typed or pasted base address of at most 2,000 UTF-16 units. Checks the parsed URL, not the text, so that no
 * spelling (`0x7f.1`, `https:\\host`, a full-width dot) is checked as one host and contacted as another.
 *
 * Accepts a missing scheme (https is assumed, http on loopback) and removes trailing slashes, `/api` or an endpoint's
 * path.
 */
export function parseBaseAddress(text: string): Result<BaseAddress, BaseAddressProblem> {
  const typed = text.trim();
  if (typed === '') return fail({ kind: 'empty' });
  if (typed.length > maxAddressLength) return fail({ kind: 'too-long', limit: maxAddressLength });
  const url = parseWithAssumedScheme(typed);
  if (url === undefined) return fail({ kind: 'not-an-address' });
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    return fail({ kind: 'scheme', scheme: url.protocol.slice(0, -1) });
  }
  if (url.username !== '' || url.password !== '') return fail({ kind: 'user-info' });
  if (!isSafeOrigin(url)) return fail({ kind: 'insecure' });
  if (url.search !== '') return fail({ kind: 'query' });
  if (url.hash !== '') return fail({ kind: 'fragment' });

  return succeed({ address: url.origin + forgivenPath(url.pathname), host: url.host });
}

function forgivenPath(pathname: string): string {
  return pathname.replace(endpointTail, '').replace(trailingSlashes, '');
}
