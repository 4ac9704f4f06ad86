import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
const document = readFileSync(join(root, 'SECURITY.md'), 'utf8');

interface Row {
  readonly attack: string;
  readonly guards: readonly string[];
  readonly tests: readonly { readonly file: string; readonly titles: readonly string[] }[];
}

/** Reads the rows of the table of attacks: the attack, the files of its guard, and each test file with the titles that follow it. */
const rows = document
  .split('\n')
  .filter((line) => line.startsWith('| ') && line.includes('`tests/'))
  .map((line): Row => {
    const [attack = '', guard = '', test = ''] = line.slice(1, -1).split(/(?<!\\)\|/u);
    return {
      attack: attack.trim(),
      guards: [...guard.matchAll(/`([^`]+)`/gu)].map(([, path = '']) => path),
      tests: test.split(/(?=`tests\/)/u).flatMap((part) => {
        const file = /^`([^`]+)`/u.exec(part)?.[1];
        const titles = [...part.matchAll(/_([^_]+)_/gu)].map(([, title = '']) => title);
        return file === undefined ? [] : [{ file, titles }];
      }),
    };
  });

describe('the table of attacks in SECURITY.md', () => {
  it('has rows', () => {
    expect(rows.length).toBeGreaterThan(30);
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
    }
  });
});
