import { describe, expect, test } from 'vitest';

import {
  detectEncoding,
  encodeText,
  hasByteOrderMark,
  type TextEncodingName,
} from '#core/tables/index';

const encodings: readonly TextEncodingName[] = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'];

describe.each(encodings)('%s', (encoding) => {
  test('is decoded to the same text', () => {
    const text = 'Größe; 5 € “quoted” \u0081\r\n';
    const bytes = encodeText(text, encoding);
    expect(new TextDecoder(encoding).decode(bytes)).toBe(text);
  });

  test('comes back byte for byte', () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte);
    const text = new TextDecoder(encoding).decode(bytes);
    if (encoding === 'windows-1252') expect(encodeText(text, encoding)).toEqual(bytes);
    else expect(new TextDecoder(encoding).decode(encodeText(text, encoding))).toBe(text);
  });
});

test('only Windows-1252 has no place for some characters', () => {
  expect(encodings.map((encoding) => encodeText('日本', encoding) !== undefined)).toEqual([
    true,
    true,
    true,
    false,
  ]);
});

test('a byte order mark is found where it stands', () => {
  const marked = encodeText('\uFEFFcode', 'utf-16le') ?? new Uint8Array();
  expect(detectEncoding(marked, false)).toBe('utf-16le');
  expect(hasByteOrderMark(marked, 'utf-16le')).toBe(true);
  expect(hasByteOrderMark(new TextEncoder().encode('code'), 'utf-8')).toBe(false);
  expect(hasByteOrderMark(new Uint8Array(), 'windows-1252')).toBe(false);
});
