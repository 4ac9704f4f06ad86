import { obtainChromium, obtainFirefox } from '#scripts/browsers';
import { checks, vitestStep } from '#scripts/checks';
import { obtainPostgres } from '#scripts/postgres';
import { keepTemporaryFilesInMemory } from '#scripts/memory-folder';
import { endAllOnSignals } from '#scripts/processes';
import { refuseArguments, runCommand } from '#scripts/refusal';
import { readPlaywright } from '#scripts/reports';
import { addUp, printResult, runSteps } from '#scripts/steps';

endAllOnSignals();
keepTemporaryFilesInMemory();

await runCommand(async () => {
  refuseArguments('npm test');
  const chromium = await obtainChromium(console.log);
  const firefox = await obtainFirefox(console.log);
  await obtainPostgres(console.log);
  const env = { CHROMIUM: chromium, ...(firefox === undefined ? {} : { FIREFOX: firefox }) };

  const others = await runSteps([vitestStep('browser', env), ...checks]);
  // It keeps every core busy.
  const endToEnd = await runSteps([
    {
      script: 'e2e',
      args: ['--retries=1'],
      env,
      live: true,
      report: { file: 'reports/e2e.json', read: readPlaywright },
    },
  ]);
  return printResult(addUp([others, endToEnd]));
});
