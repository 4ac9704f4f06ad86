import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { countDoors } from '#scripts/checks/doors';

/** How many names whoever uses a room has to know, at most. A second door is for another bundle. */
const most: Readonly<Record<string, number>> = {
  'adapters/secrets': 8,
  'adapters/storage': 30,
  'background/seller': 10,
  'core/address': 11,
  'core/bulk': 15,
  'core/check': 20,
  'core/codes': 20,
  'core/first-steps': 13,
  'core/history': 10,
  'core/installation': 13,
  'core/items': 12,
  'core/key-ring': 12,
  'core/license': 20,
  'core/marketplaces': 20,
  'core/preferences': 22,
  'core/reading': 20,
  'core/replies': 16,
  'core/reply-templates': 25,
  'core/settings': 15,
  'core/settings-import': 18,
  'core/storage': 12,
  'core/tables': 15,
  'core/team': 24,
  'core/text': 13,
  'core/ticket': 15,
  'core/time': 25,
  'core/verdict': 20,
  'core/verifier': 16,
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
