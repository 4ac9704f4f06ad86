import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isLocalHost } from '#core/address/local-host';

const hostOf = (authority: string): string => new URL(`http://${authority}/`).hostname;

describe('a host on this machine or in a local network', () => {
  it.each([
    // Loopback, in every spelling that an address takes.
    '127.0.0.1',
    '127.1',
    '127.0.1',
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '0177.0.0.1',
    '017700000001',
    '127.0.0.1.',
    '%31%32%37.0.0.1',
    '１２７.０.０.１',
    '127。0。0。1',
    '127.255.255.254',
    '0',
    '0.0.0.0',
    '0x0',
    '00',
    // Private, link-local, shared, protocol assignments, benchmarks.
    '10.0.0.1',
    '10.255.255.255',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.0.1',
    '192.168.1',
    '3232235777',
    '169.254.169.254',
    '0xa9fea9fe',
    '100.64.0.1',
    '100.127.255.255',
    '192.0.0.8',
    '198.18.0.1',
    '198.19.9.9',
    // Multicast, reserved and broadcast.
    '224.0.0.251',
    '239.255.255.250',
    '240.0.0.1',
    '255.255.255.255',
    // IPv6: unspecified, loopback, link-local, unique-local, site-local, multicast.
    '[::]',
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[fe80::1]',
    '[febf::1]',
    '[fc00::1]',
    '[fd12:3456::1]',
    '[fec0::1]',
    '[ff02::1]',
    // IPv6 that carries a local IPv4 address: mapped, compatible, translated, NAT64, 6to4, Teredo.
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::ffff:192.168.0.1]',
    '[::127.0.0.1]',
    '[::ffff:0:127.0.0.1]',
    '[64:ff9b::127.0.0.1]',
    '[64:ff9b::a00:1]',
    '[64:ff9b:1::1]',
    '[2002:7f00:1::]',
    '[2002:c0a8:1::1]',
    '[2001::1]',
    // Documentation.
    '192.0.2.1',
    '198.51.100.255',
    '203.0.113.0',
    '[2001:db8::1]',
    '[3fff:fff::1]',
    // Names.
    'localhost',
    'LOCALHOST',
    'localhost.',
    'a.localhost',
    'printer.local',
    'printer.local.',
    'PRINTER.LOCAL',
    'db.internal',
    'metadata.google.internal',
    'router',
    'router.',
    'fritz.box.lan',
    'nas.home',
    'x.home.arpa',
    'a.intranet',
    'a.corp',
    'a.private',
    'host.localdomain',
    'ⓛocalhost',
  ])('%s', (authority) => {
    expect(isLocalHost(hostOf(authority))).toBe(true);
  });
});

describe('a public host', () => {
  it.each([
    'cdn.example.com',
    'local.example.com',
    'localhost.example.com',
    'internal.example',
    'mylocal.test',
    'xn--bcher-kva.example',
    '8.8.8.8',
    '1.1.1.1',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.0',
    '169.253.255.255',
    '169.255.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '192.0.1.0',
    '192.167.255.255',
    '192.169.0.0',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '[2606:4700:4700::1111]',
    '[2001:4860:4860::8888]',
    '[3fff:1000::1]',
    '[2001:db7::1]',
    '192.0.3.0',
    '198.51.99.255',
    '203.0.114.0',
    '[::ffff:8.8.8.8]',
    '[64:ff9b::8.8.8.8]',
    '[2002:808:808::1]',
  ])('%s', (authority) => {
    expect(isLocalHost(hostOf(authority))).toBe(false);
  });
});

it('judges an IPv4 address alike, whether it stands alone or mapped into IPv6', () => {
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      expect(isLocalHost(hostOf(`[::ffff:${address}]`))).toBe(isLocalHost(hostOf(address)));
      expect(isLocalHost(hostOf(`[64:ff9b::${address}]`))).toBe(isLocalHost(hostOf(address)));
    }),
  );
});

it('judges any spelling of an IPv6 address by its value', () => {
  fc.assert(
    fc.property(fc.ipV6(), (address) => {
      const authority = `[${address}]`;
      if (!URL.canParse(`http://${authority}/`)) return;
      const host = hostOf(authority);
      const isGlobal = /^\[[23][\da-f]{3}:/u.test(host);
      if (!isGlobal && !host.startsWith('[64:ff9b:') && !host.startsWith('[::ffff:'))
        expect(isLocalHost(host)).toBe(true);
    }),
  );
});
