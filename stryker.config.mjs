import { filesOf, reportOf } from './scripts/mutation/parts.ts';

/** The part that is mutated, set by `scripts/mutation.ts`. */
const part = process.env['MUTATED'] ?? 'core';

/**
 * Mutation tests of one part: each guard is taken out in turn, and a test must notice. `npm run mutation` runs it part by part,
 * each judged by the tests of its folder, so that a test of one folder does not stand in for a missing one of another.
 * @type {Partial<import('@stryker-mutator/core').StrykerOptions>}
 */
export default {
  testRunner: 'in-process',
  plugins: ['./scripts/mutation/runner.ts'],
  mutate: [filesOf(part).mutated, '!**/*.d.ts'],
  // What the tests of these parts need; the rest need not be copied.
  ignorePatterns: [
    '**',
    '!{core,messaging,adapters,background,stores,components,locales,docs,sandbox,relay,pwa,scripts,tests}/**',
    '!package.json',
    '!wxt.config.ts',
    '!tsconfig*.json',
    'tests/e2e',
  ],
  // Node strips the types and checks none.
  disableTypeChecks: false,
  coverageAnalysis: 'perTest',
  // A static mutant is run once at import, so all tests would have to run for each of them.
  ignoreStatic: true,
  concurrency: 2,
  timeoutMS: 30_000,
  dryRunTimeoutMinutes: 20,
  reporters: ['clear-text', 'json', 'progress-append-only'],
  jsonReporter: { fileName: reportOf(part) },
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  tempDirName: '.stryker-tmp',
};
