import js from '@eslint/js';
import vueI18n from '@intlify/eslint-plugin-vue-i18n';
import prettier from 'eslint-config-prettier/flat';
import vue from 'eslint-plugin-vue';
import accessibility from 'eslint-plugin-vuejs-accessibility';
import { defineConfig, globalIgnores } from 'eslint/config';
import globals from 'globals';
import ts from 'typescript-eslint';

/**
 * The files outside `adapters/` that may catch, each with the call that throws instead of returning a result.
 * `try … finally` without a catch is allowed everywhere.
 */
const mayCatch = {
  'core/bulk/detect-encoding.ts': 'TextDecoder throws on bytes of another encoding.',
  'core/license/keys/curve-point.ts': 'The curve library throws on bytes that are no point.',
  'core/text/json.ts': 'JSON.parse throws on text that is no JSON.',
  'entrypoints/ticket/index.ts': 'A message to a stopped worker or a removed extension rejects.',
  'entrypoints/ticket-view/text-rules.ts': 'A selector may be unknown to this browser.',
  'messaging/body-schemas.ts': 'JSON.stringify throws on a cyclic value.',
  'relay/join/openid.ts': 'The OpenID library throws on whatever the provider refuses.',
  'relay/keys/cipher.ts': 'A cipher throws on text that was changed or sealed under another key.',
  'relay/main.ts': 'Settings, keys and the database may be unusable, which ends in a sentence.',
  'relay/relay.ts': 'What was opened is closed when the start fails.',
  'relay/store/postgres/database.ts': 'A connection on which a statement failed is closed.',
  'relay/store/postgres/groups.ts': 'A statement that fails rejects every request in it.',
  'relay/store/postgres/postgres-store.ts': 'The pool is closed when the schema does not fit.',
  'relay/store/sqlite/database.ts': 'A failed upgrade is rolled back.',
  'relay/store/sqlite/write-queue.ts': 'SQLite throws; a failed write is rolled back and rejects.',
  'relay/upstream/send.ts': 'A stream throws when its connection breaks.',
  'stores/bulk/bulk-input.ts': 'A file may be deleted or changed while its stream is read.',
  'stores/rehearsal/rehearsal.ts': 'A request rejects when the worker is gone.',
  'stores/verifier/keys.ts': 'The verify worker may be lost; JSON.parse throws.',
};

export default defineConfig([
  globalIgnores(['.output', '.wxt', 'dist', 'coverage', 'reports', '.sandbox']),
  js.configs.recommended,
  ts.configs.strictTypeChecked,
  ts.configs.stylisticTypeChecked,
  vue.configs['flat/recommended'],
  accessibility.configs['flat/recommended'],
  {
    files: ['**/*.{ts,vue}'],
    languageOptions: {
      globals: globals.browser,
      parserOptions: { parser: ts.parser, projectService: true, extraFileExtensions: ['.vue'] },
    },
    rules: {
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/explicit-module-boundary-types': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
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
  {
    files: ['**/*.vue'],
    plugins: { '@intlify/vue-i18n': vueI18n },
    settings: { 'vue-i18n': { localeDir: './locales/*.json', messageSyntaxVersion: '^11.0.0' } },
    rules: {
      '@intlify/vue-i18n/no-missing-keys': 'error',
      '@intlify/vue-i18n/no-raw-text': ['error', { ignorePattern: '^[^\\p{L}]*$' }],
    },
  },
  {
    files: ['core/**/*.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'Date', property: 'now', message: 'Take the time as an argument.' },
      ],
    },
  },
  {
    files: ['core/**/*.ts'],
    ignores: ['core/time/delay.ts'],
    rules: {
      'no-restricted-globals': ['error', { name: 'setTimeout', message: 'A rule never waits.' }],
    },
  },
  {
    files: ['{core,messaging,background,stores,components,entrypoints,pwa,relay}/**/*.{ts,vue}'],
    ignores: Object.keys(mayCatch),
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: 'CatchClause',
          message: 'Expected outcomes are a Result; only adapters catch (exceptions: mayCatch).',
        },
      ],
    },
  },
  {
    files: ['**/*.{js,mjs}'],
    extends: [ts.configs.disableTypeChecked],
    languageOptions: { globals: { ...globals.browser, ...globals.node } },
  },
  prettier,
]);
