import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
const document = readFileSync(join(root, 'docs/guards.md'), 'utf8');

interface Row {
  readonly attack: string;
  readonly guards: readonly string[];
  readonly tests: readonly { readonly file: string; readonly titles: readonly string[] }[];
}

/** Reads the list: the attack, the files of its guard, and each test file with the titles that follow it. */
const rows = document
  .split('\n')
  .filter((line) => line.startsWith('- **'))
  .map((line): Row => {
    const [, attack = '', guard = '', test = ''] =
      /^- \*\*(.*?)\.\*\* (.*?) → (.*)$/u.exec(line) ?? [];
    return {
      attack,
      guards: [...guard.matchAll(/`([^`]+)`/gu)].map(([, path = '']) => path),
      tests: test.split(/(?=`tests\/)/u).flatMap((part) => {
        const file = /^`([^`]+)`/u.exec(part)?.[1];
        const titles = [...part.matchAll(/_([^_]+)_/gu)].map(([, title = '']) => title);
        return file === undefined ? [] : [{ file, titles }];
      }),
    };
  });

/**
 * Lists where a file leaves tests out for good, by themselves or by a group around them, or runs one at the expense of the
 * others. A condition, such as the system, may leave them out: the first argument is then no title.
 */
function leftOut(source: string): string[] {
  const calls =
    /\.(?:(?:skip|todo|fixme|only)(?:\.each\b|\(\s*(?:['"`)]|async\b|\(\)))|runIf\(false\b|skipIf\(true\b).*/gu;
  return [...source.matchAll(calls)].map(([call]) => call);
}

describe('the table of attacks', () => {
  it('has rows', () => {
    expect(rows.length).toBeGreaterThan(50);
    expect(rows.filter(({ attack }) => attack === '')).toEqual([]);
  });

  it.each([
    ["test.skip('a guard', () => {", 1],
    ["describe.skip('guards', () => {\n  it('a guard', () => {", 1],
    ["test.describe.fixme('guards', () => {", 1],
    ['test.describe.skip(() => {', 1],
    ["it.only('a guard', () => {", 1],
    ['it.skip.each(rows)(', 1],
    ["it.todo('a guard');", 1],
    ["test('a guard', () => {\n  test.skip();", 1],
    ["it.skipIf(true)('a guard', () => {", 1],
    ["test('a guard', () => {", 0],
    ["it.skipIf(process.platform === 'win32')('a guard', () => {", 0],
    ["test.skip(process.platform !== 'linux', 'It reads /proc.');", 0],
  ])('takes no test that is left out: %s', (source, found) => {
    expect(leftOut(source)).toHaveLength(found);
  });

  it.each(rows)('names files that are there: $attack', ({ guards, tests }) => {
    const files = [...guards, ...tests.map(({ file }) => file)];
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
    expect(guards).not.toEqual([]);
    expect(tests).not.toEqual([]);
  });

  it.each(rows)('names tests that are there: $attack', ({ tests }) => {
    for (const { file, titles } of tests) {
      const source = readFileSync(join(root, file), 'utf8');
      expect(titles, file).not.toEqual([]);
      expect(titles.filter((title) => !source.includes(title))).toEqual([]);
      expect(leftOut(source), file).toEqual([]);
    }
  });
});
