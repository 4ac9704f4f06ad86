import { readVitest, shortenVitest } from '#scripts/checks/reports';
import type { Step } from '#scripts/checks/steps';

/**
 * Returns the step of a Vitest project, with the JSON report that its tests are counted from. A test that a busy
 * machine starves is given two more tries, and is named at the end.
 */
export function vitestStep(
  script: 'unit:alone' | 'unit:fast' | 'unit:programs' | 'browser',
  env: Step['env'] = {},
): Step {
  const file = `reports/${script.replace(':', '-')}.json`;
  return {
    script,
    args: ['--retry=2', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`],
    env,
    report: { file, read: readVitest, shorten: shortenVitest },
  };
}

/** The checks that read the code and run none of it, the shortest last. Linter and compilers read the types that a build writes. */
const readers = (zip: readonly string[]): readonly Step[] => [
  { script: 'types:pages', after: zip },
  { script: 'types:runtimes', after: zip },
  { script: 'types:all', after: ['types:pages'] },
  { script: 'format:check' },
  { script: 'layers' },
  { script: 'unused' },
];

/** The steps of `npm run check`: the quick part of each kind of check. */
export const fastChecks: readonly Step[] = [
  vitestStep('unit:fast'),
  { script: 'zip:fast' },
  { script: 'build:pwa' },
  { script: 'lint:fast', after: ['zip:fast'] },
  ...readers(['zip:fast']),
  { script: 'size', after: ['zip:fast', 'build:pwa'] },
];

/** The builds, and every test that needs no browser. What keeps every core busy comes last. */
export const buildsAndTests: readonly Step[] = [
  { ...vitestStep('unit:programs'), after: ['zip'] },
  { script: 'zip' },
  { script: 'build:pwa' },
  { script: 'size', after: ['zip', 'build:pwa'] },
  vitestStep('unit:fast'),
];

/** The tests of relays that must answer within their time, which they cannot beside compilers. */
export const alone: Step = vitestStep('unit:alone');

/** The checks that read the code of a built project: they take what the tests in browsers leave of the processors. */
export const besideBrowsers: readonly Step[] = [{ script: 'lint' }, ...readers([])].map((step) => ({
  ...step,
  inBackground: true,
}));
