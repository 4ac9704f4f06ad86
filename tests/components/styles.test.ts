import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { expect, test } from 'vitest';
import { parse } from 'vue/compiler-sfc';

/** A component's own markup and styles. */
interface View {
  readonly file: string;
  readonly template: string;
  readonly styles: readonly { readonly scoped: boolean; readonly content: string }[];
}

/** Returns the classes that the selectors of a style sheet name. */
function styledClasses(css: string): Set<string> {
  const selectors = css.replaceAll(/\/\*[\s\S]*?\*\//g, '').matchAll(/([^{}]*)\{/g);
  return new Set(
    [...selectors].flatMap(([, selector = '']) =>
      [...selector.matchAll(/\.([a-z_][\w-]*)/gi)].map(([, name = '']) => name),
    ),
  );
}

/** Returns the classes that a template gives its elements; those of an expression as far as they stand in it. */
function usedClasses(template: string): Set<string> {
  const fixed = [...template.matchAll(/\sclass="([^"]*)"/g)].flatMap(([, names = '']) =>
    names.split(/\s+/),
  );
  const bound = [...template.matchAll(/:class="([^"]*)"/g)].flatMap(([, expression = '']) =>
    [...expression.matchAll(/'([\w -]+)'|[{,]\s*(\w+)\s*(?=[:,}])/g)].flatMap(
      ([, quoted, key]) => quoted?.split(' ') ?? key ?? [],
    ),
  );
  return new Set([...fixed, ...bound].filter((name) => name !== ''));
}

function problemsOf(views: readonly View[], sharedCss: string): string[] {
  const shared = styledClasses(sharedCss);
  const parts = views.map(({ file, template, styles }) => ({
    file,
    template,
    styles,
    used: usedClasses(template),
    styled: styledClasses(styles.map(({ content }) => content).join('\n')),
  }));
  return parts.flatMap(({ file, template, styles, used, styled }) => [
    ...styles.filter(({ scoped }) => !scoped).map(() => `${file}: a style without "scoped"`),
    ...styles
      .filter(({ content }) => /:deep\(|:global\(/.test(content))
      .map(() => `${file}: reaches into other components`),
    ...[...styled]
      .filter((name) => !new RegExp(`(?<![\\w-])${name}(?![\\w-])`).test(template))
      .map((name) => `${file}: styles .${name}, which its own template does not have`),
    ...[...used]
      .filter((name) => !styled.has(name) && !shared.has(name))
      .filter((name) => parts.some((other) => other.styled.has(name)))
      .map((name) => `${file}: uses .${name}, which only another component styles`),
  ]);
}

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
  expect(problemsOf(views, shared)).toEqual([]);
});

test('the check names each kind of problem', () => {
  const view = (file: string, template: string, content: string, scoped = true): View => ({
    file,
    template,
    styles: [{ scoped, content }],
  });
  const problems = problemsOf(
    [
      view('A.vue', '<p class="own" :class="{ lit: on, \'un-lit\': !on }"></p>', '.own > .lit {}'),
      view('B.vue', '<p class="own card"><b class="handle"></b></p>', '.card .stranger {}'),
      view('C.vue', "<p :class=\"[on ? 'lit' : '']\"></p>", '.x :deep(.y) {}', false),
    ],
    '.card { color: red }',
  );
  expect(problems).toEqual([
    'B.vue: styles .stranger, which its own template does not have',
    'B.vue: uses .own, which only another component styles',
    'C.vue: a style without "scoped"',
    'C.vue: reaches into other components',
    'C.vue: styles .x, which its own template does not have',
    'C.vue: styles .y, which its own template does not have',
    'C.vue: uses .lit, which only another component styles',
  ]);
});
