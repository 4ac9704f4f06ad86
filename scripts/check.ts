import { fastChecks } from '#scripts/checks';
import { endAllOnSignals } from '#scripts/processes';
import { runCommand } from '#scripts/refusal';
import { printResult, runSteps } from '#scripts/steps';

endAllOnSignals();

await runCommand(async () => printResult(await runSteps(fastChecks)));
