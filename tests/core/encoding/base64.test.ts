import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { decodeBase64, encodeBase64 } from '#core/encoding/base64';

describe('base64', () => {
  test('encodes the examples of RFC 4648, section 10', () => {
    const encoded = ['', 'f', 'fo', 'foo', 'foob', 'fooba', 'foobar'].map((text) =>
      encodeBase64(new TextEncoder().encode(text)),
    );
    expect(encoded).toEqual(['', 'Zg==', 'Zm8=', 'Zm9v', 'Zm9vYg==', 'Zm9vYmE=', 'Zm9vYmFy']);
  });

  test('decodes what it encoded, also beyond one chunk', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        expect(decodeBase64(encodeBase64(bytes))).toEqual(bytes);
      }),
    );
    const picture = new Uint8Array(100_001).map((_, at) => at * 7);
    expect(encodeBase64(picture)).toBe(Buffer.from(picture).toString('base64'));
    expect(decodeBase64(encodeBase64(picture))).toEqual(picture);
  });

  test('refuses what is no base64', () => {
    expect(() => decodeBase64('Zm9v!')).toThrow();
  });
});
