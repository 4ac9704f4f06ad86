import { expect, test } from 'vitest';

import { parseCount, parsePort, Refusal } from '#scripts/command-line/refusal';
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

test('a count is a whole number from 1 on, or from where it is told', () => {
  expect(parseCount('cases', '1')).toBe(1);
  expect(parseCount('cases', '1000000')).toBe(1_000_000);
  expect(parseCount('seed', '0', 0)).toBe(0);
});

test.each(['', '0', '-1', '1.5', '1e3', 'many', '9'.repeat(20)])('%j is no count', (text) => {
  expect(() => parseCount('cases', text)).toThrow(Refusal);
  expect(() => parseCount('cases', text)).toThrow(
    `--cases takes a whole number from 1 on, and "${text}" is none.`,
  );
});

const range = { min: 1, max: 65_534 };

test('a port is a decimal number in the range', () => {
  expect(parsePort('8787', range)).toBe(8787);
  expect(parsePort('65534', range)).toBe(65_534);
});

test.each(['', '0', '65535', '-1', '80.5', '0x50', '1e3', 'http'])('%j is no port', (text) => {
  expect(() => parsePort(text, range)).toThrow(Refusal);
  expect(() => parsePort(text, range)).toThrow(
    `"${text}" is no port: give a number from 1 to 65534.`,
  );
});
