import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { classifyInput, maxInputLength } from '#core/codes/classify-input';
import { holdsLicense, isWhollyLicense } from '#core/codes/license-form';
import { anyText } from '#tests/core/text/any-text';
import { isUnderMutation } from '#tests/support/under-mutation';

describe('classify input', () => {
  const code = '8f14e45f-ceea-767f-9575-28c4dd4bb4a1';
  const payload = 'eyJsaWNlbnNlX2lkIjoiMSIsInByb2R1Y3Rfc2x1ZyI6ImhhcmJvdXIifQ';
  const signature = 'Aa0_-'.repeat(17) + 'Q';
  const token = `${payload}.${signature}`;

  test.each(['', '   ', '\n\t', '\u200B\uFEFF'])('%j is empty', (text) => {
    expect(classifyInput(text)).toEqual({ kind: 'empty' });
  });

  describe('codes', () => {
    test('one, several, and those in a whole ticket', () => {
      expect(classifyInput(` ${code}\n`)).toMatchObject({ kind: 'codes', codes: [{ code }] });
      expect(
        classifyInput(`Hello,\n\nPurchase code: XYZ-12345\nand ${code}. Thanks!`),
      ).toMatchObject({
        kind: 'codes',
        codes: [{ code: 'XYZ-12345' }, { code }],
      });
    });

    test('of a connection’s own form', () => {
      expect(classifyInput('it is CSC-123456', { patterns: ['CSC-999999'] })).toMatchObject({
        kind: 'codes',
        codes: [{ code: 'CSC-123456', kind: 'pattern' }],
      });
    });

    test('beside a license are what is asked about', () => {
      expect(classifyInput(`${code}\nMy license:\n${token}`)).toMatchObject({
        kind: 'codes',
        codes: [{ code }],
      });
    });
  });

  describe('one token alone', () => {
    test.each([
      ['8f14e45f-ceea-767f-9575-28c4dd4bb4aO', 'letters-beyond-f'],
      ['8f14e45f-ceea-767f-9575-28c4dd4bb4', 'wrong-length'],
      ['8f14e45fceea767f957528c4dd4bb4a1', 'other-groups'],
      ['8f14e45fceea-767f-9575-28c4dd4bb4a1', 'other-groups'],
      ['12345678', 'digits-only'],
      ['ABCD-EFGH-IJKL', 'other-form'],
      ['abcdef12', 'other-form'],
      ['1A2B3C4D5E-6F7G8-9H0I1-J2K3L-4M5N6O7P8Q', 'other-form'],
      ['8f14e45f-c3ea-767f-9575-28c4dd4bb4aO', 'letters-beyond-f'],
      ['08f14e45f-ceea-767f-9575-28c4dd4bb4aO', 'other-form'],
      ['8f14e45f-ceea-767f-9575-28c4dd4bb4aO1', 'other-form'],
      ['XYZ-1234', 'other-form'],
      ['x'.repeat(128), 'other-form'],
      // As after a paste into a field that was not empty.
      [code + code, 'wrong-length'],
      [`${code}50a76a0a-7306-b504-6534-195e2592cd30`, 'wrong-length'],
    ])('%s is asked, with the hint %s', (text, hint) => {
      expect(classifyInput(text)).toEqual({ kind: 'odd', code: text, hint });
    });

    test.each([
      '“LIC-2024-XY”.',
      '“(LIC-2024-XY)”.',
      ' LIC‑2024‑XY ',
      '<LIC-2024-XY>,',
      'LIC-20\u200B24-XY',
      'LIC-20٢٤-XY',
    ])('%j is taken without what clings to it', (text) => {
      expect(classifyInput(text)).toMatchObject({ kind: 'odd', code: 'LIC-2024-XY' });
    });

    test.each([
      'short-1',
      'x'.repeat(129),
      'two tokens12',
      'ada@buyer.test',
      'grüße-12345678',
      'a_b_c_d_e_f_g',
      'LIC-2024-X\u0430',
      '\u0435LIC-2024-XY',
      '(LIC-2024-XÖ)',
    ])('%.40j is not asked', (text) => {
      expect(classifyInput(text)).toEqual({ kind: 'nothing', length: text.length });
    });
  });

  describe('a license', () => {
    test.each([
      ['a token', token],
      ['a token with padding', `${payload}==.${signature}==`],
      ['a token broken by mail', token.replace(/(.{60})/g, '$1\n')],
      ['a token whose newlines became spaces', token.replace(/(.{60})/g, '$1 ')],
      ['a token in a sentence', `Here is my license ${token} it says denied`],
      ['a compact JWS', `eyJhbGciOiJFZERTQSJ9.${token}`],
      ['an armoured block', `-----BEGIN LICENSE-----\n${payload}\n-----END LICENSE-----`],
      [
        'an armoured block that is called a key',
        `-----BEGIN LICENSE KEY-----\n${token.replace(/(.{48})/g, '$1\n')}\n-----END LICENSE KEY-----`,
      ],
      [
        'a request in JSON, with an id in it',
        JSON.stringify({ license: token, installation_id: code }),
      ],
      [
        'a certificate in JSON under a greeting',
        `Hello,\n${JSON.stringify({ payload: payload.repeat(2), signature }, undefined, 2)}\nAda`,
      ],
      ['a certificate in JSON', JSON.stringify({ payload: { id: code }, signature: 'x' })],
      ['an answer of the authority', JSON.stringify({ activation_certificate: 'x', id: code })],
    ])('%s is never sent', (_name, text) => {
      expect(classifyInput(text)).toEqual({ kind: 'license' });
    });
  });

  describe('text without a code', () => {
    test.each([
      'My purchase code does not work.',
      'This is a long sentence. Iamwritingwithoutspacesbecausemykeyboardisbroken ok',
      `https://cdn.test/${code}`,
      'd41d8cd98f00b204e9800998ecf8427e is the hash',
      // Nearly a code, but named an id.
      'id: 8f14e45f-ceea-767f-9575-28c4dd4bb4a',
    ])('%j is not sent', (text) => {
      expect(classifyInput(text)).toEqual({ kind: 'nothing', length: text.length });
    });
  });

  test('settings in one line are no license, though their names have dots', () => {
    const text = `license.key=${code} site.hash=${'4e'.repeat(32)}`;
    expect(classifyInput(text)).toMatchObject({ kind: 'codes', codes: [{ code }] });
  });

  test('the length of a text without a code is told without the spaces around it', () => {
    expect(classifyInput('  ada@buyer.test\n')).toEqual({ kind: 'nothing', length: 14 });
  });

  test('a list of codes is asked about without what mail programs and typography put around them', () => {
    const codesOf = (text: string): string[] => {
      const input = classifyInput(text);
      return input.kind === 'codes' ? input.codes.map((one) => one.code) : [];
    };
    const listed = ['abcd1234ef', 'efgh5678ij'];
    expect(codesOf('>abcd1234ef\n> efgh5678ij')).toEqual(listed);
    expect(codesOf('abcd\u200b1234ef\nefgh5678ij')).toEqual(listed);
    expect(codesOf('ａbcd1234ef\nefgh5678ij')).toEqual(listed);
    expect(codesOf('1. abcd1234ef\n2. efgh5678ij')).toEqual(listed);
    expect(codesOf('> 1) abcd1234ef\n> 2) efgh5678ij')).toEqual(listed);
    expect(codesOf('• abcd1234ef\n• efgh5678ij\n')).toEqual(listed);
    expect(codesOf('1. abcd1234ef\nabout: efgh5678ij')).toEqual([]);
  });

  test('text over the limit is not read, and text at the limit is', () => {
    expect(classifyInput(' '.repeat(maxInputLength))).toEqual({ kind: 'empty' });
    expect(classifyInput(' '.repeat(maxInputLength + 1))).toEqual({
      kind: 'too-long',
      limit: maxInputLength,
    });
  });

  test.skipIf(isUnderMutation)('a megabyte is read, and not one character more', () => {
    const most = 'word '.repeat(maxInputLength / 4).slice(0, maxInputLength - 37);
    expect(classifyInput(`${most} ${code}`)).toMatchObject({ kind: 'codes' });
    expect(classifyInput(`${most}  ${code}`)).toEqual({ kind: 'too-long', limit: maxInputLength });
  });

  test.skipIf(isUnderMutation).each(['|\f', '| ', 'NK4T-8R2B-WQ71-H6ZM\n', 'C:\\ab'])(
    'a megabyte of %j is read to its end',
    (piece) => {
      const text = piece.repeat(Math.floor(maxInputLength / piece.length) - 40);
      const input = classifyInput(`${text}\n\npurchase code: ${code}`);
      expect(input.kind === 'codes' && input.codes.at(-1)?.code).toBe(code);
    },
  );

  const wordOfList = fc
    .tuple(
      fc.constantFrom('', '>', '> ', '\u200b', '\uff41', '\u00a0'),
      fc.string({
        unit: fc.constantFrom(...'abcxyz0123456789-'.split('')),
        minLength: 8,
        maxLength: 12,
      }),
    )
    .map((parts) => parts.join(''));
  const listOfWords = fc
    .array(wordOfList, { minLength: 2, maxLength: 4 })
    .map((words) => words.join('\n'));

  test('no text makes it throw, and what would be asked is always letters, digits and dashes', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, fc.base64String(), fc.json(), listOfWords), (text) => {
        const input = classifyInput(text);
        const asked = input.kind === 'codes' ? input.codes.map((found) => found.code) : [];
        if (input.kind === 'odd') asked.push(input.code);
        for (const each of asked) expect(each).toMatch(/^[A-Za-z0-9-]{8,128}$/);
      }),
    );
  });

  test('a license is never asked about, wherever its line breaks fall', () => {
    const segment = (least: number, most: number): fc.Arbitrary<string> =>
      fc.string({
        unit: fc.constantFrom(...'ABCDEFabcdef0123456789-_'.split('')),
        minLength: least,
        maxLength: most,
      });
    fc.assert(
      fc.property(segment(60, 300), segment(86, 86), (first, second) => {
        const sent = `${first}.${second}`;
        expect(classifyInput(sent).kind).toBe('license');
        expect(classifyInput(sent.replace(/(.{64})/g, '$1\r\n')).kind).toBe('license');
      }),
    );
  });
});

