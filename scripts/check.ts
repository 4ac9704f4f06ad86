import { checks } from '#scripts/checks';
import { obtainPostgres } from '#scripts/postgres';
import { endAllOnSignals } from '#scripts/processes';
import { runCommand } from '#scripts/refusal';
import { printResult, runSteps } from '#scripts/steps';

endAllOnSignals();

await runCommand(async () => {
  await obtainPostgres(console.log);
  return printResult(await runSteps(checks));
});
