import { existsSync } from 'node:fs';

import { obtainChromium } from '#scripts/machine/browsers';
import { buildExtension } from '#scripts/build/build';
import { installPackages } from '#scripts/machine/system-packages';
import { endAllOnSignals, run } from '#scripts/machine/processes';
import { Refusal, runCommand } from '#scripts/command-line/refusal';

endAllOnSignals();

/** The packages of each help desk, and what tells that they are there. Each runs on SQLite with a server of its own. */
const helpDesks = [
  [
    ['request-tracker5', 'rt5-db-sqlite', 'rt5-standalone', 'starlet'],
    ['/usr/share/request-tracker5/libexec/rt-server', '/usr/bin/plackup'],
  ],
  [
    ['roundcube-core', 'roundcube-sqlite3', 'php-cli', 'dovecot-imapd', 'python3-aiosmtpd'],
    ['/usr/share/roundcube/index.php', '/usr/bin/php', '/usr/sbin/dovecot', '/usr/bin/aiosmtpd'],
  ],
  [
    ['redmine', 'redmine-sqlite', 'puma'],
    ['/usr/share/redmine/config.ru', '/usr/bin/puma'],
  ],
] as const;

await runCommand(async () => {
  for (const [packages, programs] of helpDesks) await obtain(packages, programs);
  const env = { CHROMIUM: await obtainChromium(console.log) };
  await buildExtension(console.log);
  const { code } = await run(
    'playwright',
    ['test', '--config', 'tests/help-desks/playwright.config.ts', ...process.argv.slice(2)],
    { env, onOutput: (chunk) => process.stdout.write(chunk) },
  );
  return code;
});

async function obtain(packages: readonly string[], programs: readonly string[]): Promise<void> {
  if (programs.every(existsSync)) return;
  console.log(`Not here yet: ${packages.join(', ')}; getting them …`);
  if ((await installPackages(...packages)) && programs.every(existsSync)) return;
  throw new Refusal(
    `${packages.join(', ')} could not be installed: this command needs Debian or a system like it.`,
  );
}
