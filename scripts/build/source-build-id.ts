import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from '#scripts/machine/processes';

/** What an extension is built from. */
const folders = [
  'adapters',
  'background',
  'components',
  'core',
  'entrypoints',
  'locales',
  'messaging',
  'public',
  'stores',
];

/** Returns 12 hexadecimal digits that are the same for the same sources, wherever they lie. */
export function sourceBuildId(): string {
  const hash = createHash('sha256');
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name)),
  );
  for (const file of [
    ...files,
    join(root, 'package-lock.json'),
    join(root, 'wxt.config.ts'),
  ].sort())
    hash.update(file.slice(root.length).replaceAll('\\', '/')).update(readFileSync(file));
  return hash.digest('hex').slice(0, 12);
}
