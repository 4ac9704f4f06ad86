import { lookup, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';

import { isLocalHost } from '#core/connections/base-address';

/** Reports that a name leads to a private address. */
export class PrivateAddress extends Error {
  override readonly name = 'PrivateAddress';
}

/** Tells whether an address is private, loopback, link-local or reserved. @param address IPv4 or IPv6, without brackets */
export function isPrivateAddress(address: string): boolean {
  const [plain = ''] = address.split('%');
  const host = isIP(plain) === 6 ? `[${plain}]` : plain;
  return !URL.canParse(`http://${host}`) || isLocalHost(new URL(`http://${host}`).hostname);
}

/**
 * Resolves names as `dns.lookup` does, and refuses one of which any address is private. The addresses that were looked at are the
 * ones that are connected to, so that a name cannot change in between.
 */
export const publicLookup: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, found) => {
    const addresses: readonly LookupAddress[] = error === null ? found : [];
    const [first] = addresses;
    if (error !== null || first === undefined) {
      callback(error ?? new Error('No address'), []);
    } else if (addresses.some(({ address }) => isPrivateAddress(address))) {
      callback(new PrivateAddress('The name leads to a private address.'), []);
    } else if (options.all === true) {
      callback(null, [...addresses]);
    } else {
      callback(null, first.address, first.family);
    }
  });
};
