import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { findLines } from '#core/verifier/verifier';

const token = `${'a'.repeat(200)}.${'b'.repeat(86)}`;

/** Returns the number and the text of each line that is found. */
async function linesOf(text: string): Promise<[number, string][] | undefined> {
  const file = new Blob([text]);
  const found = await findLines(file);
  if (found === undefined) return undefined;
  const lines = Array.from({ length: found.count }, async (_, index): Promise<[number, string]> => {
    const [number = 0, from, to] = found.ranges.subarray(index * 3);
    return [number, await file.slice(from, to).text()];
  });
  return Promise.all(lines);
}

const isList = async (text: string): Promise<boolean> => (await linesOf(text)) !== undefined;

describe('a list', () => {
  test('is a file with a token on each line', async () => {
    expect(await isList(`${token}\r\n`.repeat(20))).toBe(true);
  });

  test('is a file with a JSON object on each line', async () => {
    const line = JSON.stringify({ license: token, domain: 'shop.example.com' });
    expect(await isList(`${line}\n`.repeat(20))).toBe(true);
  });

  test('is not a license with its few certificates', async () => {
    expect(await isList(`${token}\n${token}\n${token}`)).toBe(false);
  });

  test('is not a token wrapped at a column, nor prose', async () => {
    const wrapped = `${token}${token}${token}`.match(/.{1,64}/gu)?.join('\n') ?? '';
    expect(await isList(wrapped.repeat(4))).toBe(false);
    expect(await isList('Dear support,\n'.repeat(200))).toBe(false);
  });

  test('may be cut off in the middle of a line by the look at its head', async () => {
    expect(await isList(`${token}\n`.repeat(2000))).toBe(true);
  });
});

test('a file larger than a list may be is not read', async () => {
  const file = {
    size: 32 * 1024 * 1024 + 1,
    slice: () => expect.unreachable(),
    arrayBuffer: () => expect.unreachable(),
  };
  expect(await findLines(file)).toBeUndefined();
});

describe('the lines of a list', () => {
  const head = Array.from({ length: 60 }, (_, at): [number, string] => [at + 1, token]);
  const textOf = (lines: readonly string[]): string =>
    [...head.map(([, text]) => text), ...lines].join('\n');

  test('stand where they are found, whatever is in them', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 40 }),
        async (texts) => {
          const lines = texts.map((text) => text.replaceAll('\n', ' '));
          const numbered = lines.map((line, at): [number, string] => [at + 61, line]);
          const full = numbered.filter(([, line]) => /[^\0- ]/.test(line));
          expect(await linesOf(textOf(lines))).toEqual([...head, ...full]);
        },
      ),
      { numRuns: 50 },
    );
  });

  test('are numbered as an editor numbers them, and blank ones left out', async () => {
    const lines = await linesOf(textOf(['', 'b\r', ' \t\r', 'c', '']));
    expect(lines?.slice(60)).toEqual([
      [62, 'b\r'],
      [64, 'c'],
    ]);
  });

  test('are all found in a list far larger than its head', async () => {
    const lines = await linesOf(`${token}\n`.repeat(30_000));
    expect(lines).toHaveLength(30_000);
    expect(new Set(lines?.map(([, text]) => text))).toEqual(new Set([token]));
  });
});
