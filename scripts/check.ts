import { fastChecks } from '#scripts/checks';
import { keepTemporaryFilesInMemory } from '#scripts/memory-folder';
import { endAllOnSignals } from '#scripts/processes';
import { refuseArguments, runCommand } from '#scripts/refusal';
import { printResult, runSteps } from '#scripts/steps';

endAllOnSignals();
keepTemporaryFilesInMemory();

await runCommand(async () => {
  refuseArguments('npm run check');
  return printResult(await runSteps(fastChecks));
});
