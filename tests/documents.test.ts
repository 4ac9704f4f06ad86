import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
/** Made by builds and by running the program. */
const generated =
  /^(?:dist|coverage|reports|test-results|playwright-report|\.output|\.sandbox|\.wxt|\.git|\.stryker-tmp|node_modules)(?:\/|$)/;

const files = readdirSync(root)
  .filter((name) => !generated.test(name))
  .flatMap((name) =>
    statSync(join(root, name)).isDirectory()
      ? readdirSync(join(root, name), { recursive: true, encoding: 'utf8' }).map(
          (path) => `${name}/${path}`,
        )
      : [name],
  );
const documents = files.filter((file) => file.endsWith('.md') && file !== 'CHANGELOG.md');
const folders = new Set(
  files.filter((file) => file.includes('/')).map((file) => file.split('/')[0]),
);

/** Stand for the form of a name. */
const examples = new Set(['kebab-case.ts', 'PascalCase.vue']);

/** Returns the paths of the repository that a document names in backticks. */
function namedPaths(document: string): string[] {
  // Drawings name no paths.
  const text = readFileSync(join(root, document), 'utf8').replaceAll(/^```[^]*?^```/gm, '');
  return [...text.matchAll(/`([\w.@-]+(?:\/[\w.@-]+)*\/?)`/g)]
    .map(([, path = '']) => path)
    .filter((path) => isPath(path) && !generated.test(path) && !examples.has(path));
}

function isPath(path: string): boolean {
  const [first = ''] = path.split('/');
  return path.includes('/') ? folders.has(first) : /\.(?:ts|vue|mjs|md)$/.test(path);
}

/** Tells whether a path exists from the root, beside the document, or as the name of some file. */
function exists(path: string, document: string): boolean {
  return (
    existsSync(join(root, path)) ||
    existsSync(join(root, dirname(document), path)) ||
    files.some((file) => file.endsWith(`/${path}`)) ||
    ['.ts', '.vue'].some((ending) => existsSync(join(root, path + ending)))
  );
}

describe('paths in the documents', () => {
  test.each(documents)('%s names only what exists', (document) => {
    expect(namedPaths(document).filter((path) => !exists(path, document))).toEqual([]);
  });

  test('are looked for: the map names many', () => {
    expect(namedPaths('ARCHITECTURE.md').length).toBeGreaterThan(10);
  });
});

describe('links in the documents', () => {
  test.each(documents)('%s leads only to what exists', (document) => {
    const text = readFileSync(join(root, document), 'utf8');
    const links = [...text.matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)/g)].map(
      ([, path = '']) => path,
    );
    expect(links.filter((path) => !existsSync(join(root, dirname(document), path)))).toEqual([]);
  });
});

describe('maps of folders', () => {
  /** Documents that list the folders beside them in a table. */
  const maps = documents.filter((document) =>
    /^\| Folder +\|/m.test(readFileSync(join(root, document), 'utf8')),
  );

  test('are found', () => {
    expect(maps.length).toBeGreaterThan(3);
  });

  test.each(maps)('%s names every folder beside it', (document) => {
    const beside = dirname(document);
    const rows = readFileSync(join(root, document), 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('| `'))
      .map((line) => line.split('|')[1]);
    const named = new Set(
      rows.flatMap((cell = '') => [...cell.matchAll(/`([\w-]+)\/`/g)].map(([, name]) => name)),
    );
    const present = readdirSync(join(root, beside), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
    expect(present.filter((name) => !named.has(name))).toEqual([]);
  });
});
