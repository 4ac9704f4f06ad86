import { decodeHTML, encodeHTML, encodeNonAsciiHTML } from 'entities';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { readingsOf, transportsOfCodes } from '#core/reading/index';
import type { Reading, TransportId } from '#core/reading/reading';
import { anyText } from '#tests/core/text/any-text';

const readings = (text: string): Reading[] => [...readingsOf(text, transportsOfCodes)];

/**
 * Expects no more work than `readingsOf` promises: only the reading that uses its budget up may exceed it. A count for
 * every text would be some hundreds, since marks of many transports may be undone in many orders.
 */
function expectWithinBudget(text: string, all: readonly Reading[]): void {
  const costs = all.slice(1).map((one) => one.text.length + 100);
  const total = costs.reduce((sum, cost) => sum + cost, 0);
  expect(total - Math.max(0, ...costs)).toBeLessThanOrEqual(16 * (text.length + 2000));
  for (const { undone } of all) expect(undone.length).toBeLessThanOrEqual(3);
}

/** The text that is left when exactly these transports are undone. */
const undone = (text: string, ...ids: readonly TransportId[]): string | undefined =>
  readings(text).find((one) => one.undone.map(({ id }) => id).join() === ids.join())?.text;

test('plain text has one reading, whatever dashes, spaces and quotation marks are in it', () => {
  for (const text of ['', 'Hello.', 'a–b “c” > d', '100 % of it, 3 < 4 & 5', 'a = b'])
    expect(readings(text)).toHaveLength(1);
});

describe('quoted-printable', () => {
  test.each([
    ['UTF-8', 'code:=C2=A0x=E2=80=89y', 'code:\u00A0x\u2009y'],
    ['Latin-1', 'Schl=FCssel', 'Schlüssel'],
    ['four octets', '=F0=9F=98=80', '😀'],
    ['soft line ends', 'ab=\r\ncd= \nef', 'abcdef'],
    ['a character broken by a soft line end', 'a=C3=\r\n=BCb', 'aüb'],
    ['half a character', 'a=C3b', 'aÃb'],
    ['every octet', '=38=36=37=38', '8678'],
    ['a line end behind a soft one', 'ab=\r\n\r\ncd', 'ab\r\ncd'],
    ['a soft line end that HTML wrote', 'ab=\n\ncd', 'abcd'],
    ['a soft line end that a mail program wrote twice', '> ab=\r\r\n> cd', '> abcd'],
    ['a reply', '> ab=\r\n> cd', '> abcd'],
    ['a tag whose end is no mark of a reply', '<br=\r\n>ab', '<br>ab'],
    ['such a tag whose line goes on', 'a<br=\r\n>b=\r\nc', 'a<br>bc'],
  ])('%s', (_name, text, plain) => {
    expect(undone(text, 'quoted-printable')).toBe(plain);
  });

  test('is proven by what no value is, and not by a value that begins like an octet', () => {
    const isProven = (text: string): boolean | undefined => readings(text)[1]?.certain;
    for (const text of ['x: =20a', 'x=3Dy', 'in two parts=\nb', 'Stra=C3=9Fe'])
      expect(isProven(text)).toBe(true);
    for (const text of ['code=20a1', 'key=A1B2', 'a[b]=41', 'a=\nb', 'a==\nb'])
      expect(isProven(text)).toBe(false);
  });

  test('is undone behind the backslashes that were put before its characters', () => {
    expect(undone('a\\=C3\\=BC', 'quoted-printable')).toBeUndefined();
    expect(undone('a\\=C3\\=BC', 'backslashes', 'quoted-printable')).toBe('aü');
  });

  test('has capital digits alone', () => {
    expect(readings('a=3dx')).toHaveLength(1);
  });
});

describe('percent-encoding', () => {
  test.each([
    ['a text', 'code%3A%20x%C3%BC', 'code: xü'],
    ['a line end', 'code%0D%0Ax', 'code\r\nx'],
    ['Latin-1', 'Schl%FCssel', 'Schlüssel'],
    [
      '+ in the query of a link',
      'https://x.test/a+b?t=c+d#e f+g',
      'https://x.test/a+b?t=c d#e f+g',
    ],
    [
      'urldefense',
      'https://urldefense.proofpoint.com/v2/url?u=https-3A__x.test_-3Fkey-3D1-2D2&d=a-3Ab_c',
      'https://https://x.test/?key=1-2&d=a-3Ab_c',
    ],
  ])('%s', (_name, text, plain) => {
    expect(undone(text, 'percent-encoding')).toBe(plain);
  });
});

