import { readPlaywright, readVitest, shortenVitest } from '#scripts/checks/reports';
import type { Step } from '#scripts/checks/steps';

/**
 * Returns the step of a Vitest project, with the JSON report that its tests are counted from. A test that a busy
 * machine starves is given two more tries, and is named at the end.
 */
function vitestStep(
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

/** The checks that read the code and run none of it, the shortest last. Compilers read the types that a build writes. */
const readers = (zip: readonly string[]): readonly Step[] => [
  { script: 'types:pages', after: zip },
  { script: 'types:runtimes', after: zip },
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
  { script: 'types:all', after: ['types:pages'] },
  { script: 'size', after: ['zip:fast', 'build:pwa'] },
];

const inBackground = (step: Step): Step => ({ ...step, inBackground: true });

/**
 * Everything but `aloneWithReaders`. Tests in browsers wait for much, and what runs beside them takes what they leave of
 * the processors, so that nothing waits for a step whose result it does not need.
 * @param env where the browsers are
 */
export const buildsAndTests = (env: Step['env'] = {}): readonly Step[] => [
  { script: 'zip' },
  { script: 'build:pwa' },
  {
    script: 'e2e',
    args: ['--retries=1'],
    // Node strips the types, and Playwright need not compile each file with Babel before the first test.
    env: { ...env, PW_DISABLE_TS_ESM: '1' },
    live: true,
    after: ['zip', 'build:pwa'],
    report: { file: 'reports/e2e.json', read: readPlaywright },
  },
  vitestStep('browser', env),
  { ...vitestStep('unit:programs'), after: ['zip'] },
  { script: 'size', after: ['zip', 'build:pwa'] },
  vitestStep('unit:fast'),
  ...readers(['zip']).map(inBackground),
];

/**
 * The tests of relays that must answer within their time, which they cannot beside other tests. They leave half of the
 * processors, which the linter and a compiler take.
 */
export const aloneWithReaders: readonly Step[] = [
  vitestStep('unit:alone'),
  inBackground({ script: 'lint' }),
  inBackground({ script: 'types:all' }),
];
