import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { findFirefox } from '#scripts/machine/browsers';
import { buildsAndTests, aloneWithReaders } from '#scripts/checks/checks';
import { obtainChromium, obtainEveryProgram } from '#scripts/machine/system-packages';
import { keepTemporaryFilesInMemory } from '#scripts/machine/memory-folder';
import { endAllOnSignals, root } from '#scripts/machine/processes';
import { refuseArguments, runCommand } from '#scripts/command-line/refusal';
import { durationFile } from '#scripts/checks/reports';
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

  const tests = await runSteps(buildsAndTests(env));
  const rest = await runSteps(aloneWithReaders);
  const minutes = (Date.now() - startedAt) / 60_000;
  await writeFile(join(root, durationFile), JSON.stringify({ minutes }));
  return printResult(addUp([tests, rest]));
});
