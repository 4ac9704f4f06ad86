import { describe, expect, it } from 'vitest';

import { mediaFetcher } from '#core/seller/media-fetcher';

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
    ['a public shop’s own origin without TLS', 'http://a.example/a', 'http://a.example', 'nobody'],
    ['no link', 'javascript:alert(1)', shop, 'nobody'],
    ['no address', 'a.png', shop, 'nobody'],
    ['user information', 'https://a:b@cdn.example/a.png', shop, 'nobody'],
  ])('%s', (_, address, baseAddress, fetcher) => {
    expect(mediaFetcher(address, baseAddress)).toBe(fetcher);
  });
});
