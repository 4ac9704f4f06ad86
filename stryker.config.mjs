/**
 * Mutation tests of the rules, the message gate and the worker: each guard is taken out in turn, and a test must notice.
 * `npm run mutation -- --mutate 'core/check/*.ts'` looks at one part.
 * @type {Partial<import('@stryker-mutator/core').StrykerOptions>}
 */
export default {
  testRunner: 'vitest',
  vitest: { configFile: 'vitest.mutation.config.ts', related: true },
  plugins: ['@stryker-mutator/vitest-runner'],
  mutate: ['core/**/*.ts', 'messaging/**/*.ts', 'background/**/*.ts', '!**/*.d.ts'],
  ignorePatterns: ['.output', 'dist', 'reports', '.sandbox', 'docs', 'public'],
  coverageAnalysis: 'perTest',
  ignoreStatic: true,
  concurrency: 2,
  timeoutMS: 20_000,
  reporters: ['clear-text', 'json', 'progress-append-only'],
  jsonReporter: { fileName: 'reports/mutation.json' },
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  tempDirName: '.stryker-tmp',
};
