import { describe, expect, it } from 'vitest';

import { isForeignShare } from '#core/site/share-rule';

const own = 'https://tools.example';

describe('isForeignShare', () => {
  it.each([
    ['the operating system names nothing', { origin: 'null', referrer: '' }, false],
    ['no header at all', { origin: null, referrer: '' }, false],
    ['a page of the verifier', { origin: own, referrer: `${own}/verifier/` }, false],
    ['a foreign form', { origin: 'https://evil.example', referrer: '' }, true],
    ['a foreign referrer alone', { origin: 'null', referrer: 'https://evil.example/x' }, true],
    ['the same host at another port', { origin: `${own}:8443`, referrer: '' }, true],
    ['the same host without TLS', { origin: 'http://tools.example', referrer: '' }, true],
  ])('%s', (_, sender, foreign) => {
    expect(isForeignShare(sender, own)).toBe(foreign);
  });
});