describe('backslashes', () => {
  test.each([
    ['line ends and tabs', String.raw`a\nb\r\nc\td`, 'a\nb\r\nc\td'],
    ['code units', String.raw`\u003d\u00a0\ud83d\ude00\u{1F600}\x41`, '=\u00A0😀😀A'],
    ['Markdown', String.raw`a\-b\_c\.d\*`, 'a-b_c.d*'],
    ['a quoted string', String.raw`{\"a\":\"b\/c\"}`, '{"a":"b/c"}'],
    ['a line that goes on', 'ab\\\ncd', 'abcd'],
    ['an escape that a soft line end cuts', 'a\\n\\=\nu0041', 'a\n\\=\nu0041'],
    ['a path is left', String.raw`C:\Users\8`, String.raw`C:\Users\8`],
  ])('%s', (_name, text, plain) => {
    expect(undone(text, 'backslashes') ?? text).toBe(plain);
  });
});

describe('joined strings', () => {
  test.each([
    ['JavaScript, Java, C#', 'k = "ab" +\n    "cd" + "ef";', 'k = "abcdef";'],
    ['PHP', "$k = 'ab'\n  . 'cd';", "$k = 'abcd';"],
    ['Visual Basic', 'k = "ab" & "cd"', 'k = "abcd"'],
    ['Visual Basic in two lines', 'k = "ab" & _\n    "cd"', 'k = "abcd"'],
    ['Python, C', 'k = ("ab"\n     "cd")', 'k = ("abcd")'],
    ['a shell', "k='ab' \\\n'cd'", "k='abcd'"],
    [
      'JSON in strings',
      String.raw`k = "{" + "\"ab" + "\"" + ": \"cd\"}"`,
      String.raw`k = "{\"ab\": \"cd\"}"`,
    ],
    ['a backslash before a joint', String.raw`k = "a\\" + "b"`, String.raw`k = "a\\b"`],
    ['an array is left', '["ab",\n "cd"]', undefined],
    ['other marks are left', '"ab"\n\'cd\'', undefined],
  ])('%s', (_name, text, plain) => {
    expect(undone(text, 'joined-strings')).toBe(plain);
  });

  test('are certain where a character adds them: codes may be listed one below the other', () => {
    expect(readings('"ab"\n"cd"')[1]?.certain).toBe(false);
    expect(readings('"ab" +\n"cd"')[1]?.certain).toBe(true);
  });
});

describe('HTML', () => {
  test.each([
    ['tags', '<p>a<wbr>b <b>c</b></p>', '\nab c\n'],
    ['blocks that follow each other', '<div>a\n</div>\r\n\r\n<p class="b>c">d</p>', '\na\nd\n'],
    ['a line end behind the tag of one', 'a<br>\nb<br/>\r\n\nc', 'a\nb\n\nc'],
    ['what is not shown', 'a<style>b{}</style><script>"</p>"</script>c', 'ac'],
    ['numbers', '&#8209;&#x2011;&#X2011', '\u2011\u2011\u2011'],
    ['a parameter that is named like a character', '?a=1&copy=2&num=3', '?a=1&copy=2&num=3'],
  ])('%s', (_name, text, plain) => {
    expect(undone(text, 'html') ?? text).toBe(plain);
  });

  test('references of letters, spaces and dashes are decoded as another decoder does', () => {
    const texts = [
      'Lizenzschlüssel, clé d’achat, código de licença, satın alma kodu, Ñandú – „a“',
      'a\u00A0b\u2009c\u2003d\u00ADe\u200Bf\u2011g—h=i+j/k_l#m',
    ];
    for (const text of texts)
      for (const encode of [encodeHTML, encodeNonAsciiHTML])
        expect(undone(encode(text), 'html')).toBe(
          decodeHTML(encode(text)).replaceAll('\u00AD', ''),
        );
  });
});

