import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { expect, test } from 'vitest';
import { parse } from 'vue/compiler-sfc';

import { styleProblems, type View } from '#scripts/checks/styles';

const root = fileURLToPath(new URL('../../components/', import.meta.url));
const files = readdirSync(root, { recursive: true, encoding: 'utf8' });

function viewOf(file: string): View {
  const { descriptor } = parse(readFileSync(root + file, 'utf8'));
  return {
    file,
    template: descriptor.template?.content ?? '',
    styles: descriptor.styles.map(({ scoped = false, content }) => ({ scoped, content })),
  };
}

test('each component styles itself alone; what several share stands in a style sheet', () => {
  const views = files.filter((file) => file.endsWith('.vue')).map(viewOf);
  const sheets = files.filter((file) => file.endsWith('.css'));
  const shared = sheets.map((file) => readFileSync(root + file, 'utf8')).join('\n');
  expect(views.length).toBeGreaterThan(80);
  expect(styleProblems(views, shared)).toEqual([]);
});

test('no component gives another meaning to a value that all pages share, as the colour of edges', () => {
  const declared = (css: string): string[] => css.match(/(?<=[{;\s])--[\w-]+(?=\s*:)/gu) ?? [];
  const tokens = new Set(declared(readFileSync(`${root}ui/tokens.css`, 'utf8')));
  const redefined = files
    .filter((file) => file.endsWith('.vue'))
    .flatMap((file) =>
      viewOf(file)
        .styles.flatMap(({ content }) => declared(content))
        // A row under the pointer has a deeper ground for its chips.
        .filter((name) => tokens.has(name) && name !== '--plain-bg')
        .map((name) => `${file} ${name}`),
    );
  expect(tokens.size).toBeGreaterThan(20);
  expect(redefined).toEqual([]);
});
