import { expect, it } from 'vitest';

import {
  bytesOfHex,
  concatBytes,
  equalBytes,
  hexOf,
  ownBytes,
  textOfUtf8,
  utf8,
} from '#core/encoding/bytes';

it('copies bytes only from memory that another thread could change', () => {
  const own = new Uint8Array([1, 2]);
  expect(ownBytes(own)).toBe(own);
  const shared = new Uint8Array(new SharedArrayBuffer(2));
  shared.set([1, 2]);
  const copied = ownBytes(shared);
  shared.fill(9);
  expect([...copied]).toEqual([1, 2]);
});

it('reads UTF-8 and keeps a byte order mark', () => {
  expect(textOfUtf8(utf8('\uFEFFgrüße 😀'))).toBe('\uFEFFgrüße 😀');
  expect(textOfUtf8(utf8('a written \uFFFD'))).toBe('a written \uFFFD');
});

it.each([
  [[0xff]],
  [[0x61, 0xc3]],
  [[0xc0, 0x80]],
  [[0xed, 0xa0, 0x80]],
  [[0xef, 0xbf, 0xbd, 0xff]],
])('reads %j as no UTF-8', (bytes) => {
  expect(textOfUtf8(new Uint8Array(bytes))).toBeUndefined();
});

it('compares bytes by length and by each byte', () => {
  const bytes = new Uint8Array([1, 2]);
  expect(equalBytes(bytes, new Uint8Array([1, 2]))).toBe(true);
  for (const other of [[1, 2, 3], [1, 3], [2, 2], [1]].map((values) => new Uint8Array(values))) {
    expect(equalBytes(bytes, other)).toBe(false);
    expect(equalBytes(other, bytes)).toBe(false);
  }
});

it('joins bytes in their order', () => {
  expect([...concatBytes(utf8('a'), utf8(''), utf8('bc'), utf8('d'))]).toEqual([97, 98, 99, 100]);
});

it('writes hexadecimal digits in lower case and reads either', () => {
  expect(hexOf(new Uint8Array([0, 10, 171, 255]))).toBe('000aabff');
  expect(bytesOfHex('000aABff')).toEqual(new Uint8Array([0, 10, 171, 255]));
  expect(bytesOfHex('')).toEqual(new Uint8Array());
});

it.each(['0', '0g', 'g0', '00 ', ' 000', '0x00'])('reads %j as no hexadecimal digits', (text) => {
  expect(bytesOfHex(text)).toBeUndefined();
});
