/**
 * Matches the names that local networks use: RFC 6761, 6762 (appendix G), 8375, and `internal`, which ICANN keeps for
 * them.
 */
const localName =
  /(?:^|\.)(?:localhost|localdomain|local|internal|intranet|private|corp|home|lan|home\.arpa)$/u;

/**
 * IPv4 blocks that are not public (RFC 6890), including the documentation blocks (RFC 5737), as first address and
 * prefix length in bits.
 */
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
  // Multicast and reserved, including broadcast.
  ['224.0.0.0', 3],
];

/**
 * Tells whether a host is this machine or belongs to a local network: a loopback, private, link-local, unique-local,
 * shared or reserved address, a name of a local network, or a name of one label. A public name may still resolve to a
 * private address.
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

/** Converts a dotted IPv4 address to its 32 bits. */
function addressOf(dotted: string): number {
  return dotted.split('.').reduce((bits, part) => ((bits << 8) | Number(part)) >>> 0, 0);
}

/**
 * Only global unicast (2000::/3) is public, and an address that carries an IPv4 address is as public as that one:
 * mapped (::ffff:0:0/96), NAT64 (64:ff9b::/96), 6to4 (2002::/16). Teredo (2001::/32) hides the address it carries.
 * 2001:db8::/32 and 3fff::/20 are reserved for documentation (RFC 3849, 9637).
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
