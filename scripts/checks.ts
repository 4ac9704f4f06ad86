import { countVitest } from '#scripts/reports';
import type { Step } from '#scripts/steps';

/** A Vitest project's script, with the JSON report that its tests are counted from. */
export function vitestStep(script: 'unit' | 'browser', env: Step['env'] = {}): Step {
  const file = `reports/${script}.json`;
  return {
    script,
    args: ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`],
    env,
    report: { file, count: countVitest },
  };
}

/**
 * All that can be said of the tree without a browser; the slow ones first, so that they do not end last.
 * WXT rewrites the types that linter and compiler read, so its builds go ahead of both.
 */
export const checks: readonly Step[] = [
  // Builds for Chromium on its way.
  { script: 'zip' },
  { script: 'build:pwa' },
  { script: 'format:check' },
  { script: 'lint', after: ['build:firefox'] },
  { script: 'build:firefox', after: ['zip'] },
  { script: 'types', after: ['build:firefox'] },
  vitestStep('unit'),
  { script: 'layers' },
  { script: 'unused' },
  { script: 'size', after: ['zip', 'build:pwa'] },
];
