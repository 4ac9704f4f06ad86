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

/** Tells whether a test of this title is there and is not left out for good. */
function runs(source: string, title: string): boolean {
  const at = source.indexOf(title);
  const before = source.slice(Math.max(0, at - 120), at);
  return at >= 0 && !/\.(?:skip|todo|fixme)\((?:(?!\b(?:test|it)\b)[\s\S])*$/u.test(before);
}

describe('the table of attacks', () => {
  it('has rows', () => {
    expect(rows.length).toBeGreaterThan(50);
    expect(rows.filter(({ attack }) => attack === '')).toEqual([]);
    expect(runs("test.skip('a guard', () => {", 'a guard')).toBe(false);
    expect(runs("test('a guard', () => {", 'a guard')).toBe(true);
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
      expect(titles.filter((title) => !runs(source, title))).toEqual([]);
    }
  });
});
