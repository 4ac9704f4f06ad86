import { describe, expect, test } from 'vitest';

import { hideKey } from '#core/marketplaces/reply';
import { fail, succeed } from '#core/result';

describe('hide key', () => {
  const key = String.raw`k"ey\/0123456789`;

  test('puts dots in place of the key wherever a server repeats it', () => {
    const refused = fail({ kind: 'refused', msg: `Bad key ${key}, not ${key}.`, about: 'key' });
    expect(hideKey(refused, key)).toEqual({
      ok: false,
      fault: { kind: 'refused', msg: 'Bad key ••••, not ••••.', about: 'key' },
    });
    const deep = succeed({ items: [{ name: key, id: 7 }], noneFound: null });
    expect(hideKey(deep, key)).toEqual({
      ok: true,
      value: { items: [{ name: '••••', id: 7 }], noneFound: null },
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
