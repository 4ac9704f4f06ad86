import { defineConfig } from 'eslint/config';
import ts from 'typescript-eslint';

import config from './eslint.config.js';

/** The rules that read one component alone. Those that ask the compiler for types take most of the time; `npm test` runs all. */
export default defineConfig([
  config,
  { files: ['**/*.vue'], extends: [ts.configs.disableTypeChecked] },
  // A comment may be for a rule that is off here.
  { linterOptions: { reportUnusedDisableDirectives: 'off' } },
]);
