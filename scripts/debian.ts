import { readFileSync } from 'node:fs';

import { run } from '#scripts/processes';

/** Tells whether this is Debian itself: Ubuntu's browser packages install snaps, which see neither /tmp nor our flags. */
function onDebian(): boolean {
  try {
    return /^ID=debian$/m.test(readFileSync('/etc/os-release', 'utf8'));
  } catch {
    return false;
  }
}

/** Installs Debian packages, as root or with a sudo that needs no password. Returns whether it worked. */
export async function installDebianPackages(...packages: string[]): Promise<boolean> {
  if (!onDebian()) return false;
  const [command, ...before] =
    process.getuid?.() === 0 ? (['apt-get'] as const) : (['sudo', '-n', 'apt-get'] as const);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const install = [...before, 'install', '--yes', '--no-install-recommends', ...packages];
  // Old package lists name versions that are gone; a fresh image has none.
  if ((await run(command, [...before, 'update'], { env })).code !== 0) return false;
  return (await run(command, install, { env })).code === 0;
}
