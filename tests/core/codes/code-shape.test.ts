import fc from 'fast-check';
import { expect, test, describe } from 'vitest';
import { anyCharacter, matchShape, parseCodePattern } from '#core/codes/code-shape';
import { correctedSpelling, isMasked, likelySpelling, maskCode } from '#core/codes/code-spelling';
import { anyText } from '#tests/core/text/any-text';

function matched(pattern: string, text: string): string | undefined {
  const shape = parseCodePattern(pattern);
  return shape.ok ? matchShape(shape.value, text, 0)?.code : undefined;
}

test.each([
  ['AAAAAA', 'abcDEF', true],
  ['AAAAAA', 'abcDE1', false],
  ['AAAAAA', 'AZazAZ', true],
  ['AAAAAA', 'abcde{', false],
  ['AAAAAA', 'abcde[', false],
  ['999999', '012345', true],
  ['999999', '01234a', false],
  ['XXXXXX', 'a1B2c3', true],
  ['XXXXXX', 'a1B2c-', false],
  ['HHHHHH', 'a1F2c3', true],
  ['HHHHHH', 'a1G2c3', false],
  ['LIC-999999', 'LIC-123456', true],
  ['LIC-999999', 'lic-123456', true],
  ['LIC–999999', 'LIC-123456', true],
  ['#999999', '#123456', true],
  ['É999999', 'É123456', true],
  ['(.*)999999', '(.*)123456', true],
  ['(.*)999999', 'abcd123456', false],
  ['*HHHHHHHH-HHHH', '*0123abcd-4567', true],
  ['*HHHHHHHH-HHHH', 'TIDE-0123abcd-4567', false],
  ['¤999999', '¤123456', true],
  ['¤999999', '%123456', false],
  [`sk_${anyCharacter.repeat(6)}`, 'sk_a1%^;z', true],
  [`sk_${anyCharacter.repeat(6)}`, 'SK_a1%^;z', true],
  [`sk_${anyCharacter.repeat(6)}`, 'sk_a1% ;z', false],
  [`sk_${anyCharacter.repeat(6)}`, 'sk_a1_b2c', false],
])('%s and %s: %s', (pattern, text, fits) => {
  expect(matched(pattern, text) === text).toBe(fits);
});

test.each([
  ['', { kind: 'empty' }],
  ['   ', { kind: 'empty' }],
  ['LIC-99999', { kind: 'too-loose', least: 6 }],
  ['X'.repeat(129), { kind: 'too-long', limit: 128 }],
])('%j is no pattern: %j', (pattern, fault) => {
  expect(parseCodePattern(pattern)).toEqual({ ok: false, fault });
});

test('a pattern may have 128 places, and a dash is one', () => {
  expect(matched('X'.repeat(128), 'x'.repeat(128))).toBe('x'.repeat(128));
});

test('gaps are mended in a form of 16 places or more, and never before its first one', () => {
  expect(matched('XXXX-XXXX-XXXX-XXXX', 'a1b2 c3d4-e5f6-g7h8')).toBe('a1b2-c3d4-e5f6-g7h8');
  expect(matched('XXX-XXXX-XXXX-XXXX', 'a1b c3d4-e5f6-g7h8')).toBeUndefined();
  expect(matched('XXXX-XXXX-XXXX-XXXX', ' a1b2-c3d4-e5f6-g7h8')).toBeUndefined();
});

test('no pattern and no text make it throw, and it never reads past the text', () => {
  fc.assert(
    fc.property(fc.string(), anyText, (pattern, text) => {
      const shape = parseCodePattern(`${pattern}XXXXXX`);
      if (!shape.ok) return;
      expect(matchShape(shape.value, text, 0)?.end ?? 0).toBeLessThanOrEqual(text.length);
    }),
  );
});

