import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from '#scripts/machine/processes';

/**
 * Returns the rows of CONTRIBUTING's table of dependencies: the cells of each, the package's name without backticks.
 */
export function dependencyTable(): string[][] {
  const text = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
  const section = text.split('### Dependencies\n')[1]?.split(/^#/m)[0] ?? '';
  return section
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim().replaceAll('`', '')),
    );
}
