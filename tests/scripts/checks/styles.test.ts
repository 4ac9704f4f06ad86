import { expect, test } from 'vitest';

import { styleProblems, type View } from '#scripts/checks/styles';

test('a style that reaches beyond its component is named', () => {
  const view = (file: string, template: string, content: string, scoped = true): View => ({
    file,
    template,
    styles: [{ scoped, content }],
  });
  const problems = styleProblems(
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
