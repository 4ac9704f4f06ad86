import { fastChecks } from '#scripts/checks/checks';
import { keepTemporaryFilesInMemory } from '#scripts/machine/memory-folder';
import { endAllOnSignals } from '#scripts/machine/processes';
import { refuseArguments, runCommand } from '#scripts/command-line/refusal';
import { printResult, runSteps } from '#scripts/checks/steps';

endAllOnSignals();
keepTemporaryFilesInMemory();

await runCommand(async () => {
  refuseArguments('npm run check');
  return printResult(await runSteps(fastChecks));
});
