import { describe, expect, test } from 'vitest';

import { run } from '#scripts/machine/processes';

/** Commands with arguments that they do not have, and the one sentence that each says. */
const refused: readonly (readonly [command: string, sentence: RegExp])[] = [
  ['scripts/zip.ts --fierfox', /^Unknown option '--fierfox'.*\n$/],
  ['scripts/preview-pwa.ts --at tools/*/', /^"tools\/\*\/" is no path: .*\n$/],
  ['scripts/test.ts tests/core', /^"npm test" takes no arguments: .*\n$/],
  ['scripts/check.ts --watch', /^"npm run check" takes no arguments: .*\n$/],
  ['tests/fuzz/main.ts --target nosuch', /^"nosuch" is none of .*artifacts, documents.*\n$/],
  ['tests/fuzz/main.ts --cases many', /^--cases takes a whole number from 1 on, .*\n$/],
  [
    'bench/main.ts --only nosuch',
    /^No measurement's name holds "nosuch": .*popup, first paint.*\n$/,
  ],
  ['sandbox/samples/main.ts one two', /^The samples cannot be written: .*\n$/],
  [
    'sandbox/samples/main.ts package.json --db :memory:',
    /^The samples cannot be written: .*package\.json.*\n$/,
  ],
];

describe('an argument that a command does not have', () => {
  test.each(refused)('%s', async (command, sentence) => {
    const { code, output } = await run('node', command.split(' '));
    expect(output).toMatch(sentence);
    expect(code).toBe(1);
  });
});
