import { readVitest, shortenVitest } from '#scripts/reports';
import type { Step } from '#scripts/steps';

/**
 * Returns the step of a Vitest project, with the JSON report that its tests are counted from. A test that a busy machine
 * starves is given a second try, and is named at the end.
 */
export function vitestStep(script: 'unit' | 'browser', env: Step['env'] = {}): Step {
  const file = `reports/${script}.json`;
  return {
    script,
    args: ['--retry=1', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`],
    env,
    report: { file, read: readVitest, shorten: shortenVitest },
  };
}

/**
 * Lists every check that needs no browser, the slow ones first, so that they do not end last.
 * WXT's builds rewrite the types that linter and compiler read, so they run before both.
 */
export const checks: readonly Step[] = [
  // Builds for both browsers.
  { script: 'zip' },
  { script: 'build:pwa' },
  { script: 'format:check' },
  { script: 'lint', after: ['zip'] },
  { script: 'types:all', after: ['zip'] },
  { script: 'types:pages', after: ['zip'] },
  { script: 'types:runtimes', after: ['zip'] },
  vitestStep('unit'),
  { script: 'layers' },
  { script: 'unused' },
  { script: 'size', after: ['zip', 'build:pwa'] },
];
