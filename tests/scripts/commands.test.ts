import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import project from '../../package.json' with { type: 'json' };
import { buildsAndTests, fastChecks, aloneWithReaders } from '#scripts/checks/checks';
import { root } from '#scripts/machine/processes';

const textsIn = (folder: string): string =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(?:ts|yml)$/.test(file))
    .map((file) => readFileSync(join(root, folder, file), 'utf8'))
    .join('\n');

const workflows = textsIn('.github/workflows');
const tests = textsIn('tests');
const steps = new Set(
  [...buildsAndTests(), ...aloneWithReaders, ...fastChecks].map(({ script }) => script),
);

/** Tells whether a script is run by a workflow, by `npm test`, or by a test that starts its program. */
function isRun(script: string): boolean {
  const npm = ['start', 'test'].includes(script) ? `npm ${script}` : `npm run ${script}`;
  const program = /node (\S+\.ts)/.exec(
    (project.scripts as Record<string, string>)[script] ?? '',
  )?.[1];
  return (
    new RegExp(`${npm}(?![\\w:])`).test(workflows) ||
    steps.has(script) ||
    (program !== undefined && tests.includes(program))
  );
}

test('every command of CONTRIBUTING runs in a test or in a scheduled job', () => {
  const guide = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
  const commands = [...guide.matchAll(/^\| `npm (?:run )?([\w:]+)` \|/gm)].map(
    ([, script = '']) => script,
  );
  expect(commands.length).toBeGreaterThan(20);
  expect(commands.filter((script) => !isRun(script))).toEqual([]);
});
