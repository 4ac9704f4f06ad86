import { describe, expect, test } from 'vitest';

import { marketplaceOf } from '#core/marketplaces/asking';
import { marketplaceIds, searchIn } from '#core/marketplaces/index';
import { faultOfText, serverError } from '#core/marketplaces/reply';
import { hideKey } from '#core/connections/index';
import { fail, succeed } from '#core/result';
import { rawReply, rawText } from '#tests/core/marketplaces/wire-examples';

describe('hide key', () => {
  const key = String.raw`k"ey\/0123456789`;

  test('puts dots in place of the key wherever a server repeats it', () => {
    const refused = fail({ kind: 'refused', msg: `Bad key ${key}, not ${key}.`, about: 'key' });
    expect(hideKey(refused, key)).toEqual(
      fail({ kind: 'refused', msg: 'Bad key ••••, not ••••.', about: 'key' }),
    );
    const deep = succeed({ items: [{ name: key, id: 7 }], noneFound: null });
    expect(hideKey(deep, key)).toEqual(
      succeed({ items: [{ name: '••••', id: 7 }], noneFound: null }),
    );
  });

  test('puts dots in place of the token behind a public key', () => {
    const token = 'a1b2'.repeat(8);
    const refused = fail({ kind: 'refused', msg: `token=${token}`, about: 'key' });
    expect(hideKey(refused, `${'0f'.repeat(16)}:${token}`)).toMatchObject({
      fault: { msg: 'token=••••' },
    });
  });

  test('returns what does not hold the key as it is', () => {
    const read = succeed({ kind: 'not-found', msg: 'Purchase not found', at: undefined });
    expect(hideKey(read, key)).toBe(read);
  });

  test('leaves the words of an answer alone that are a short key as well', () => {
    const read = succeed({ kind: 'purchase', name: 'purchase' });
    expect(hideKey(read, 'purchase')).toBe(read);
  });

  test('leaves a number alone whose digits are the key', () => {
    const read = succeed({ id: 123_456_789_012, text: '123456789012' });
    expect(hideKey(read, '123456789012')).toEqual(succeed({ id: 123_456_789_012, text: '••••' }));
  });
});

describe('a reply that is not JSON', () => {
  const notJson = (status: number, userAgent: string) => ({ kind: 'not-json', status, userAgent });

  test.each([
    // HTML in place of an answer may be the page that a bot is shown.
    ['Wait', 200, 'text/html', notJson(200, 'suspected')],
    ['Wait', 200, 'application/xhtml+xml', notJson(200, 'suspected')],
    ['\n<html>', 200, 'text/plain', notJson(200, 'suspected')],
    ['Wait', 200, 'text/plain', notJson(200, 'ruled-out')],
    ['<html>', 399, 'text/html', notJson(399, 'suspected')],
    ['<html>', 400, 'text/html', notJson(400, 'ruled-out')],
    ['<html>', 404, 'application/json', { kind: 'api-off' }],
    ['Not found', 404, 'text/plain', { kind: 'api-off' }],
    ['\n{"a":', 404, 'text/plain', notJson(404, 'ruled-out')],
    ['', 404, 'application/json', notJson(404, 'ruled-out')],
  ])('%j with status %i as %s', (text, status, contentType, fault) => {
    expect(faultOfText(rawText(text, status, { contentType }), text)).toEqual(fault);
  });
});

test('a server error may be tried again when the server said so', () => {
  expect(serverError(rawText('', 503))).toStrictEqual({ kind: 'server-error', status: 503 });
  expect(serverError(rawText('', 503, { retryAt: 7 }))).toStrictEqual({
    kind: 'server-error',
    status: 503,
    retryAt: 7,
  });
});

test('a search has come some way where a rate limit cut it short', () => {
  const search = { asked: 3, of: 8 };
  expect(searchIn({ kind: 'rate-limited', retryAt: 0, by: 'pacing', search })).toBe(search);
  expect(searchIn({ kind: 'rate-limited', retryAt: 0, by: 'server' })).toBeUndefined();
  const other = { kind: 'offline', search } as const;
  expect(searchIn(other)).toBeUndefined();
  expect(searchIn(undefined)).toBeUndefined();
});

test.each([
  { title: 'Error 1020: Access denied', status: 403, error_code: 1020, cloudflare_error: true },
  { message: 'Access denied by Imunify360 bot-protection.' },
])('a 403 of a firewall, %j, says nothing about a key, whichever marketplace is asked', (body) => {
  const reply = rawReply(body, 403);
  for (const marketplace of [undefined, ...marketplaceIds]) {
    const { purchase } = marketplaceOf({ ...(marketplace && { marketplace }) });
    expect(purchase('AB12-CD34', { store: '3' }).read(reply, 0)).toEqual(
      fail({ kind: 'not-json', status: 403, userAgent: 'ruled-out' }),
    );
  }
});

describe('a 404 of somebody else', () => {
  test.each([
    {},
    { message: 'no Route matched with those values' },
    { detail: 'Not Found' },
    { error: 'Not Found' },
    { code: 'rest_no_route', message: 'No route was found', data: { status: 404 } },
    { timestamp: '2026-11-03T09:00:00Z', status: 404, error: 'Not Found', path: '/v1' },
    { success: false, errors: [{ code: 7003, message: 'Could not route' }], result: null },
  ])('%j says nothing about a code, whichever marketplace is asked', (body) => {
    const reply = rawReply(body, 404);
    const believing = marketplaceIds.filter(
      (marketplace) =>
        marketplaceOf({ marketplace }).purchase('AB12-CD34', { store: '3' }).read(reply, 0).ok,
    );
    expect(believing).toEqual([]);
  });
});
