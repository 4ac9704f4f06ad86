import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { countDoors } from '#scripts/checks/doors';

/** How many names whoever uses a room has to know, at most. A second door is for another bundle. */
const most: Readonly<Record<string, number>> = {
  'adapters/secrets': 8,
  'adapters/storage': 30,
  'background/seller': 10,
  'core/bulk': 15,
  'core/check': 20,
  'core/codes': 20,
  'core/history': 10,
  'core/license': 20,
  'core/marketplaces': 20,
  'core/reading': 20,
  'core/settings': 15,
  'core/ticket': 15,
  messaging: 15,
  'relay/rules': 15,
  'relay/store': 10,
  'stores/check': 12,
  'stores/verifier': 12,
};

const rooms = countDoors(
  new Map(
    execFileSync('git', ['ls-files', '-z'], { encoding: 'utf8' })
      .split('\0')
      .filter((name) => /\.(?:ts|vue|md)$/.test(name) && existsSync(name))
      .map((name) => [name, readFileSync(name, 'utf8')]),
  ),
);

test.each(Object.entries(most))('%s is entered by %i names at most', (folder, limit) => {
  const room = rooms.find((each) => each.folder === folder);
  expect([...(room?.names ?? [])].slice(limit)).toEqual([]);
  expect(room?.doors.size).toBeLessThanOrEqual(2);
});

test('a name too many and a third door are counted', () => {
  const files = new Map([
    ['core/a/README.md', ''],
    ['core/a/index.ts', ''],
    ['core/b.ts', "import { one, type Two as Other } from '#core/a/index';\n"],
    ['stores/c.ts', "import type { Three } from '#core/a/inner';\n"],
  ]);
  const [room] = countDoors(files);
  expect(room?.folder).toBe('core/a');
  expect([...(room?.names ?? [])]).toEqual(['one', 'Two', 'Three']);
  expect([...(room?.doors ?? [])]).toEqual(['core/a/index', 'core/a/inner']);
});
