import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';

import { type Line, createLineSplitter } from '#core/text/line-splitter';
import { isUnderMutation } from '#tests/support/under-mutation';

const maxBytes = 64;

function split(bytes: Uint8Array, pieceLengths: readonly number[], max = maxBytes): Line[] {
  const splitter = createLineSplitter(max);
  const lines: Line[] = [];
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const length = Math.max(1, pieceLengths[turn % pieceLengths.length] ?? 1);
    lines.push(...splitter.push(bytes.subarray(at, at + length)));
    at += length;
  }
  return [...lines, ...splitter.end()];
}

/** Splits the whole at once, without the splitter. */
function expectedLines(bytes: Uint8Array, max = maxBytes): Line[] {
  const lines: Line[] = [];
  let from = 0;
  for (let number = 1; from < bytes.length; number += 1) {
    const at = bytes.indexOf(10, from);
    const to = at < 0 ? bytes.length : at;
    const text = new TextDecoder().decode(bytes.subarray(from, to)).trim();
    if (to - from > max) lines.push({ number, from, to });
    else if (text !== '') lines.push({ number, from, to, text });
    from = to + 1;
  }
  return lines;
}

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const lineText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.constantFrom('', ' ', 'x'.repeat(64), 'x'.repeat(65), 'é'.repeat(40), '💩💩', '\uFEFFa'),
);
const texts = fc
  .array(fc.tuple(lineText, fc.constantFrom('\n', '\r\n', '\n\n', '\r')), { maxLength: 20 })
  .map((lines) => lines.map(([text, end]) => text + end).join(''));

describe('the lines of a byte stream', () => {
  it('are the same in pieces of every length, in the middle of a character and of CRLF too', () => {
    fc.assert(
      fc.property(
        texts,
        fc.array(fc.integer({ min: 1, max: 80 }), { minLength: 1 }),
        (text, cuts) => {
          const bytes = encode(text);
          expect(split(bytes, cuts)).toEqual(expectedLines(bytes));
        },
      ),
    );
  });

  it('are the same for bytes that are no UTF-8', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 200 }),
        fc.array(fc.integer({ min: 1, max: 80 }), { minLength: 1 }),
        (bytes, cuts) => {
          expect(split(bytes, cuts)).toEqual(expectedLines(bytes));
        },
      ),
    );
  });

  it.skipIf(isUnderMutation).each([1000, 65_536, 1_048_576, 1_048_577, 3_000_000, 4_194_304])(
    'are the same in pieces of %i bytes, of a file of 5 MB',
    (length) => {
      const token = `${'a'.repeat(200)}.${'b'.repeat(86)}`;
      const bytes = encode(`${token}\r\n`.repeat(17_000));
      const lines = split(bytes, [length], 98_304);
      expect(lines).toHaveLength(17_000);
      expect(lines.every(({ text }) => text === token)).toBe(true);
    },
  );

  it('are given up one by one where one is too long, and those around it are read', () => {
    const bytes = encode(`a\n${'x'.repeat(65)}\nb\n${'x'.repeat(64)}`);
    for (const cut of [1, 7, 64, 1000])
      expect(split(bytes, [cut])).toEqual([
        { number: 1, from: 0, to: 1, text: 'a' },
        { number: 2, from: 2, to: 67 },
        { number: 3, from: 68, to: 69, text: 'b' },
        { number: 4, from: 70, to: 134, text: 'x'.repeat(64) },
      ]);
  });

  it('cost no memory beyond one line, however long a line is that is given up', () => {
    const splitter = createLineSplitter(maxBytes);
    const copy = vi.spyOn(Uint8Array.prototype, 'slice');
    for (let pieces = 0; pieces < 1000; pieces += 1) splitter.push(encode('x'.repeat(32)));
    const kept = copy.mock.results.reduce(
      (bytes, { value }) => bytes + (value as Uint8Array).length,
      0,
    );
    copy.mockRestore();
    expect(kept).toBeLessThanOrEqual(maxBytes);
    expect(splitter.push(encode('\nb\n'))).toEqual([
      { number: 1, from: 0, to: 32_000 },
      { number: 2, from: 32_001, to: 32_002, text: 'b' },
    ]);
  });

  it('do not change when the piece they came in is used again', () => {
    const splitter = createLineSplitter(maxBytes);
    const piece = encode('ab');
    splitter.push(piece);
    piece.fill(0x7a);
    expect(splitter.push(encode('c\n'))).toEqual([{ number: 1, from: 0, to: 3, text: 'abc' }]);
  });
});
