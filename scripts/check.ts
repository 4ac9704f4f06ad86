import { checks } from '#scripts/checks';
import { endAllOnSignals } from '#scripts/processes';
import { runCommand } from '#scripts/refusal';
import { runSteps, wordsOf } from '#scripts/steps';

endAllOnSignals();

await runCommand(async () => {
  const tally = await runSteps(checks);
  console.log(wordsOf(tally));
  return tally.failed === 0 ? 0 : 1;
});
