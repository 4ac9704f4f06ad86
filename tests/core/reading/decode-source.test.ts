import { describe, expect, it } from 'vitest';

import { utf8 } from '#core/encoding/index';
import { decodeSource, RepairTally } from '#core/reading/decode-source';
import { fileLimitBytes } from '#core/reading/file-limit';

const kindOf = (source: string | Uint8Array): string => {
  const decoded = decodeSource(source);
  return decoded.ok ? 'text' : decoded.fault.kind;
};
const repairsOf = (source: string | Uint8Array): unknown => {
  const decoded = decodeSource(source);
  return decoded.ok && [decoded.value.text, decoded.value.repairs];
};
const once = (...ids: string[]): unknown => ids.map((id) => ({ id, count: 1 }));
const latin1 = (text: string): Uint8Array =>
  Uint8Array.from(text, (letter) => letter.charCodeAt(0));
const utf16 = (text: string, isLittle: boolean): Uint8Array =>
  Uint8Array.from(
    Array.from(text).flatMap((letter) => {
      const [high, low] = [letter.charCodeAt(0) >> 8, letter.charCodeAt(0) & 255];
      return isLittle ? [low, high] : [high, low];
    }),
  );

describe('the size', () => {
  it('of bytes and of pasted text is measured in bytes, the limit included', () => {
    const most = 'x'.repeat(fileLimitBytes);
    for (const source of [most, utf8(most)]) expect(kindOf(source)).toBe('text');
    for (const source of [`${most}x`, utf8(`${most}x`)]) {
      expect(decodeSource(source)).toEqual({
        ok: false,
        fault: { kind: 'too-large', limitBytes: 262_144 },
      });
    }
  });

  it('of letters beyond ASCII is theirs in UTF-8', () => {
    const half = 'é'.repeat(fileLimitBytes / 2);
    expect(kindOf(half)).toBe('text');
    expect(kindOf(`${half}é`)).toBe('too-large');
  });
});

describe('text', () => {
  it.each(['', ' \n\t', '\uFEFF', utf8(''), utf8('\uFEFF  ')])(
    'without a letter is empty: %j',
    (source) => {
      expect(kindOf(source)).toBe('empty');
    },
  );

  it('comes back as it is', () => {
    expect(repairsOf('grüße')).toEqual(['grüße', []]);
    expect(repairsOf(utf8('grüße'))).toEqual(['grüße', []]);
  });

  it('loses its byte order mark, which is named', () => {
    expect(repairsOf('\uFEFFabc')).toEqual(['abc', once('byte-order-mark')]);
    expect(repairsOf(utf8('\uFEFFabc'))).toEqual(['abc', once('byte-order-mark')]);
  });

  it('that is no UTF-8 is read as Windows-1252', () => {
    expect(repairsOf(latin1('gr\u00fc\u00dfe \u0080'))).toEqual(['grüße €', once('not-utf-8')]);
    for (const text of ['ÿe', 'þe', 'eþ', 'eÿ']) {
      expect(repairsOf(latin1(text))).toEqual([text, once('not-utf-8')]);
    }
  });

  it.each([true, false])(
    'in UTF-16 is read by its mark or by its zeros (little-endian: %j)',
    (isLittle) => {
      expect(repairsOf(utf16('license!', isLittle))).toEqual(['license!', once('utf-16')]);
      expect(repairsOf(utf16('\uFEFFä', isLittle))).toEqual([
        'ä',
        once('byte-order-mark', 'utf-16'),
      ]);
    },
  );

  it('in UTF-16 needs zeros at every other place', () => {
    expect(kindOf(utf16('abcd', true))).toBe('text');
    expect(kindOf(utf16('abcd', false))).toBe('text');
    expect(kindOf(latin1('abcdefg\0abcdefg\0'))).toBe('binary');
    expect(kindOf(latin1('\0abcdefg\0abcdefg'))).toBe('binary');
  });
});

describe('what is no text', () => {
  it.each([
    ['a zero in pasted text', 'abc\0def'],
    ['a zero in UTF-8', latin1('abc\0def')],
    ['a zero in UTF-16', utf16('lice\0nse!', true)],
  ])('holds %s', (_name, source) => {
    expect(kindOf(source)).toBe('binary');
  });

  it('holds more than two control characters, which are more than one in twenty', () => {
    expect(kindOf(latin1(`${'\u0001'.repeat(3)}${'a'.repeat(56)}`))).toBe('binary');
    expect(kindOf(latin1(`${'\u0001'.repeat(3)}${'a'.repeat(57)}`))).toBe('text');
    expect(kindOf(latin1('\u0001\u0001a'))).toBe('text');
    for (const control of ['\u0008', '\u000e', '\u001f', '\u007f']) {
      expect(kindOf(latin1(`${control.repeat(3)}abc`))).toBe('binary');
    }
    for (const plain of ['\t', '\r', ' ', '~']) {
      expect(kindOf(latin1(`${plain.repeat(3)}abc`))).toBe('text');
    }
  });

  it.each([
    ['zip', 'PK\u0003\u0004 license.txt'],
    ['zip', 'PK\u0005\u0006'],
    ['zip', '\u001f\u008b\u0008'],
    ['zip', '7z\u00bc\u00af\u0027\u001c'],
    ['zip', 'Rar!\u001a\u0007'],
    ['zip', '\u00fd7zXZ\0'],
    ['zip', '\u0028\u00b5\u002f\u00fd'],
    ['image', '\u0089PNG\r\n\u001a\n'],
    ['image', '\u00ff\u00d8\u00ff'],
    ['image', 'GIF87a'],
    ['image', 'GIF89a'],
    ['image', 'II*\0'],
    ['image', 'MM\0*'],
    ['image', 'RIFF1234WEBP'],
    ['image', '\0\0\0\u0018ftypheic'],
    ['image', '\0\0\0\u0018ftypavif'],
    ['image', 'BM1234\0\0\0\0'],
    ['pdf', '%PDF-1.7'],
    ['office', 'PK\u0003\u0004 word/document.xml'],
    ['office', 'PK\u0003\u0004 xl/workbook.xml'],
    ['office', 'PK\u0003\u0004 ppt/slides'],
    ['office', 'PK\u0003\u0004 [Content_Types].xml'],
    ['office', 'PK\u0003\u0004 mimetypeapplication/vnd.oasis'],
    ['office', '\u00d0\u00cf\u0011\u00e0\u00a1\u00b1\u001a\u00e1'],
  ])('is called what it is: %s, %j', (kind, head) => {
    expect(kindOf(latin1(head))).toBe(kind);
  });

  it.each([
    'x GIF89a',
    'RIFF 1234',
    '1234WEBP1234',
    'x%PDF-',
    'BM abcdefgh',
    'in my ftypheic file',
    'ABCD1234WEBP',
    'PK word/',
    '{\\rtf1\\ansi text}',
  ])('is not told by a word in a text: %s', (text) => {
    expect(kindOf(latin1(text))).toBe('text');
  });
});

it('a tally counts each kind, in the order in which they came up', () => {
  const tally = new RepairTally();
  tally.add('spaces', 0);
  tally.add('label');
  tally.addAll([
    { id: 'padding', count: 2 },
    { id: 'label', count: 3 },
  ]);
  tally.addMatches('dashes', 'a-b-c', /-/g);
  tally.addMatches('armour', 'a-b-c', /x/g);
  expect(tally.list()).toEqual([
    { id: 'label', count: 4 },
    { id: 'padding', count: 2 },
    { id: 'dashes', count: 2 },
  ]);
});
