import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { Line } from '#core/text/line-splitter';
import { isList, linesOf } from '#stores/verifier/token-list';

const token = `${'a'.repeat(200)}.${'b'.repeat(86)}`;

async function collect(file: Pick<Blob, 'stream'>): Promise<Line[]> {
  const lines: Line[] = [];
  for await (const line of linesOf(file)) lines.push(line);
  return lines;
}

describe('a list', () => {
  test('is a file with a token on each line', async () => {
    expect(await isList(new Blob([`${token}\r\n`.repeat(20)]))).toBe(true);
  });

  test('is a file with a JSON object on each line', async () => {
    const line = JSON.stringify({ license: token, domain: 'shop.example.com' });
    expect(await isList(new Blob([`${line}\n`.repeat(20)]))).toBe(true);
  });

  test('is not a license with its few certificates', async () => {
    expect(await isList(new Blob([`${token}\n${token}\n${token}`]))).toBe(false);
  });

  test('is not a token wrapped at a column, nor prose', async () => {
    const wrapped = `${token}${token}${token}`.match(/.{1,64}/gu)?.join('\n') ?? '';
    expect(await isList(new Blob([wrapped.repeat(4)]))).toBe(false);
    expect(await isList(new Blob(['Dear support,\n'.repeat(200)]))).toBe(false);
  });

  test('may be cut off in the middle of a line by the look at its head', async () => {
    expect(await isList(new Blob([`${token}\n`.repeat(2000)]))).toBe(true);
  });
});

describe('the lines of a file', () => {
  test('come with the bytes they stand at, wherever the stream is cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 40 }),
        async (texts) => {
          const lines = texts.map((text) => text.replaceAll('\n', ' '));
          const file = new Blob([lines.join('\n')]);
          const found = await collect(file);
          expect(found.map(({ text }) => text)).toEqual(
            lines.map((line) => line.trim()).filter((line) => line !== ''),
          );
          for (const { from, to, text } of found)
            expect((await file.slice(from, to).text()).trim()).toBe(text);
        },
      ),
      { numRuns: 50 },
    );
  });

  test('are numbered as an editor numbers them', async () => {
    const lines = await collect(new Blob(['a\n\nb\r\nc']));
    expect(lines.map(({ number, text }) => [number, text])).toEqual([
      [1, 'a'],
      [3, 'b'],
      [4, 'c'],
    ]);
  });

  test('are read from a file far larger than one piece of the stream', async () => {
    const lines = await collect(new Blob([`${token}\n`.repeat(5000)]));
    expect(lines).toHaveLength(5000);
    expect(lines.every(({ text }) => text === token)).toBe(true);
  });

  test.each([
    ['10,000 tokens', `${token}\n`.repeat(10_000), 10_000],
    ['30,000 tokens with CRLF', `${token}\r\n`.repeat(30_000), 30_000],
    ['JSON lines', `${JSON.stringify({ license: token })}\n`.repeat(20_000), 20_000],
  ])('are whole for %s in one piece of the stream', async (_name, text, count) => {
    const bytes = new TextEncoder().encode(text);
    const stream = (): ReadableStream<Uint8Array<ArrayBuffer>> =>
      new ReadableStream({
        start(controller) {
          controller.enqueue(bytes);
          controller.close();
        },
      });
    const lines = await collect({ stream });
    expect(lines).toHaveLength(count);
    expect(new Set(lines.map((line) => line.text)).size).toBe(1);
  });

  test('come without their text where no license is that long', async () => {
    const lines = await collect(new Blob([`${'x'.repeat(300_000)}\n${token}`]));
    expect(lines).toEqual([
      { number: 1, from: 0, to: 300_000 },
      { number: 2, from: 300_001, to: 300_001 + token.length, text: token },
    ]);
  });
});
