import { describe, expect, test } from 'vitest';

import { freePorts, run } from '#scripts/machine/processes';

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

  test('leaves the processors to others where that is asked for, and so does what it starts', async () => {
    const priority = 'console.log(os.getPriority())';
    const child = `child_process.execFileSync('node', ['-e', ${JSON.stringify(priority)}], { stdio: 'inherit' })`;
    // Its priority is set just after it was started.
    const starting = `setTimeout(() => { ${priority}; ${child}; }, 300)`;
    const { output } = await run('node', ['-e', starting], { inBackground: true });
    expect(output).toBe('19\n19\n');
  });

  test('a program that does not exist is a failure, not an exception', async () => {
    const { code, output } = await run('counterfoil-has-no-such-program', []);
    expect(code).toBe(1);
    expect(output).toContain('ENOENT');
  });
});

describe('free ports', () => {
  test('differ, and are none that the system gives to whoever takes any', async () => {
    const ports = await freePorts(3);
    expect(new Set(ports).size).toBe(3);
    // 32,768 is the first on Linux, 49,152 elsewhere.
    for (const port of ports) expect(port).toBeLessThan(32_768);
  });
});
