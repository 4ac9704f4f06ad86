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