describe('license token', () => {
  const payload = 'eyJsaWNlbnNlIjox';
  const signature = 'Aa0_-'.repeat(12);
  const token = `${payload}.${signature}`;
  const wholeToken = `eyJsaWNlbnNlX2lkIjoiMSIsInByb2R1Y3Rfc2x1ZyI6ImhhcmJvdXIifQ.${'Aa0_-'.repeat(17)}Q`;

  describe('a text that is a license and nothing else', () => {
    test.each([
      ['a token with the shortest payload and signature', token],
      ['a token with spaces around it', `  ${token}\n`],
      ['a token with a dot after it', `${token}.`],
      [
        'a token in lines of 40',
        `${'a'.repeat(40)}\n\n${'a'.repeat(20)}.${signature.slice(0, 30)}\n${signature.slice(30)}`,
      ],
      ['JSON with spaces around it', ' {"activation_certificate": "x"} '],
      ['JSON with a space before the colon', '{"payload" : {}, "signature" : "x"}'],
    ])('%s', (_name, text) => {
      expect(isWhollyLicense(text)).toBe(true);
    });

    test.each([
      ['a payload that is too short', `${payload.slice(1)}.${signature}`],
      ['a signature that is too short', `${payload.repeat(3)}.${signature.slice(1)}`],
      ['a word without a dot', 'a'.repeat(100)],
      ['four segments', `a.b.${token}`],
      [
        'lines that are as short as words',
        `${token.slice(0, 39)}\n${token.slice(39, 70)}\n${token.slice(70)}`,
      ],
      ['JSON that is cut off', '{"license": "x"'],
      ['JSON without its beginning', '"license": "x"}'],
      ['JSON with other fields', '{"code": "x"}'],
      ['a signature under a mail', '{"text": "Hello", "signature": "Best regards"}'],
      ['the name of a license', '{"license": "MIT"}'],
    ])('not %s', (_name, text) => {
      expect(isWhollyLicense(text)).toBe(false);
    });
  });

  describe('a text with a license in it', () => {
    test.each([
      ['a token in a sentence', `My license (${token}), is it denied?`],
      ['a token at the end of a sentence', `Is this denied? ${token}.`],
      ['an armoured block', 'See: -----BEGIN HARBOUR 2 LICENSE-----'],
      [
        'a token in lines of a fenced block',
        `\`\`\`${wholeToken.replaceAll(/.{90}/g, '$&\n')}\`\`\``,
      ],
      ['a token in groups of four', `It is ${(wholeToken.match(/.{1,4}/g) ?? []).join(' ')} here`],
      ['a token with dashes for its hyphens', `Here: (${wholeToken.replaceAll('-', '–')}), ok?`],
      ['strings of a program', `key = "${(wholeToken.match(/.{1,30}/g) ?? []).join('" +\n  "')}";`],
    ])('%s', (_name, text) => {
      expect(isWhollyLicense(text)).toBe(false);
      expect(holdsLicense(text)).toBe(true);
    });

    test.each([
      ['words alone', 'My license, is it denied?'],
      [
        'a token whose signature is too short',
        `My license (${payload.repeat(3)}.${signature.slice(1)})`,
      ],
      ['another armoured block', '-----BEGIN PUBLIC KEY-----'],
    ])('not %s', (_name, text) => {
      expect(holdsLicense(text)).toBe(false);
    });
  });
});
