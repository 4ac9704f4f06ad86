import fc from 'fast-check';
import { describe, expect, test, it } from 'vitest';
import { parseBaseAddress, isLocalHost, toUnicodeHost } from '#core/address/base-address';
import { originPattern } from '#core/address/origin';
import { anyText } from '#tests/core/text/any-text';

function addressOf(text: string): string | undefined {
  const parsed = parseBaseAddress(text);
  return parsed.ok ? parsed.value.address : undefined;
}

function problemOf(text: string): string | undefined {
  const parsed = parseBaseAddress(text);
  return parsed.ok ? undefined : parsed.fault.kind;
}

describe('what is forgiven', () => {
  test.each([
    ['https://market.test', 'https://market.test'],
    ['  https://market.test/  ', 'https://market.test'],
    ['https://market.test///', 'https://market.test'],
    ['https://market.test/shop/', 'https://market.test/shop'],
    ['https://market.test/api', 'https://market.test'],
    ['https://market.test/api/api/', 'https://market.test'],
    ['https://market.test/API/', 'https://market.test'],
    ['https://market.test/shop/api', 'https://market.test/shop'],
    ['https://market.test/api/account/details', 'https://market.test'],
    ['https://market.test/demo/api/items/all', 'https://market.test/demo'],
    ['https://market.test/api/items/item/', 'https://market.test'],
    ['https://market.test/api/purchases/validation', 'https://market.test'],
    ['https://market.test/rapid-api', 'https://market.test/rapid-api'],
    ['market.test', 'https://market.test'],
    ['//market.test/shop', 'https://market.test/shop'],
    ['market.test:8443/shop', 'https://market.test:8443/shop'],
    ['HTTPS://MARKET.TEST:443/Shop', 'https://market.test/Shop'],
    ['localhost:8787/demo', 'http://localhost:8787/demo'],
    ['127.0.0.1:8787/demo', 'http://127.0.0.1:8787/demo'],
    ['http://localhost:8787', 'http://localhost:8787'],
    ['https://localhost', 'https://localhost'],
    ['https://market.test/a/../b', 'https://market.test/b'],
    ['https://market.test/?', 'https://market.test'],
  ])('%s becomes %s', (text, address) => {
    expect(addressOf(text)).toBe(address);
  });
});

describe('judged after URL parsing', () => {
  test.each([
    ['http://0x7f.1', 'http://127.0.0.1'],
    ['http://2130706433:8787', 'http://127.0.0.1:8787'],
    ['http://127.1/demo', 'http://127.0.0.1/demo'],
    ['0x7f.1:8787', 'http://127.0.0.1:8787'],
    ['https://market。test', 'https://market.test'],
    ['https://ｍarket.test', 'https://market.test'],
    [String.raw`https:\\market.test\shop`, 'https://market.test/shop'],
    [String.raw`https://market.test\@evil.test`, 'https://market.test/@evil.test'],
    ['https:market.test', 'https://market.test'],
    ['https://[2001:db8::1]/shop', 'https://[2001:db8::1]/shop'],
  ])('%s is called as %s', (text, address) => {
    expect(addressOf(text)).toBe(address);
  });

  test.each([
    ['', 'empty'],
    ['   ', 'empty'],
    ['http://market.test', 'insecure'],
    ['http://192.168.0.10', 'insecure'],
    ['http://127.0.0.2', 'insecure'],
    ['http://0.0.0.0', 'insecure'],
    ['http://[::1]:8787', 'insecure'],
    ['http://[::ffff:127.0.0.1]', 'insecure'],
    ['http://localhost.', 'insecure'],
    ['http://localhost.evil.test', 'insecure'],
    ['http://evil.localhost', 'insecure'],
    ['http://xn--lcalhost-n1a', 'insecure'],
    ['http://127.0.0.1@evil.test', 'user-info'],
    ['https://market.test@evil.test', 'user-info'],
    ['https://user:pass@market.test', 'user-info'],
    ['me@market.test', 'user-info'],
    ['https://market.test/?api_key=secret', 'query'],
    ['https://market.test/api/account/details?api_key=secret', 'query'],
    ['https://market.test/#top', 'fragment'],
    ['ftp://market.test', 'scheme'],
    ['file:///etc/passwd', 'scheme'],
    ['chrome-extension://abcdef', 'scheme'],
    ['javascript:alert(1)', 'not-an-address'],
    ['data:text/html,x', 'not-an-address'],
    ['https://', 'not-an-address'],
    ['https://mark\net.test', 'not-an-address'],
    ['https://mark et.test', 'not-an-address'],
    ['https://market.test:99999', 'not-an-address'],
    ['https://256.256.256.256', 'not-an-address'],
  ])('%j has the problem %s', (text, problem) => {
    expect(problemOf(text)).toBe(problem);
  });

  test('2000 characters are enough', () => {
    expect(problemOf(`https://market.test/${'a'.repeat(1981)}`)).toBe('too-long');
    expect(problemOf(`https://market.test/${'a'.repeat(1980)}`)).toBeUndefined();
  });

  test('a scheme that is neither http nor https is named', () => {
    expect(parseBaseAddress('ws://market.test')).toEqual({
      ok: false,
      fault: { kind: 'scheme', scheme: 'ws' },
    });
  });
});

