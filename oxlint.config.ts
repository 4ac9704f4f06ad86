import js from '@eslint/js';
import { defineConfig } from 'oxlint';
import ts from 'typescript-eslint';

import { mayCatch } from './scripts/lint/catches.ts';

/** Rules of typescript-eslint that replace one of ESLint's; oxlint has one rule for both, under ESLint's name. */
const replacing = new Set([
  'no-array-constructor',
  'no-empty-function',
  'no-unused-expressions',
  'no-unused-vars',
  'no-useless-constructor',
]);

/** Rules that oxlint does not have. The first two are syntax errors in a module anyway. */
const unknown = new Set([
  'no-dupe-args',
  'no-octal',
  '@typescript-eslint/no-unsafe-class-instance-assignment',
  '@typescript-eslint/no-unsafe-enum-assignment',
]);

/** Returns the name that oxlint gives to a rule of ESLint or of typescript-eslint. */
function nameForOxlint(name: string): string {
  const own = name.replace('@typescript-eslint/', '');
  return own === name || replacing.has(own) ? own : `typescript/${own}`;
}

/**
 * Returns the rules that configurations leave on when they apply one after the other, under the names that oxlint gives
 * them.
 */
function rulesOf(...configs: readonly { readonly rules?: object }[]): Record<string, 'error'> {
  const settings = Object.assign({}, ...configs.map(({ rules }) => rules)) as Record<
    string,
    'error'
  >;
  return Object.fromEntries(
    Object.entries(settings)
      .filter(([name, setting]) => !['off', 0].includes(setting) && !unknown.has(name))
      .map(([name, setting]) => [nameForOxlint(name), setting]),
  );
}

const rules = rulesOf(
  js.configs.recommended,
  ...ts.configs.strictTypeChecked,
  ...ts.configs.stylisticTypeChecked,
);
const untyped = rulesOf(js.configs.recommended, ...ts.configs.strict, ...ts.configs.stylistic);

/**
 * Sets the rules of TypeScript and JavaScript. Components are ESLint's (`eslint.config.js`), since oxlint reads no
 * templates.
 */
export default defineConfig({
  plugins: ['typescript', 'unicorn'],
  jsPlugins: ['./scripts/lint/catches.ts'],
  categories: { correctness: 'off' },
  ignorePatterns: ['**/*.vue'],
  rules: {
    ...rules,
    'typescript/switch-exhaustiveness-check': 'error',
    'typescript/explicit-module-boundary-types': 'error',
    'typescript/consistent-type-imports': 'error',
    'unicorn/no-useless-spread': 'error',
    'no-duplicate-imports': 'error',
  },
  overrides: [
    {
      files: ['core/**/*.ts'],
      rules: {
        'no-restricted-properties': [
          'error',
          { object: 'Date', property: 'now', message: 'Take the time as an argument.' },
        ],
        'no-restricted-globals': ['error', { name: 'setTimeout', message: 'A rule never waits.' }],
      },
    },
    { files: ['core/time/delay.ts'], rules: { 'no-restricted-globals': 'off' } },
    {
      files: ['{core,messaging,background,stores,components,entrypoints,pwa,relay}/**/*.ts'],
      rules: { 'catches/only-adapters': 'error' },
    },
    { files: Object.keys(mayCatch), rules: { 'catches/only-adapters': 'off' } },
    {
      files: ['**/*.{js,mjs}'],
      env: { browser: true, node: true },
      rules: Object.fromEntries(
        Object.keys(rules)
          .filter((name) => !(name in untyped))
          .map((name) => [name, 'off']),
      ),
    },
  ],
});
