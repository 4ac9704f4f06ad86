import { expect, test } from 'vitest';

import { run } from '#scripts/machine/processes';

/** Runs a command whose body throws what the expression makes. */
function failing(thrown: string): ReturnType<typeof run> {
  const source = `const { Refusal, runCommand } = await import('./scripts/command-line/refusal.ts');
    await runCommand(async () => { throw ${thrown}; });`;
  return run('node', ['--input-type=module', '-e', source]);
}

test.each([
  ["new Refusal('No room.')", 'No room.\n'],
  [
    "Object.assign(new Error('EROFS: read-only file system, mkdir'), { code: 'EROFS' })",
    'The system does not allow it: EROFS: read-only file system, mkdir.\n',
  ],
  [
    "Object.assign(new TypeError('Unknown option'), { code: 'ERR_PARSE_ARGS_UNKNOWN_OPTION' })",
    'Unknown option\n',
  ],
])('%s is one sentence', async (thrown, printed) => {
  const { code, output } = await failing(thrown);
  expect([code, output]).toEqual([1, printed]);
});

test.each(["new Error('a defect')", "Object.assign(new Error('a defect'), { code: 'ENOENT' })"])(
  '%s has its stack',
  async (thrown) => {
    const { code, output } = await failing(thrown);
    expect([code, output]).toEqual([1, expect.stringMatching(/Error: a defect\n +at /)]);
  },
);
