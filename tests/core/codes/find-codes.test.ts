import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createCodeCollector } from '#core/bulk/collect-codes';
import { canonicalCode, sameCode } from '#core/codes/code-spelling';
import { locateCodes } from '#core/codes/find-codes';
import { findCodes } from '#tests/core/codes/found-codes';
import { anyText } from '#tests/core/text/any-text';
import { isUnderMutation } from '#tests/support/under-mutation';

describe('find codes', () => {
  const code = '8f14e45f-ceea-767f-9575-28c4dd4bb4a1';
  const other = '0cc175b9-c0f1-b6a8-31c3-99e269772661';
  const codesIn = (text: string, ...patterns: string[]): string[] =>
    findCodes(text, { patterns }).map((found) => found.code);

  describe('the common form', () => {
    test.each([
      ['alone', code],
      ['in upper case', code.toUpperCase()],
      ['in mixed case', '8F14e45f-CEEA-767f-9575-28C4dd4bb4a1'],
      ['with no letters in it', '81145450-0330-7670-9575-280400400401'],
      ['of any variant', '8f14e45f-ceea-067f-f575-28c4dd4bb4a1'],
      ['with no digits in it', 'facefeed-cafe-babe-dead-beefdeadbeef'],
    ])('%s', (_name, text) => {
      expect(findCodes(text)).toEqual([{ code: text, start: 0, end: 36, kind: 'uuid-form' }]);
    });

    test.each([
      `Code: ${code}.`,
      `"${code}"`,
      `“${code}”, thanks`,
      `(${code})`,
      `<${code}>`,
      `**${code}**`,
      `- ${code}`,
      `-${code}`,
      `Purchase code:-${code}`,
      `code=${code}&x=1`,
      `code=3D${code}&x=3D1`,
      `https://market.test/check?purchase_code=3D${code}&x=3D1`,
      `${code}-`,
      `${code}—thanks`,
      `thanks—${code}`,
      `thanks${'-'.repeat(9)}${code}`,
      `[${code}]`,
      `{${code}}`,
      `${code}!`,
      `购买码是${code}谢谢`,
      `item:${code}:end`,
      `purchases/${code}`,
      `"purchase_code": "${code}"`,
      `${code}\tHarbour theme\t29.00`,
      `I see ${code}.Thanks`,
      `dead beef ${code} cafe`,
      `8f14e45f ${code} 28c4dd4bb4a1`,
    ])('stands in %j, with where it stands', (text) => {
      const [found, ...more] = findCodes(text);
      expect(more).toEqual([]);
      expect(found).toMatchObject({ code, kind: 'uuid-form' });
      expect(text.slice(found?.start, found?.end)).toBe(code);
    });
  });

  describe('mended', () => {
    test.each([
      ['spaces around dashes', '8f14e45f - ceea -767f- 9575 - 28c4dd4bb4a1', ['spaces']],
      ['non-breaking spaces', '8f14e45f\u00A0-\u00A0ceea-767f-9575-28c4dd4bb4a1', ['spaces']],
      ['a space within a group', '8f14e45f-ceea-767f-9575-28c4dd 4bb4a1', ['spaces']],
      ['spaces within two groups', '8f14 e45f-ceea-767f-9575-28c4dd 4bb4a1', ['spaces']],
      ['spaces for dashes', '8f14e45f ceea 767f 9575 28c4dd4bb4a1', ['spaces', 'dashes']],
      [
        'zero-width spaces',
        '8f14e45f-\u200Bceea-767f-9575-28c4\u200B\u200Ddd4bb4a1',
        ['invisible-characters'],
      ],
      ['soft hyphens', '8f14\u00ADe45f-ceea-767f-9575-28c4dd4bb4a1', ['invisible-characters']],
      [
        'a filler, a tag and a variation selector',
        '8f14\u3164e45f-\u{E0020}ceea-767f-9575\u{E0100}-28c4dd4bb4a1',
        ['invisible-characters'],
      ],
      ['a BOM', '8f14e45f\uFEFF-ceea-767f-9575-28c4dd4bb4a1', ['invisible-characters']],
      ['non-breaking hyphens', code.replaceAll('-', '\u2011'), ['dashes']],
      ['en dashes', code.replaceAll('-', '–'), ['dashes']],
      ['a doubled dash', '8f14e45f--ceea-767f-9575-28c4dd4bb4a1', ['dashes']],
      ['em dashes and minus signs', '8f14e45f—ceea−767f－9575―28c4dd4bb4a1', ['dashes']],
      ['a broken line after a dash', '8f14e45f-ceea-\n767f-9575-28c4dd4bb4a1', ['line-breaks']],
      ['a broken line within a group', '8f14e45f-ce\r\nea-767f-9575-28c4dd4bb4a1', ['line-breaks']],
      ['quoted mail', '8f14e45f-ceea-767f-\n> 9575-28c4dd4bb4a1', ['line-breaks']],
      ['mail quoted twice', '8f14e45f-ceea-767f-9575- \r\n> > 28c4dd4bb4a1', ['line-breaks']],
      ['a soft line break of mail', '8f14e45f-ceea-767f-95=\r\n75-28c4dd4bb4a1', ['line-breaks']],
      ['a line separator', '8f14e45f-ceea-\u2028767f-9575-28c4dd4bb4a1', ['line-breaks']],
      ['full-width letters and digits', '８ｆ14e45f-ceea-767f-9575-28c4dd4bb4a１', ['full-width']],
      [
        'everything at once',
        '8f14e45f –\u200B ceea-76\n> 7f-9575-28c4dd4bb4a１',
        ['line-breaks', 'spaces', 'invisible-characters', 'dashes', 'full-width'],
      ],
    ])('%s', (_name, mangled) => {
      const text = `Hello, ${mangled}, thanks`;
      expect(findCodes(text)).toEqual([
        { code, start: 7, end: 7 + mangled.length, kind: 'uuid-form' },
      ]);
    });
  });

  test('a lost dash is mended in digits alone while other dashes stand', () => {
    expect(codesIn('81145450-0330 7670-9575-280400400401')).toEqual([
      '81145450-0330-7670-9575-280400400401',
    ]);
  });

  describe('not a code', () => {
    const license = `${'eyJ0eXAi'.repeat(4)}-${code}_x.${'c2ln'.repeat(21)}`;

    test.each([
      `a${code}`,
      `${code}0`,
      `9${code}`,
      `z${code}`,
      `thanks${'-'.repeat(8)}${code}`,
      `f00-${code}`,
      `${code}-f00`,
      `x_${code}`,
      `${code}_x`,
      `${code}${code}`,
      'd41d8cd98f00b204e9800998ecf8427e',
      'da39a3ee5e6b4b0d3255bfef95601890afd80709',
      '8f14e45f-ceea-767f-9575-28c4dd4bb4a',
      '8f14e45f-ceea-767f-9575-28c4dd4bb4g1',
      '8f14e45f-ceea-767f-957528c4dd4bb4a1',
      '12345678 1234 1234 1234 123456789012',
      'facefeed cafe babe dead beefdeadbeef',
      'facefeed - cafe-babe-dead-beefdeadbeef',
      'face feed - cafe-babe-dead-beefdeadbeef',
      '8f14 e45f-ce ea-76 7f-9575-28c4dd4bb4a1',
      '8f14 g45f-ceea-767f-9575-28c4dd4bb4a1',
      '8f14e45f\n\n\n\nceea-767f-9575-28c4dd4bb4a1',
      license,
      `https://cdn.test/attachments/${code}`,
      `https://cdn.test/attachments/${code}/shot.png?w=1`,
      `see www.cdn.test/${code} please`,
      `https://desk.test/t?session=${code}`,
      `Message-ID: <${code}@mail.test>`,
      `Attached: ${code}.png`,
      `installation_id: ${code}`,
      `installation_id=3D${code}`,
      `https://desk.test/t?session=3D${code}`,
      `a=3d${code}`,
      `"installation_id": "${code}"`,
      `"license_id":"${code}"`,
      `Request ID ${code}`,
      '',
      '-',
      ' ',
    ])('%j', (text) => {
      expect(codesIn(text)).toEqual([]);
    });

    test('but an address whose own words call it a code holds one', () => {
      expect(codesIn(`https://market.test/check?purchase_code=${code}&x=1`)).toEqual([code]);
      expect(codesIn(`https://market.test/licenses/${code}`)).toEqual([code]);
      expect(codesIn(`https://cdn.test/${other} has nothing, ${code} is it`)).toEqual([code]);
    });
  });

  describe('several codes', () => {
    test('come in the order they first appear, each once whatever its case', () => {
      const text = `${other}\n${code}, ${other.toUpperCase()} and again ${code}`;
      expect(codesIn(text)).toEqual([other, code]);
    });

    test('are told apart line by line', () => {
      expect(codesIn(`${code}\n${other}`)).toEqual([code, other]);
      expect(codesIn(`> ${code}\r\n> ${other}`)).toEqual([code, other]);
      expect(codesIn(`${code} ${other}`)).toEqual([code, other]);
    });

    test('the same one mended and whole is one', () => {
      expect(codesIn(`${code.replaceAll('-', '–')} ${code}`)).toEqual([code]);
    });

    test('of other forms are each once whatever their case, as in a bulk check', () => {
      const text = 'Purchase code: XYZ-12345-q\nPurchase code: XYZ-12345-Q';
      expect(codesIn(text)).toEqual(['XYZ-12345-q']);
      const collector = createCodeCollector('line');
      for (const [line, code] of ['XYZ-12345-q', 'XYZ-12345-Q'].entries())
        collector.add(code, line);
      expect(collector.codes.map(({ code }) => code)).toEqual(codesIn(text));
    });
  });

  describe('the same code', () => {
    test.each([
      [code, code.toUpperCase(), true],
      [code, code.replaceAll('-', ''), true],
      [code, ` ${code}`, true],
      [`0${code}`, `0${code.replaceAll('-', '')}`, false],
      [`${code}0`, `${code.replaceAll('-', '')}0`, false],
      [code, other, false],
      ['XYZ-12345-q', 'xyz-12345-Q', true],
      ['XYZ-12345-q', 'XYZ12345q', false],
    ])('%j and %j: %j', (one, another, same) => {
      expect(sameCode(one, another)).toBe(same);
    });

    test('is one rule for the finder and the bulk check, whatever the spellings', () => {
      const spelling = fc.constantFrom(code, code.toUpperCase(), 'XYZ-12345', 'xyz-12345', other);
      fc.assert(
        fc.property(fc.array(spelling, { minLength: 1, maxLength: 8 }), (codes) => {
          const collector = createCodeCollector('line');
          for (const [line, one] of codes.entries()) collector.add(one, line);
          const text = codes.map((one) => `Purchase code: ${one}`).join('\n');
          const names = new Set(codes.map(canonicalCode));
          expect(new Set(codesIn(text).map(canonicalCode))).toEqual(names);
          expect(codesIn(text)).toHaveLength(names.size);
          expect(collector.codes).toHaveLength(names.size);
        }),
      );
    });
  });

  describe('labelled codes of other forms', () => {
    test.each([
      [
        'Purchase code: 1A2B3C4D5E-6F7G8-9H0I1-J2K3L-4M5N6O7P8Q',
        '1A2B3C4D5E-6F7G8-9H0I1-J2K3L-4M5N6O7P8Q',
      ],
      ['PURCHASE CODE ABCD1234EFGH5678IJKL9012', 'ABCD1234EFGH5678IJKL9012'],
      ['purchase_code=LIC-2024-XYZW', 'LIC-2024-XYZW'],
      ['"purchaseCode": "CSC-0001-2222"', 'CSC-0001-2222'],
      ['My purchase code for this item is: LIC-77-GHJK', 'LIC-77-GHJK'],
      ['Purchase Code (see invoice): **LIC-77-GHJK**', 'LIC-77-GHJK'],
      ['Licence key – `LIC-77-GHJK`.', 'LIC-77-GHJK'],
      ['Purchase code\n\n  LIC-77-GHJK', 'LIC-77-GHJK'],
      ['Purchase code:\n> LIC-77-GHJK', 'LIC-77-GHJK'],
      ['Hello,\nhere is my purchase\ncode: LIC-77-GHJK', 'LIC-77-GHJK'],
      ['the purchase code is LIC‑77‑GHJK, thanks', 'LIC-77-GHJK'],
      ['Purchase code: LIC-77-\nGHJK-2', 'LIC-77-GHJK-2'],
      ['Purchase code: 1234567890', '1234567890'],
      ['Purchase code: ABCD-123', 'ABCD-123'],
      [`Purchase code: ${'a1'.repeat(64)}`, 'a1'.repeat(64)],
      ['Purchase code: LIC-77-GHJK.Thanks', 'LIC-77-GHJK'],
      ['Purchase code: 2026-11-03-77', '2026-11-03-77'],
      ['Purchase code: AB2026-11-03', 'AB2026-11-03'],
      ['Purchase codes: ABCD-1234, ABCDE-12345', 'ABCD-1234'],
      ['Code: AB12CD34EF56GH78', 'AB12CD34EF56GH78'],
      ['Hello,\nCode: ZEE99ERU25MDM8Z64USZFMVQ', 'ZEE99ERU25MDM8Z64USZFMVQ'],
      ['Thanks! My code: ZEE99ERU25MDM8Z64USZFMVQ', 'ZEE99ERU25MDM8Z64USZFMVQ'],
      ['Kaufcode: XYZ-12345', 'XYZ-12345'],
      ['Der Lizenzschlüssel lautet XYZ-12345', 'XYZ-12345'],
      ['Code d’achat : XYZ-12345', 'XYZ-12345'],
      ['Código de compra: XYZ-12345', 'XYZ-12345'],
      ['Codice di acquisto XYZ-12345', 'XYZ-12345'],
      ['Aankoopcode: XYZ-12345', 'XYZ-12345'],
      ['Kod zakupu: XYZ-12345', 'XYZ-12345'],
      ['Satın alma kodu: XYZ-12345', 'XYZ-12345'],
      ['Код покупки: XYZ-12345', 'XYZ-12345'],
      ['購入コード：XYZ-12345', 'XYZ-12345'],
      ['购买码XYZ-12345', 'XYZ-12345'],
      ['구매 코드: XYZ-12345', 'XYZ-12345'],
      ['رمز الشراء: XYZ-12345', 'XYZ-12345'],
    ])('%j', (text, found) => {
      expect(findCodes(text)).toMatchObject([{ code: found, kind: 'labelled' }]);
    });

    test('more of the same length may follow', () => {
      expect(
        codesIn('Purchase codes: ABCD-1234, EFGH-5678;\nIJKL-9012 and MNOP-3456. Order 12345-678'),
      ).toEqual(['ABCD-1234', 'EFGH-5678', 'IJKL-9012', 'MNOP-3456']);
    });

    test('one of the common form is that', () => {
      expect(findCodes(`Purchase code: ${code}`)).toMatchObject([{ code, kind: 'uuid-form' }]);
    });

    test('one with a prefix before the common form is taken whole', () => {
      expect(codesIn(`Purchase code: LIC-${code}`)).toEqual([`LIC-${code}`]);
    });

    test.each([
      'my purchase code does not work',
      'Purchase code: please see attached',
      'Purchase code: ABC-1',
      'Purchase code: 2026-11-03',
      'Purchase code: ada1234567@buyer.test',
      'Purchase code: https://market.test/12345678',
      'The repurchase codec12345678',
      `License key: ${'a1b2'.repeat(10)}.${'c3d4'.repeat(21)}`,
      `License key: ${'a1_b2-'.repeat(10)}`,
      `Purchase code: ${'a1'.repeat(65)}`,
      `Purchase code: ${'a1'.repeat(60)}-12345678`,
      'Code: ???',
      'Code: AB12CD34EF56GH7',
      'Order number: XYZ-12345',
      'Tracking code: 1Z999AA10123456784',
      'Error\nCode: 0x80070005',
      'Code: 12345678901234567890',
    ])('%j holds none', (text) => {
      expect(codesIn(text)).toEqual([]);
    });
  });

  describe('a connection’s own pattern', () => {
    test('is found without a label', () => {
      expect(findCodes('Hi, CSC-1234-AbcDEF.', { patterns: ['CSC-9999-XXXXXX'] })).toEqual([
        { code: 'CSC-1234-AbcDEF', start: 4, end: 19, kind: 'pattern' },
      ]);
    });

    test('must stand alone', () => {
      expect(
        codesIn('xCSC-1234-AbcDEF CSC-1234-AbcDEFG 1-CSC-1234-AbcDEF', 'CSC-9999-XXXXXX'),
      ).toEqual([]);
    });

    test('is mended when it is long, and taken as it stands when it is short', () => {
      const long = 'XXXXXXXXXX-XXXXX-XXXXX-XXXXX-XXXXXXXXXX';
      expect(codesIn('1A2B3C4D5E-6F7G8-\n> 9H0I1-J2K3L –4M5N6O7P8Q', long)).toEqual([
        '1A2B3C4D5E-6F7G8-9H0I1-J2K3L-4M5N6O7P8Q',
      ]);
      expect(codesIn('in 2026 best of', 'XXXX-XXXX')).toEqual([]);
      expect(codesIn('key 2026–best', 'XXXX-XXXX')).toEqual(['2026-best']);
    });

    test('that cannot be read is passed over', () => {
      expect(codesIn(code, '', 'A', 'X'.repeat(129))).toEqual([code]);
    });
  });

  describe('any text', () => {
    const pieces = fc.array(
      fc.oneof(
        anyText,
        fc.constantFrom(
          code,
          other,
          'purchase code: ',
          'https://',
          '-',
          '\u200B',
          '\n> ',
          ' ',
          'a1b2c3d4',
          '.',
          '_',
          '–',
        ),
      ),
      { maxLength: 12 },
    );

    test('makes nothing throw, and every code found is its stretch of the text without what was mended', () => {
      const bare = (text: string): string =>
        text
          .normalize('NFKC')
          .replace(/[^a-z\d]/gi, '')
          .toLowerCase();
      fc.assert(
        fc.property(pieces, (parts) => {
          const text = parts.join('');
          // The digits of other scripts are read as ours.
          fc.pre(!/[^\P{Nd}\d]/u.test(text));
          let last = -1;
          for (const found of findCodes(text, { patterns: ['XXXX-XXXX-XXXX-XXXX', '-999999'] })) {
            expect(found.start).toBeGreaterThan(last);
            expect(found.end).toBeGreaterThan(found.start);
            expect(found.end).toBeLessThanOrEqual(text.length);
            expect(bare(text.slice(found.start, found.end))).toBe(bare(found.code));
            expect(found.code).toMatch(/^[A-Za-z0-9_.+/=-]+$/);
            last = found.start;
          }
        }),
      );
    });

    test('around a code leaves it found, however it is mangled', () => {
      const group = (length: number): fc.Arbitrary<string> =>
        fc.string({
          unit: fc.constantFrom(...'0123456789abcdefABCDEF'.split('')),
          minLength: length,
          maxLength: length,
        });
      const dash = fc.constantFrom(
        '-',
        '–',
        '\u2011',
        ' - ',
        '-\n',
        '-\r\n> ',
        '\u200B-',
        '-\u00A0',
      );
      fc.assert(
        fc.property(
          fc.tuple(group(8), group(4), group(4), group(4), group(12)),
          fc.tuple(dash, dash, dash, dash),
          ([first, ...rest], dashes) => {
            const whole = [first, ...rest].join('-');
            const mangled = first + rest.map((part, at) => (dashes[at] ?? '-') + part).join('');
            fc.pre(/\d/.test(whole));
            expect(codesIn(`Hello!\n${mangled}\nThanks`)).toEqual([whole]);
          },
        ),
      );
    });

    test('found codes are found again, alone', () => {
      fc.assert(
        fc.property(pieces, (parts) => {
          for (const found of findCodes(parts.join(''))) {
            if (found.kind === 'uuid-form') expect(codesIn(found.code)).toEqual([found.code]);
          }
        }),
      );
    });

    test
      .skipIf(isUnderMutation)
      .each([
        'a-',
        'a1b2c3d4-',
        '8f14e45f ceea ',
        '\n> ',
        'purchase code ',
        'purchase code: a1-\n',
        'code: ',
        '. code: a1b2c3d4e5f6a7b8 ',
        'https://',
        `${code} `,
      ])('of 200,000 characters of %j is read to its end', (piece) => {
      const text = piece.repeat(Math.floor(200_000 / piece.length));
      expect(findCodes(`${text} ${other}`, { patterns: ['-999999'] }).length).toBeLessThan(4);
    });
  });
});

