import { existsSync } from 'node:fs';

import { obtainChromium } from '#scripts/machine/browsers';
import { buildExtension } from '#scripts/build/build';
import { installPackages } from '#scripts/machine/system-packages';
import { endAllOnSignals, run } from '#scripts/machine/processes';
import { Refusal, runCommand } from '#scripts/command-line/refusal';

endAllOnSignals();

/** Request Tracker with SQLite and a web server of its own. */
const packages = ['request-tracker5', 'rt5-db-sqlite', 'rt5-standalone', 'starlet'];
const programs = ['/usr/share/request-tracker5/libexec/rt-server', '/usr/bin/plackup'];

await runCommand(async () => {
  await obtainRequestTracker();
  const env = { CHROMIUM: await obtainChromium(console.log) };
  await buildExtension(console.log);
  const { code } = await run(
    'playwright',
    ['test', '--config', 'tests/help-desks/playwright.config.ts', ...process.argv.slice(2)],
    { env, onOutput: (chunk) => process.stdout.write(chunk) },
  );
  return code;
});

async function obtainRequestTracker(): Promise<void> {
  if (programs.every(existsSync)) return;
  console.log('No Request Tracker here yet: getting one …');
  if ((await installPackages(...packages)) && programs.every(existsSync)) return;
  throw new Refusal(
    `Request Tracker could not be installed: this command needs Debian or a system like it, and the packages ${packages.join(', ')}.`,
  );
}
