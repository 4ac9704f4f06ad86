import { describe, expect, test } from 'vitest';

import { run } from '#scripts/machine/processes';

describe('running a program', () => {
  test('keeps what it said on both streams, with its exit code', async () => {
    const { code, output } = await run('node', [
      '-e',
      'console.log("a"); console.error("b"); process.exit(3)',
    ]);
    expect(code).toBe(3);
    expect(output.split('\n').sort()).toEqual(['', 'a', 'b']);
  });

  test('runs the Node of the lockfile', async () => {
    const { output } = await run('node', ['--version']);
    expect(output).toMatch(/^v24\./);
  });

  test('a program that does not exist is a failure, not an exception', async () => {
    const { code, output } = await run('counterfoil-has-no-such-program', []);
    expect(code).toBe(1);
    expect(output).toContain('ENOENT');
  });
});
