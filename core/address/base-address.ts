import { isSafeOrigin, parseWithAssumedScheme } from '#core/address/origin';
import { fail, type Result, succeed } from '#core/result';

/** Holds a normalised base address. */
export interface BaseAddress {
  /** The stored address: an origin and a path without a trailing slash, such as `https://market.test/shop`. */
  readonly address: string;
  /** The ASCII host that the browser contacts, with a port unless it is the scheme's default. Show `toUnicodeHost` of it as well. */
  readonly host: string;
}

/** Names why text is not a base address. */
export type BaseAddressProblem =
  | { readonly kind: 'empty' }
  | { readonly kind: 'not-an-address' }
  | { readonly kind: 'too-long'; readonly limit: number }
  /** Neither http nor https. */
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
 * Parses a typed or pasted base address of at most 2,000 UTF-16 units. Checks the parsed URL, not the text, so that no spelling
 * (`0x7f.1`, `https:\\host`, a full-width dot) is checked as one host and contacted as another.
 *
 * Accepts a missing scheme (https is assumed, http on loopback) and removes trailing slashes, `/api` or an endpoint's path.
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

/** Matches the names that local networks use: RFC 6761, 6762 (appendix G), 8375, and `internal`, which ICANN keeps for them. */
const localName =
  /(?:^|\.)(?:localhost|localdomain|local|internal|intranet|private|corp|home|lan|home\.arpa)$/u;

/** Blocks of IPv4 that are not public (RFC 6890), those of documentation (RFC 5737) among them, as the first address and the length of the prefix in bits. */
const localBlocks: readonly (readonly [first: string, bits: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  // Multicast and reserved, broadcast included.
  ['224.0.0.0', 3],
];

/**
 * Tells whether a host is this machine or belongs to a local network: a loopback, private, link-local, unique-local, shared or
 * reserved address, a name of a local network, or a name of one label. Says nothing of where a public name leads.
 * @param hostname as `URL` writes it: lower case, IPv4 in four decimal parts, IPv6 compressed in brackets
 */
export function isLocalHost(hostname: string): boolean {
  const host = hostname.replace(/(?<!\.)\.+$/u, '');
  if (host.startsWith('[')) return isLocalIpv6(groupsOf(host.slice(1, -1)));
  if (/^\d+(?:\.\d+){3}$/u.test(host)) return isLocalIpv4(addressOf(host));
  return !host.includes('.') || localName.test(host);
}

function isLocalIpv4(address: number): boolean {
  return localBlocks.some(
    ([first, bits]) => address >>> (32 - bits) === addressOf(first) >>> (32 - bits),
  );
}

/** Returns the 32 bits of an address in four decimal parts. */
function addressOf(dotted: string): number {
  return dotted.split('.').reduce((bits, part) => ((bits << 8) | Number(part)) >>> 0, 0);
}

/**
 * Only global unicast (2000::/3) is public, and an address that carries an IPv4 address is as public as that one: mapped
 * (::ffff:0:0/96), NAT64 (64:ff9b::/96), 6to4 (2002::/16). Teredo (2001::/32) hides the address it carries. 2001:db8::/32 and
 * 3fff::/20 are those of documentation (RFC 3849, 9637).
 */
function isLocalIpv6(groups: readonly number[]): boolean {
  const [first = 0, second = 0, third = 0] = groups;
  const head = groups.slice(0, 6).join(':');
  const tail = (((groups[6] ?? 0) << 16) | (groups[7] ?? 0)) >>> 0;
  if (head === mappedHead || head === nat64Head) return isLocalIpv4(tail);
  if (first === 0x2002) return isLocalIpv4(((second << 16) | third) >>> 0);
  const isTeredo = first === 0x2001 && second === 0;
  const isDocumentation =
    (first === 0x2001 && second === 0xdb8) || (first === 0x3fff && second >>> 12 === 0);
  return isTeredo || isDocumentation || first < 0x2000 || first > 0x3fff;
}

const mappedHead = [0, 0, 0, 0, 0, 0xffff].join(':');
const nat64Head = [0x64, 0xff9b, 0, 0, 0, 0].join(':');

/** Returns the eight groups of a compressed IPv6 address. */
function groupsOf(compressed: string): number[] {
  const [left = [], right] = compressed
    .split('::')
    .map((side) => (side === '' ? [] : side.split(':').map((group) => parseInt(group, 16))));
  if (right === undefined) return left;
  return [...left, ...Array<number>(8 - left.length - right.length).fill(0), ...right];
}

const base = 36;
const tMin = 1;
const tMax = 26;
const highestCodePoint = 0x10ffff;

/**
 * Decodes the `xn--` labels of a host name (RFC 3492). A label that cannot be decoded stays unchanged. Show both spellings where
 * they differ, since the result may hold look-alike letters.
 * @param host in ASCII, as URL parsing returns it; a port may follow
 */
export function toUnicodeHost(host: string): string {
  return host
    .split('.')
    .map((label) => (label.startsWith('xn--') ? (decode(label.slice(4)) ?? label) : label))
    .join('.');
}

function decode(label: string): string | undefined {
  const [, encoded = '', port = ''] = /^([a-z0-9-]*)(:\d+)?$/.exec(label) ?? [];
  const delimiter = encoded.lastIndexOf('-');
  const output = Array.from(encoded.slice(0, Math.max(delimiter, 0)));
  let codePoint = 128;
  let index = 0;
  let bias = 72;
  let position = delimiter + 1;
  if (position >= encoded.length) return undefined;

  while (position < encoded.length) {
    const before = index;
    let weight = 1;
    for (let k = base; ; k += base) {
      const digit = digitOf(encoded.charCodeAt(position));
      if (digit === undefined) return undefined;
      position += 1;
      index += digit * weight;
      const threshold = Math.min(Math.max(k - bias, tMin), tMax);
      if (digit < threshold) break;
      weight *= base - threshold;
    }
    const length = output.length + 1;
    bias = adapt(index - before, length, before === 0);
    codePoint += Math.floor(index / length);
    index %= length;
    if (codePoint > highestCodePoint) return undefined;
    output.splice(index, 0, String.fromCodePoint(codePoint));
    index += 1;
  }
  return output.join('') + port;
}

function digitOf(unit: number): number | undefined {
  if (unit >= 97 && unit <= 122) return unit - 97;
  if (unit >= 48 && unit <= 57) return unit - 48 + 26;
  return undefined;
}

function adapt(delta: number, length: number, first: boolean): number {
  let rest = Math.floor(delta / (first ? 700 : 2));
  rest += Math.floor(rest / length);
  let k = 0;
  while (rest > ((base - tMin) * tMax) / 2) {
    rest = Math.floor(rest / (base - tMin));
    k += base;
  }
  return k + Math.floor(((base - tMin + 1) * rest) / (rest + 38));
}
