import { obtainChromium, obtainFirefox } from '#scripts/browsers';
import { checks, vitestStep } from '#scripts/checks';
import { endAllOnSignals } from '#scripts/processes';
import { runCommand } from '#scripts/refusal';
import { countPlaywright } from '#scripts/reports';
import { addUp, runSteps, wordsOf } from '#scripts/steps';

endAllOnSignals();

await runCommand(async () => {
  const chromium = await obtainChromium(console.log);
  const firefox = await obtainFirefox(console.log);
  const env = { CHROMIUM: chromium, ...(firefox === undefined ? {} : { FIREFOX: firefox }) };

  const still = await runSteps(checks);
  const moving = await runSteps(
    [
      vitestStep('browser', env),
      {
        script: 'e2e',
        env,
        live: true,
        report: { file: 'reports/e2e.json', count: countPlaywright },
      },
    ],
    // Both keep every core busy by themselves.
    { atOnce: 1 },
  );
  const tally = addUp([still, moving]);
  console.log(wordsOf(tally));
  return tally.failed === 0 ? 0 : 1;
});