describe('corrected spelling', () => {
  const code = '8678c3cd-2a21-4afa-b5d1-0f1b4e2d9c70';

  test.each([
    ['without dashes', code.replaceAll('-', ''), code],
    ['in capitals', code.toUpperCase(), code],
    ['in mixed case', '8678C3cd-2a21-4AFA-b5d1-0f1b4e2d9c70', code],
    ['with O for 0', '8678c3cd-2a21-4afa-b5d1-Of1b4e2d9c7o', code],
    ['in other groups', '8678c3cd2a21-4afa-b5d10f1b4e2d9c70', code],
    ['of another form without capitals', 'lic-2024-xyzw', 'LIC-2024-XYZW'],
    ['in the common form', code, undefined],
    ['of another form in capitals', 'LIC-2024-XYZW', undefined],
    ['of another form in mixed case', 'LIC-2024-xyzw', undefined],
    [
      'with a letter that no digit looks like',
      '8678c3cd-2a21-4afa-b5d1-0f1b4e2d9cg0',
      '8678C3CD-2A21-4AFA-B5D1-0F1B4E2D9CG0',
    ],
    ['with spaces around it', ` ${code.toUpperCase()} `, code],
    ['of another form with spaces around it', ' lic-2024-xyzw ', 'LIC-2024-XYZW'],
    ['with a digit too many before it', `0${code}`, `0${code}`.toUpperCase()],
    ['with a digit too many after it', `${code}0`, `${code}0`.toUpperCase()],
    ['of digits alone', '1234567890', undefined],
  ])('a code %s', (_name, typed, corrected) => {
    expect(correctedSpelling(typed)).toBe(corrected);
  });

  test('a corrected spelling needs no other correction', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9a-oA-O-]{8,40}$/), (typed) => {
        const corrected = correctedSpelling(typed);
        fc.pre(corrected !== undefined);
        expect(correctedSpelling(corrected)).toBeUndefined();
      }),
    );
  });
});

describe('likely spelling', () => {
  const code = '4e2e8b4d-1250-4afa-b5d1-0f1b4e2d9c70';

  test.each([
    ['with l for 1', '4e2e8b4d-l250-4afa-b5d1-0f1b4e2d9c70', code],
    ['with I, Z, S and O', '4E2E8B4D-IZSO-4AFA-B5D1-OF1B4E2D9C7O', code],
    ['without dashes', code.replaceAll('-', ''), code],
    ['in the common form', code, undefined],
    ['with a letter that looks like no digit', '4e2e8b4d-x250-4afa-b5d1-0f1b4e2d9c70', undefined],
    ['that is too short', '4e2e8b4d-l250-4afa-b5d1-0f1b4e2d9c7', undefined],
    ['with spaces around it', ' 4e2e8b4d-l250-4afa-b5d1-0f1b4e2d9c70 ', code],
    ['with a letter before it', 'x4e2e8b4d-l250-4afa-b5d1-0f1b4e2d9c70', undefined],
    ['that is too long', '4e2e8b4d-l250-4afa-b5d1-0f1b4e2d9c700', undefined],
    ['of another form', 'LIC-2026-00071', undefined],
  ])('a code %s', (_name, typed, likely) => {
    expect(likelySpelling(typed)).toBe(likely);
  });

  test('a likely spelling is the end of it', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9a-fA-FoOiIlLzZsS]{8}-?[0-9a-foilzs]{24}$/), (typed) => {
        const likely = likelySpelling(typed);
        fc.pre(likely !== undefined);
        expect(likelySpelling(likely)).toBeUndefined();
      }),
    );
  });
});

describe('mask code', () => {
  test.each([
    ['8f14e45f-ceea-767f-9575-28c4dd4bb4a1', '8f14…b4a1'],
    ['8F14E45F-CEEA-767F-9575-28C4DD4BB4A1', '8f14…b4a1'],
    ['ABCD1234EFGH5678IJKL', 'ABCD…IJKL'],
    ['LIC-77-GHJK-22', 'LI…22'],
    ['12345678', '1…8'],
    ['1234', '…'],
    ['', ''],
  ])('%s is shown as %s', (code, masked) => {
    expect(maskCode(code)).toBe(masked);
  });

  test('at least three in five are hidden, and what is masked stays as it is', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z0-9-]{1,128}$/), (code) => {
        const masked = maskCode(code);
        const characters = code.replaceAll('-', '').length;
        expect(characters - (masked.length - 1)).toBeGreaterThanOrEqual(characters * 0.6);
        expect(maskCode(masked)).toBe(masked);
        expect([isMasked(code), isMasked(masked)]).toEqual([false, true]);
      }),
    );
  });
});
