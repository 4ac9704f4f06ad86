import { existsSync } from 'node:fs';

import { buildExtension } from '#scripts/build/build';
import { Refusal, runCommand } from '#scripts/command-line/refusal';
import { endAllOnSignals, run } from '#scripts/machine/processes';
import {
  obtainChromium,
  obtainPrograms,
  type SystemProgram,
} from '#scripts/machine/system-packages';

endAllOnSignals();

/** Tells by its files whether a help desk is there. Each runs on SQLite with a server of its own. */
const helpDesk = (files: readonly string[], packages: readonly string[]): SystemProgram => ({
  find: () => (files.every(existsSync) ? files[0] : undefined),
  packages,
});

const helpDesks = [
  helpDesk(
    ['/usr/share/request-tracker5/libexec/rt-server', '/usr/bin/plackup'],
    ['request-tracker5', 'rt5-db-sqlite', 'rt5-standalone', 'starlet'],
  ),
  helpDesk(
    ['/usr/share/roundcube/index.php', '/usr/bin/php', '/usr/sbin/dovecot', '/usr/bin/aiosmtpd'],
    ['roundcube-core', 'roundcube-sqlite3', 'php-cli', 'dovecot-imapd', 'python3-aiosmtpd'],
  ),
  helpDesk(
    ['/usr/share/redmine/config.ru', '/usr/bin/puma'],
    ['redmine', 'redmine-sqlite', 'puma'],
  ),
];

await runCommand(async () => {
  const complaint = await obtainPrograms(helpDesks, console.log);
  if (complaint !== undefined) throw new Refusal(complaint);
  if (helpDesks.some(({ find }) => find() === undefined))
    throw new Refusal('The help desks are packages of Debian, which this system has not.');
  const env = { CHROMIUM: await obtainChromium(console.log) };
  await buildExtension(console.log);
  const { code } = await run(
    'playwright',
    ['test', '--config', 'tests/help-desks/playwright.config.ts', ...process.argv.slice(2)],
    { env, onOutput: (chunk) => process.stdout.write(chunk) },
  );
  return code;
});
