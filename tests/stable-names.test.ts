import { globSync, readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

const sources = globSync('{core,adapters/http}/**/*.ts').map((path) => readFileSync(path, 'utf8'));
const [, section = ''] =
  /Programs of others import these[^:]*: (.*)/.exec(readFileSync('CONTRIBUTING.md', 'utf8')) ?? [];
const names = [...section.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);

test('what programs of others import keeps its name', () => {
  expect(names.length).toBeGreaterThan(15);
  const gone = names.filter((name) => {
    const definition = new RegExp(`^export (?:async )?(?:function\\*?|const) ${name}\\b`, 'm');
    return !sources.some((source) => definition.test(source));
  });
  expect(gone).toEqual([]);
});
