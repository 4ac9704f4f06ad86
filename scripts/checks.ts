import { readVitest, shortenVitest } from '#scripts/reports';
import type { Step } from '#scripts/steps';

/**
 * Returns the step of a Vitest project, with the JSON report that its tests are counted from. A test that a busy machine
 * starves is given a second try, and is named at the end.
 */
export function vitestStep(script: 'unit' | 'unit:fast' | 'browser', env: Step['env'] = {}): Step {
  const file = `reports/${script.replace(':', '-')}.json`;
  return {
    script,
    args: ['--retry=1', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`],
    env,
    report: { file, read: readVitest, shorten: shortenVitest },
  };
}

/** The builds. Linter and compilers read the types that WXT writes with them. */
const builds: readonly Step[] = [
  // For both browsers.
  { script: 'zip' },
  { script: 'build:pwa' },
];

const quickChecks: readonly Step[] = [
  { script: 'format:check' },
  { script: 'types:all', after: ['zip'] },
  { script: 'layers' },
  { script: 'unused' },
  { script: 'size', after: ['zip', 'build:pwa'] },
];

/** Lists what `npm run check` runs: of each kind of check the part that is quick. */
export const fastChecks: readonly Step[] = [
  ...[vitestStep('unit:fast'), ...builds],
  { script: 'lint:fast', after: ['zip'] },
  ...quickChecks,
];

/** Lists every check that needs no browser; what takes longest comes first, so that it does not end last. */
export const checks: readonly Step[] = [
  ...[vitestStep('unit'), ...builds],
  { script: 'lint', after: ['zip'] },
  { script: 'types:runtimes', after: ['zip'] },
  { script: 'types:pages', after: ['zip'] },
  ...quickChecks,
];
