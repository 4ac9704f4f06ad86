import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { findFirefox } from '#scripts/machine/browsers';
import { alone, besideBrowsers, buildsAndTests, vitestStep } from '#scripts/checks/checks';
import { obtainChromium, obtainEveryProgram } from '#scripts/machine/system-packages';
import { keepTemporaryFilesInMemory } from '#scripts/machine/memory-folder';
import { endAllOnSignals, root } from '#scripts/machine/processes';
import { refuseArguments, runCommand } from '#scripts/command-line/refusal';
import { durationFile, readPlaywright } from '#scripts/checks/reports';
import { addUp, printResult, runSteps } from '#scripts/checks/steps';

endAllOnSignals();
keepTemporaryFilesInMemory();

const startedAt = Date.now();

await runCommand(async () => {
  refuseArguments('npm test');
  // Before anything runs: tests side by side would meet at the lock of the system's packages.
  await obtainEveryProgram(console.log);
  const chromium = await obtainChromium(console.log);
  const firefox = findFirefox();
  const env = { CHROMIUM: chromium, ...(firefox === undefined ? {} : { FIREFOX: firefox }) };

  const others = await runSteps([vitestStep('browser', env), ...buildsAndTests]);
  const relays = await runSteps([alone]);
  // Browsers wait for much, and leave a third of the processors.
  const endToEnd = await runSteps([
    {
      script: 'e2e',
      args: ['--retries=1'],
      // Node strips the types, and Playwright need not compile each file with Babel before the first test.
      env: { ...env, PW_DISABLE_TS_ESM: '1' },
      live: true,
      report: { file: 'reports/e2e.json', read: readPlaywright },
    },
    ...besideBrowsers,
  ]);
  const minutes = (Date.now() - startedAt) / 60_000;
  await writeFile(join(root, durationFile), JSON.stringify({ minutes }));
  return printResult(addUp([others, relays, endToEnd]));
});
