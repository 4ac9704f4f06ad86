import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toUnicodeHost } from '#core/address/unicode-host';

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
