import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { removalsByAttack } from '#scripts/guards/removals';
import { readGuards } from '#scripts/guards/table';

const root = join(import.meta.dirname, '..');
const guards = readGuards(readFileSync(join(root, 'docs/guards.md'), 'utf8'));

/**
 * Lists where a file leaves tests out for good, by themselves or by a group around them, or runs one at the expense of
 * the others. A condition, such as the system, may leave them out: the first argument is then no title.
 */
function leftOut(source: string): string[] {
  const calls =
    /\.(?:(?:skip|todo|fixme|only)(?:\.each\b|\(\s*(?:['"`)]|async\b|\(\)))|runIf\(false\b|skipIf\(true\b).*/gu;
  return [...source.matchAll(calls)].map(([call]) => call);
}

describe('the table of attacks', () => {
  it('has rows', () => {
    expect(guards.length).toBeGreaterThan(50);
    expect(guards.filter(({ attack }) => attack === '')).toEqual([]);
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

  it.each(guards)('names files that are there: $attack', ({ tests }) => {
    expect(tests.filter(({ file }) => !existsSync(join(root, file)))).toEqual([]);
    expect(tests).not.toEqual([]);
  });

  it.each(guards)('names tests that are there: $attack', ({ tests }) => {
    for (const { file, titles } of tests) {
      const source = readFileSync(join(root, file), 'utf8');
      expect(titles, file).not.toEqual([]);
      expect(titles.filter((title) => !source.includes(title))).toEqual([]);
      expect(leftOut(source), file).toEqual([]);
    }
  });
});

describe('the guards that are taken out', () => {
  it.each(guards)('are those of each attack, once: $attack', ({ attack }) => {
    const named = removalsByAttack.filter((one) => attack.startsWith(one.attack));
    expect(named).toHaveLength(1);
    expect(named.flatMap((one) => one.removals)).not.toEqual([]);
  });

  it('are of attacks that the table has', () => {
    expect(removalsByAttack).toHaveLength(guards.length);
  });

  it.each(removalsByAttack.flatMap(({ removals }) => removals))(
    'stand once in $file: $from',
    ({ file, from, to }) => {
      expect(readFileSync(join(root, file), 'utf8').split(from)).toHaveLength(2);
      expect(to).not.toBe(from);
    },
  );
});