describe('look-alike hosts', () => {
  test.each([
    ['https://bücher.test', 'xn--bcher-kva.test', 'bücher.test'],
    ['https://xn--bcher-kva.test:8443', 'xn--bcher-kva.test:8443', 'bücher.test:8443'],
    ['https://аррӏе.test', 'xn--80ak6aa92e.test', 'аррӏе.test'],
    ['https://маркет.рф:444', 'xn--80akogvo.xn--p1ai:444', 'маркет.рф:444'],
  ])('%s is shown as %s and as %s', (text, host, unicodeHost) => {
    const parsed = parseBaseAddress(text);
    expect(parsed.ok && [parsed.value.host, toUnicodeHost(parsed.value.host)]).toEqual([
      host,
      unicodeHost,
    ]);
  });
});

test.each([
  ['https://market.test', 'https://market.test/*'],
  ['https://market.test:8443/shop', 'https://market.test/*'],
  ['http://127.0.0.1:8787/demo', 'http://127.0.0.1/*'],
])('the match pattern of %s is %s, without port or path', (address, pattern) => {
  expect(originPattern(address)).toBe(pattern);
});

test('no text makes it throw, and what it accepts it accepts again unchanged', () => {
  const part = fc.constantFrom(
    'https://',
    'http://',
    'a.test',
    '127.0.0.1',
    ':8787',
    '/api',
    '/',
    '/a',
    '@',
    '?',
    '#',
    '//',
  );
  const texts = fc.array(fc.oneof(part, anyText), { maxLength: 8 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(texts, (text) => {
      const address = addressOf(text);
      if (address !== undefined) expect(addressOf(address)).toBe(address);
    }),
  );
});

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

test.each([
  ['xn--bcher-kva', 'bücher'],
  ['xn--80ak6aa92e.com', 'аррӏе.com'],
  ['xn--fsqu00a.xn--0zwm56d', '例子.测试'],
  ['xn--ls8h.la', '💩.la'],
  ['xn--maana-pta.com:8080', 'mañana.com:8080'],
])('%s reads %s', (ascii, unicode) => {
  expect(toUnicodeHost(ascii)).toBe(unicode);
});

test.each(['market.test', 'xn--', 'xn--a-', 'xn--99999999', 'xn--!', '[::1]:8787'])(
  '%s stays as it is',
  (host) => {
    expect(toUnicodeHost(host)).toBe(host);
  },
);

test('every host that URL parsing encodes is decoded to what was typed', () => {
  const letters = 'ä ö ü ß ñ é ж λ ш ق ש 例 子 测 試 か な 한 글 💩 a b c x y z 0 1 9'.split(' ');
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...letters), { minLength: 1, maxLength: 12 }), (signs) => {
      const address = `https://${signs.join('')}.test`;
      if (!URL.canParse(address)) return;
      const { hostname } = new URL(address);
      expect(new URL(`https://${toUnicodeHost(hostname)}`).hostname).toBe(hostname);
    }),
  );
});
