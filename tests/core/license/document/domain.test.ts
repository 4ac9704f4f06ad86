import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { compareDomains } from '#core/license/document/domain';
import { hasHiddenCharacters, hostOf } from '#core/http/host';

describe('comparing domains', () => {
  it.each([
    ['shop.example.com', 'shop.example.com', 'equal'],
    ['shop.example.com', 'SHOP.Example.COM', 'equal'],
    ['shop.example.com', 'shop.example.com.', 'equal'],
    ['shop.example.com', 'shop.example.com:8443', 'equal'],
    ['shop.example.com:443', 'shop.example.com', 'equal'],
    ['shop.example.com', 'https://shop.example.com/cart?x=1#y', 'equal'],
    ['shop.example.com', '  http://user@shop.example.com/ ', 'equal'],
    ['shop.example.com', '//shop.example.com/', 'equal'],
    ['münchen.example', 'xn--mnchen-3ya.example', 'equal'],
    ['xn--mnchen-3ya.example', 'MÜNCHEN.example', 'equal'],
    ['shop.example.com', 'shop.example\u200B.com', 'equal'],
    ['localhost', 'http://localhost:3000', 'equal'],
    ['[::1]', 'http://[::1]:8080/', 'equal'],
    ['example.com', 'www.example.com', 'www'],
    ['www.example.com', 'example.com', 'www'],
    ['example.com', 'shop.example.com', 'subdomain'],
    ['shop.example.com', 'example.com', 'parent'],
    ['shop.example.com', 'localhost', 'local'],
    ['shop.example.com', 'shop.test', 'local'],
    ['shop.example.com', '192.168.1.5', 'local'],
    ['shop.example.com', '127.0.0.1:8080', 'local'],
    ['shop.example.com', '172.16.0.5', 'local'],
    ['shop.example.com', '172.20.1.1:8080', 'local'],
    ['shop.example.com', '169.254.1.1', 'local'],
    ['shop.example.com', '[fd00::1]', 'local'],
    ['shop.example.com', 'shop.lan', 'local'],
    ['shop.example.com', 'devbox', 'local'],
    ['shop.invalid', 'shop.example.com', 'local'],
    ['shop.example.com', '93.184.216.34', 'other'],
    ['10.0.0.5', '192.168.1.5', 'other'],
    ['shop.example.com', 'staging.shop.example.com', 'staging'],
    ['shop.example.com', 'shop-dev.example.com', 'staging'],
    ['staging2.example.com', 'shop.example.com', 'staging'],
    ['shop.example.com', 'dev.other.example.org', 'other'],
    ['shop.example.com', 'shop.example.com..', 'other'],
    ['shop.example.com', 'shop.examp1e.com', 'other'],
    ['еxample.com', 'example.com', 'other'],
    ['shop.example\u200F.com', 'shop.example.com', 'hidden-characters'],
    ['shop.www.example.com', 'shop.example.com', 'other'],
    ['shop.example.com', 'shop.www.example.com', 'other'],
    ['shop.example.com', 'staging.other.com', 'other'],
    ['shop.example.com', 'not a domain', 'unreadable'],
    ['shop.example.com', '', 'unreadable'],
    ['', 'shop.example.com', 'unreadable'],
  ] as const)('%j against %j: %s', (bound, expected, difference) => {
    expect(compareDomains(bound, expected)).toBe(difference);
  });

  it.each([
    ['custom://Shop.Example.com/x', 'shop.example.com'],
    ['shop.example.com/?from=http://other.example', 'shop.example.com'],
    ['shop.example.com//cart', 'shop.example.com'],
    ['.', undefined],
    ['\u200B', undefined],
  ])('the host of %j is %j', (text, host) => {
    expect(hostOf(text)).toBe(host);
  });

  it('takes the short way to the same answer as the parser', () => {
    const label = fc.stringMatching(/^[a-z0-9-]{1,8}$/);
    fc.assert(
      fc.property(fc.array(label, { minLength: 1, maxLength: 4 }), (labels) => {
        const name = labels.join('.');
        const parsed = URL.canParse(`https://${name}`)
          ? new URL(`https://${name}`).hostname
          : undefined;
        expect(hostOf(name)).toBe(parsed);
      }),
    );
  });

  it('takes no text for a reason to throw', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
        compareDomains(a, b);
        hasHiddenCharacters(a);
      }),
    );
  });
});
