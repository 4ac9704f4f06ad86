import { describe, expect, it, test } from 'vitest';

import { mediaFetcher, mediaTypeOf } from '#core/items/media';

describe('media fetcher', () => {
  const shop = 'https://market.example/shop';
  const loopback = 'http://127.0.0.1:8787/market';

  describe('who may fetch what a seller names', () => {
    it.each([
      ['a public host', 'https://cdn.example/a.png', shop, 'page'],
      ['the shop itself', 'https://market.example/a.png', shop, 'page'],
      ['a public host, for a shop on loopback', 'https://cdn.example/a.png', loopback, 'page'],
      ['a public host without TLS', 'http://cdn.example/a.png', shop, 'nobody'],
      ['the shop itself without TLS', 'http://market.example/a.png', shop, 'nobody'],
      ['loopback', 'http://127.0.0.1/router/reboot', shop, 'nobody'],
      ['loopback in another spelling', 'http://0x7f.1/router/reboot', shop, 'nobody'],
      ['loopback over TLS', 'https://localhost/a.png', shop, 'nobody'],
      ['a private address over TLS', 'https://192.168.1.1/a.png', shop, 'nobody'],
      ['a name of the local network', 'https://nas.local/a.png', shop, 'nobody'],
      ['a name of one label', 'https://router/a.png', shop, 'nobody'],
      ['an IPv4 address mapped into IPv6', 'https://[::ffff:10.0.0.1]/a.png', shop, 'nobody'],
      ['a private shop’s own origin', 'https://10.0.0.5/a.png', 'https://10.0.0.5/shop', 'page'],
      ['another private host', 'https://10.0.0.6/a.png', 'https://10.0.0.5/shop', 'nobody'],
      ['another port of a private shop', 'https://10.0.0.5:8443/a', 'https://10.0.0.5', 'nobody'],
      ['the own origin on loopback', 'http://127.0.0.1:8787/media/a.svg', loopback, 'worker'],
      ['the own origin in another spelling', 'http://0x7f.1:8787/media/a.svg', loopback, 'worker'],
      ['another port of loopback', 'http://127.0.0.1:631/a.png', loopback, 'nobody'],
      ['another name of loopback', 'http://localhost:8787/a.png', loopback, 'nobody'],
      [
        'a public shop’s own origin without TLS',
        'http://a.example/a',
        'http://a.example',
        'nobody',
      ],
      ['no link', 'javascript:alert(1)', shop, 'nobody'],
      ['no address', 'a.png', shop, 'nobody'],
      ['user information', 'https://a:b@cdn.example/a.png', shop, 'nobody'],
    ])('%s', (_, address, baseAddress, fetcher) => {
      expect(mediaFetcher(address, baseAddress)).toBe(fetcher);
    });
  });
});

describe('media type', () => {
  const bytes = (latin1: string): Uint8Array => Uint8Array.from(latin1, (c) => c.charCodeAt(0));

  test.each([
    ['\x89PNG\r\n\x1A\n....', 'image/png'],
    ['\xFF\xD8\xFF\xE0', 'image/jpeg'],
    ['GIF87a', 'image/gif'],
    ['GIF89a', 'image/gif'],
    ['RIFF\x01\x02\x03\nWEBPVP8 ', 'image/webp'],
    ['\0\0\0\x20ftypavif', 'image/avif'],
    ['\0\0\0\x20ftypavis', 'image/avif'],
    ['RIFF....WAVEfmt ', 'audio/wav'],
    ['ID3\x04', 'audio/mpeg'],
    ['\xFF\xFB\x90', 'audio/mpeg'],
    ['OggS', 'audio/ogg'],
    ['fLaC', 'audio/flac'],
    ['\0\0\0\x20ftypM4A ', 'audio/mp4'],
    ['\0\0\0\x20ftypisom', 'video/mp4'],
    ['\x1A\x45\xDF\xA3', 'video/webm'],
    ['<svg xmlns="http://www.w3.org/2000/svg">', 'image/svg+xml'],
    ['\xEF\xBB\xBF <?xml version="1.0"?>\n<!-- made by hand -->\n<svg>', 'image/svg+xml'],
  ])('%j is %s by its content', (content, type) => {
    expect(mediaTypeOf(bytes(content))).toBe(type);
  });

  test.each([
    '',
    'GIF',
    '<!doctype html><svg>',
    '<html><svg>',
    'text <svg>',
    '{"svg":"<svg>"}',
    '<svgx>',
    '%PDF-1.7',
    '<script>',
    'RIFF....AVI ',
    `${' '.repeat(600)}<svg>`,
  ])('%j is no picture, sound or video', (content) => {
    expect(mediaTypeOf(bytes(content))).toBeUndefined();
  });
});