describe('look-alikes', () => {
  test.each([
    ['Cyrillic and Greek letters', '8f14\u04355f-\u0441\u0435\u0435\u0430-1', '8f14e5f-ceea-1'],
    [
      'other characters for the dashes',
      '8f14e45f_ceea.767f~9575ー28c4dd4bb4a1',
      '8f14e45f-ceea-767f-9575-28c4dd4bb4a1',
    ],
    ['but no words', 'асе-код 8678c3cd', undefined],
  ])('%s', (_name, text, plain) => {
    expect(undone(text, 'look-alikes')).toBe(plain);
  });

  test('are never certain', () => {
    expect(readings('8f14\u04355f-ceea')[1]?.certain).toBe(false);
  });
});

describe('several transports', () => {
  test('are undone one after the other, in any order, to a depth of three', () => {
    const html = '<p>code:&nbsp;1&#8209;2</p>';
    const mail = html.replaceAll('=', '=3D').replaceAll('&', '=26');
    const text = JSON.stringify({ link: `https://x.test/?body=${encodeURIComponent(mail)}` });
    expect(undone(text, 'percent-encoding', 'quoted-printable', 'html')).toContain(
      'code:\u00A01\u20112',
    );
    const thrice: TransportId[] = ['percent-encoding', 'percent-encoding', 'percent-encoding'];
    expect(undone('%25252541', ...thrice)).toBe('%41');
    expect(undone('%25252541', ...thrice, 'percent-encoding')).toBeUndefined();
  });

  test('where lines of a mail were broken, nothing is undone before that', () => {
    const mail = `<p>${'a'.repeat(60)}&#45=\r\n;b=3Dc</p>`;
    expect(readings(mail).map(({ undone }) => undone.map(({ id }) => id).join())).toEqual([
      '',
      'quoted-printable',
      'quoted-printable,html',
    ]);
  });

  test('every character is traced back to the source', () => {
    const text = 'x%3A%20&#8209;ab=C2=A0c';
    for (const reading of readings(text)) {
      const { length } = reading.text;
      for (let at = 0; at < length; at += 1) {
        expect(reading.endOf(at)).toBeGreaterThan(reading.startOf(at));
        if (at > 0) expect(reading.startOf(at)).toBeGreaterThanOrEqual(reading.endOf(at - 1) - 12);
        const character = reading.text.charAt(at);
        if (/[abcx]/.test(character))
          expect(text.slice(reading.startOf(at), reading.endOf(at))).toBe(character);
      }
    }
  });

  test('marks of many transports are undone in many orders, until the budget is used up', () => {
    const marks = String.raw`Ã¼=C2&amp;%25%3D"a" + "b"https://x.test/?q=%41[31m=
eight dash fourа8f-%3D&nbsp;%25[/b]\u0041[/b]`;
    const short = readings(marks);
    expect(short.length).toBeGreaterThan(100);
    expectWithinBudget(marks, short);
    const long = marks + ' and more'.repeat(50);
    expect(readings(long).length).toBeLessThan(short.length);
    expectWithinBudget(long, readings(long));
  });

  test('no text makes it throw; readings differ, are bounded and keep the places in order', () => {
    const piece = fc.oneof(
      anyText,
      fc.constantFrom(
        '=C2',
        '=\n',
        '%25',
        '%3D',
        '\\',
        '\\u00',
        '<p',
        '>',
        '&#',
        '&nbsp;',
        '?a=b+',
      ),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join('');
        const all = readings(text);
        expect(new Set(all.map((one) => one.text)).size).toBe(all.length);
        expectWithinBudget(text, all);
        for (const one of all)
          for (let at = 1; at < one.text.length; at += 1) {
            expect(one.startOf(at)).toBeGreaterThanOrEqual(one.startOf(at - 1));
            expect(one.endOf(at)).toBeLessThanOrEqual(text.length);
          }
      }),
    );
  });

  test.each([
    '=C2=A0',
    '%25',
    '\\\\',
    '<',
    '&',
    '&#65;',
    '<!--',
    '<script>',
    '<a "',
    '?',
    '?a+',
    'a\u0435-',
    '8f14e45f_',
    '=\n',
    '> ',
  ])('a megabyte of %j is read to its end', (piece) => {
    const text = piece.repeat(Math.floor(1_048_576 / piece.length));
    const started = performance.now();
    const characters = readings(text).reduce((sum, one) => sum + one.text.length, 0);
    expect(characters).toBeLessThanOrEqual(18 * text.length);
    // Where each tag reads the rest of the text anew, it takes half a minute.
    expect(performance.now() - started).toBeLessThan(15_000);
  });
});
