import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';

import { locateCodes } from '#core/codes/index';
import { type TextPiece, createCodeTest, findCodePositions } from '#core/chips/code-positions';
import { codeForms } from '#core/marketplaces/index';
import { emulations } from '#sandbox/marketplaces/marketplaces';
import { sampleCodes } from '#sandbox/seed/sample-codes';

const market = sampleCodes('/market');
const code = market.supported;
const line = (...texts: string[]): TextPiece[] => texts.map((text) => ({ text, joint: '' }));
const lines = (...texts: string[]): TextPiece[] => texts.map((text) => ({ text, joint: '\n' }));
const codesIn = (pieces: TextPiece[]): string[] =>
  findCodePositions(pieces, []).map(({ code }) => code);

describe('findPlaces', () => {
  it('says in which node a code begins and ends', () => {
    expect(findCodePositions(line('My code is ', code, ', thanks'), [])).toEqual([
      { code, start: { piece: 1, offset: 0 }, end: { piece: 1, offset: 36 } },
    ]);
  });

  it('puts a code together that stands in several nodes of a line', () => {
    expect(
      findCodePositions(line(`Code ${code.slice(0, 9)}`, code.slice(9, 20), code.slice(20)), []),
    ).toEqual([{ code, start: { piece: 0, offset: 5 }, end: { piece: 2, offset: 16 } }]);
  });

  it('puts a code together that mail broke into two lines', () => {
    expect(codesIn(lines(`> Here: ${code.slice(0, 24)}`, `> ${code.slice(24)}`))).toEqual([code]);
  });

  it('keeps words of neighbouring blocks apart', () => {
    expect(codesIn(lines('x', code, 'y'))).toEqual([code]);
    expect(codesIn(line('x', code, 'y'))).toEqual([]);
  });

  it('finds a code as often as it is there, in whatever case', () => {
    expect(findCodePositions(lines(code, code.toUpperCase(), `and ${code}`), [])).toHaveLength(3);
  });

  it('finds the forms of a connection, and codes by their name', () => {
    expect(findCodePositions(line('Our AB-123456 it is'), ['AA-999999'])).toHaveLength(1);
    expect(codesIn(line('License key: ', market.oddDashed))).toEqual([market.oddDashed]);
  });

  test('places point at the code’s own signs, however the text is cut into nodes', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 90 }), { maxLength: 6 }),
        fc.constantFrom(code, market.lapsed, code.toUpperCase()),
        (cuts, wanted) => {
          const text = `Hello, my purchase is ${wanted}, and it does not work. Bye`;
          const at = [
            0,
            ...cuts.map((cut) => cut % text.length).sort((a, b) => a - b),
            text.length,
          ];
          const pieces = line(...at.slice(1).map((end, index) => text.slice(at[index], end)));
          const [place] = findCodePositions(pieces, []);
          const { start, end } = place ?? expect.fail('There is a code.');
          const before = pieces
            .slice(0, start.piece)
            .reduce((sum, one) => sum + one.text.length, 0);
          const till = pieces.slice(0, end.piece).reduce((sum, one) => sum + one.text.length, 0);
          expect(text.slice(before + start.offset, till + end.offset)).toBe(wanted);
        },
      ),
    );
  });
});

describe('the test of a text node', () => {
  const mayHoldCode = createCodeTest([]);

  it.each([
    code,
    `“${code.replaceAll('-', ' - ')}”`,
    code.replaceAll('-', '–'),
    code.slice(0, 24),
    code.slice(24),
    market.oddPrefixed,
    market.oddDashed,
    market.oddPlain,
    'License key: QWER-TYUI-ZXCV',
    'QWERTY\u2010ZXCVBN',
  ])('does not pass over %s', (text) => {
    expect(mayHoldCode(text)).toBe(true);
  });

  it.each([
    'Thank you, we are looking into it.',
    'on 3 May at 17:40',
    '',
    'v2.4.1 (2024)',
    '1234567',
    '2026-05-03 17:40',
  ])('passes over %j', (text) => {
    expect(mayHoldCode(text)).toBe(false);
  });

  test('no text in which a code is found is passed over, whatever its form', () => {
    const forms = Object.values(codeForms).flat();
    const patterns = ['AAAAAA-AAAAAA', ...forms];
    const mayHoldAny = createCodeTest(patterns);
    const codes = [
      ...Object.values(market),
      ...Object.values(emulations).flatMap(({ codes: each }) => Object.values(each)),
      'QWERTY-ZXCVBN',
      'License key: QWER-TYUI-ZXCV',
    ];
    const around = fc.string({ maxLength: 30 });
    fc.assert(
      fc.property(around, around, fc.constantFrom(...codes), (before, after, wanted) => {
        const text = `${before} ${wanted} ${after}`;
        if (locateCodes(text, patterns).length > 0) expect(mayHoldAny(text)).toBe(true);
      }),
    );
  });
});
