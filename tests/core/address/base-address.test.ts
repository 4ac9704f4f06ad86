import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseBaseAddress } from '#core/address/base-address';
import { originPattern } from '#core/address/origin';
import { toUnicodeHost } from '#core/address/unicode-host';
import { fail } from '#core/result';
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
    ['https://market', 'https://market'],
    ['market:8443', 'https://market:8443'],
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
    ['htp:/market.test', 'scheme'],
    ['market', 'not-an-address'],
    ['market/shop', 'not-an-address'],
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
    expect(parseBaseAddress('ws://market.test')).toEqual(fail({ kind: 'scheme', scheme: 'ws' }));
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
