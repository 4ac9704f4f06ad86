import { describe, expect, it } from 'vitest';

import { base64UrlOfBase64, decodeBase64Url, encodeBase64Url } from '#core/encoding/bytes';

const bytes = (...values: number[]): Uint8Array => new Uint8Array(values);

describe('base64url', () => {
  it.each([
    [bytes(), ''],
    [bytes(0x66), 'Zg'],
    [bytes(0x66, 0x6f), 'Zm8'],
    [bytes(0x66, 0x6f, 0x6f), 'Zm9v'],
    [bytes(0x66, 0x6f, 0x6f, 0x62), 'Zm9vYg'],
    [bytes(0xff, 0xff, 0xff), '____'],
    [bytes(0xfb, 0xef, 0xbe), '----'],
    [bytes(0, 0, 0, 1, 2, 255), 'AAAAAQL_'],
  ])('writes and reads %j as %s', (raw, text) => {
    expect(encodeBase64Url(raw)).toBe(text);
    expect(decodeBase64Url(text)).toEqual(raw);
  });

  it.each([
    ['a length that no bytes have', 'Zm9vY'],
    ['such a length, though no bit is left over', 'Zm9vA'],
    ['padding', 'Zg=='],
    ['the letters of classic base64', 'ab+/'],
    ['a letter beyond ASCII', 'Zm9é'],
    ['a set bit after one byte', 'Zh'],
    ['a set bit after two bytes', 'Zm9'],
  ])('refuses %s', (_name, text) => {
    expect(decodeBase64Url(text)).toBeUndefined();
  });

  it('is what classic base64 is without its two letters and its padding', () => {
    expect(base64UrlOfBase64('+/+/Zg==')).toBe('-_-_Zg');
    expect(base64UrlOfBase64('a=b=')).toBe('a=b');
  });
});
