import js from '@eslint/js';
import vueI18n from '@intlify/eslint-plugin-vue-i18n';
import prettier from 'eslint-config-prettier/flat';
import vue from 'eslint-plugin-vue';
import accessibility from 'eslint-plugin-vuejs-accessibility';
import { defineConfig, globalIgnores } from 'eslint/config';
import globals from 'globals';
import ts from 'typescript-eslint';

import catches from './scripts/lint/catches.ts';
import { componentScripts } from './scripts/lint/component-scripts.ts';

/**
 * `npm run lint:fast` leaves out the rules that ask the compiler for types, which take most of the time, and keeps those that read
 * one component alone.
 */
const fast = process.env['npm_lifecycle_event'] === 'lint:fast';

/** The rules of components. All other files are oxlint's (`oxlint.config.ts`), which does not read templates. */
export default defineConfig([
  globalIgnores([
    '**/*.{ts,js,mjs}',
    '.output',
    '.wxt',
    'dist',
    'coverage',
    'reports',
    '.sandbox',
    '.stryker-tmp',
  ]),
  {
    files: ['**/*.vue'],
    extends: [
      js.configs.recommended,
      ts.configs.strictTypeChecked,
      ts.configs.stylisticTypeChecked,
      vue.configs['flat/recommended'],
      accessibility.configs['flat/recommended'],
    ],
    languageOptions: {
      globals: globals.browser,
      parserOptions: {
        parser: componentScripts,
        projectService: true,
        extraFileExtensions: ['.vue'],
      },
    },
    plugins: { '@intlify/vue-i18n': vueI18n, catches },
    settings: {
      'vue-i18n': {
        localeDir: {
          // Another language may lack a text.
          pattern: './locales/en/*.json',
          localeKey: 'path',
          localePattern: /\/(?<locale>[a-z]{2}(?:-[A-Z]{2})?)\/\w+\.json$/,
        },
        messageSyntaxVersion: '^11.0.0',
      },
    },
    rules: {
      'catches/only-adapters': 'error',
      '@intlify/vue-i18n/no-missing-keys': 'error',
      '@intlify/vue-i18n/no-raw-text': ['error', { ignorePattern: '^[^\\p{L}]*$' }],
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/explicit-module-boundary-types': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      'no-duplicate-imports': 'error',
      // The type of a generic component's row is unknown to it.
      '@typescript-eslint/no-redundant-type-constituents': 'off',
      'vue/block-order': ['error', { order: ['script', 'template', 'style'] }],
      'vue/define-macros-order': 'error',
      'vue/no-static-inline-styles': 'error',
      'vue/no-v-html': 'error',
      'vue/multi-word-component-names': 'off',
      'vue/require-default-prop': 'off',
      // A control in the slot of `Field.vue` has its label outside the template it stands in; axe sees the real tree.
      'vuejs-accessibility/form-control-has-label': 'off',
      'vuejs-accessibility/label-has-for': ['error', { required: { some: ['nesting', 'id'] } }],
    },
  },
  prettier,
  ...(fast
    ? [
        { files: ['**/*.vue'], extends: [ts.configs.disableTypeChecked] },
        // A comment may be for a rule that is off here.
        { linterOptions: { reportUnusedDisableDirectives: 'off' } },
      ]
    : []),
]);
