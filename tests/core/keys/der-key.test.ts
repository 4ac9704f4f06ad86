import { describe, expect, it } from 'vitest';

import { type Bytes, bytesOfHex, concatBytes } from '#core/encoding/index';
import { readDerKey } from '#core/keys/public-key';

const bytes = (hex: string): Bytes => bytesOfHex(hex) ?? new Uint8Array();
/** Writes one DER element with the shortest length. */
const element = (tag: number, ...parts: readonly Uint8Array[]): Bytes => {
  const content = concatBytes(...parts);
  const { length } = content;
  const long = length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return concatBytes(Uint8Array.of(tag, ...(length < 128 ? [length] : long)), content);
};
const sequence = (...parts: readonly Uint8Array[]): Bytes => element(0x30, ...parts);
const oid = (hex: string): Bytes => element(0x06, bytes(hex));
const key = new Uint8Array(32).fill(9);
const bits = (...parts: readonly Uint8Array[]): Bytes => element(0x03, Uint8Array.of(0), ...parts);
const ed25519 = oid('2b6570');
const number = (length: number): Bytes => element(0x02, new Uint8Array(length).fill(1));

describe('a DER structure', () => {
  it('is an Ed25519 key where it is that and nothing more', () => {
    expect(readDerKey(sequence(sequence(ed25519), bits(key)))).toEqual({
      kind: 'public',
      bytes: key,
    });
  });

  it.each([
    ['nothing', bytes('')],
    ['one byte', bytes('30')],
    ['an empty sequence', sequence()],
    ['another outer tag', element(0x31, sequence(ed25519), bits(key))],
    ['a byte after it', concatBytes(sequence(sequence(ed25519), bits(key)), bytes('00'))],
    ['a byte after the key', sequence(sequence(ed25519), bits(key), bytes('00'))],
    ['no key', sequence(sequence(ed25519))],
    ['a key that is no bit string', sequence(sequence(ed25519), element(0x04, bytes('00'), key))],
    ['a key with unused bits', sequence(sequence(ed25519), element(0x03, bytes('01'), key))],
    ['no algorithm', sequence(sequence(), bits(key))],
    [
      'an algorithm that is no identifier',
      sequence(sequence(element(0x05, bytes('2b6570'))), bits(key)),
    ],
    ['an algorithm with a parameter', sequence(sequence(ed25519, element(0x05)), bits(key))],
    ['an algorithm outside a sequence', sequence(element(0x31, ed25519), bits(key))],
    ['less than its length says', sequence(sequence(ed25519), bits(key)).slice(0, -1)],
    ['a number alone', sequence(number(1))],
    ['a number and something else', sequence(number(1), element(0x05))],
    ['an open length', concatBytes(bytes('3080'), sequence(ed25519), bits(key))],
    ['a length in three bytes', concatBytes(bytes('308300002a'), sequence(ed25519), bits(key))],
  ])('is no key where it is %s', (_name, der) => {
    expect(readDerKey(der)).toBeUndefined();
  });

  it.each([
    ['2a864886f70d010101', 'RSA'],
    ['2a8648ce3d0201', 'ECDSA'],
    ['2b656e', 'X25519'],
    ['2b656f', 'X448'],
    ['2b6571', 'Ed448'],
    ['2b0501', '2b0501'],
  ])('of the algorithm %s is called %s, whatever its length', (identifier, algorithm) => {
    for (const length of [1, 127, 128, 200, 300, 1000]) {
      const der = sequence(sequence(oid(identifier), element(0x05)), bits(new Uint8Array(length)));
      expect(readDerKey(der)).toEqual({ kind: 'other-algorithm', algorithm });
    }
  });

  it.each([
    ['PKCS#8', sequence(number(1), sequence(ed25519), element(0x04, key))],
    ['an elliptic curve’s own form', sequence(number(1), element(0x04, key))],
    ['PKCS#1 with more than two numbers', sequence(number(1), number(200), number(3), number(200))],
  ])('is a private key as %s', (_name, der) => {
    expect(readDerKey(der)).toEqual({ kind: 'private' });
  });

  it('of two numbers is a public RSA key', () => {
    expect(readDerKey(sequence(number(256), number(3)))).toEqual({
      kind: 'other-algorithm',
      algorithm: 'RSA',
    });
  });
});