describe('locate codes', () => {
  const code = '8f14e45f-ceea-767f-9575-28c4dd4bb4a1';

  test.each([
    ['a label', `Purchase code: ${code}`],
    ['a label and a word before a dash', `Purchase code: LIC–${code}`],
    ['a label, and a word after a dash', `Purchase code: ${code}–X1`],
  ])('a code of the common form after %s is located once, as that', (_name, text) => {
    const start = text.indexOf(code);
    expect(locateCodes(text, [])).toMatchObject([
      { code, start, end: start + 36, kind: 'uuid-form' },
    ]);
  });

  test('a labelled code that goes on as a file name is none', () => {
    expect(locateCodes('Purchase code: XYZ-12345.png', [])).toEqual([]);
  });

  test('a pattern that cannot be read costs nothing but itself', () => {
    expect(locateCodes(`Hi ${code} CSC-123456`, ['CSC', 'CSC-999999'])).toMatchObject([
      { kind: 'uuid-form' },
      { kind: 'pattern' },
    ]);
  });
});

const code = '8f14e45f-ceea-767f-9575-28c4dd4bb4a1';

test('a labelled code is found beside one of the common form, before and after it', () => {
  const kinds = (text: string) => locateCodes(text, []).map(({ kind }) => kind);
  expect(kinds(`License key: AB12CD34. Purchase code: ${code}`)).toEqual(['labelled', 'uuid-form']);
  expect(kinds(`Purchase code: ${code}. License key: AB12-\nCD34`)).toEqual([
    'uuid-form',
    'labelled',
  ]);
});
