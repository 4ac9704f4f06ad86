import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

import { Refusal } from '#scripts/command-line/refusal';
import { run } from '#scripts/machine/processes';

/** Debian itself, or any system with its packages, such as Ubuntu. */
type System = 'debian' | 'like-debian';

/** Tells which of the two a system is by its `/etc/os-release`; undefined for any other. */
export function systemOf(osRelease: string): System | undefined {
  if (/^ID="?debian"?$/m.test(osRelease)) return 'debian';
  return /^ID(?:_LIKE)?="?(?:[^"\n]* )?(?:debian|ubuntu)\b/m.test(osRelease)
    ? 'like-debian'
    : undefined;
}

/** Installs packages on Debian and on systems like it. Returns whether it worked. */
export async function installPackages(...packages: string[]): Promise<boolean> {
  return thisSystem() !== undefined && install(packages);
}

/** Installs browsers on Debian alone: Ubuntu's packages install snaps, which see neither /tmp nor our flags. Returns whether it worked. */
export async function installBrowserPackages(...packages: string[]): Promise<boolean> {
  return thisSystem() === 'debian' && install(packages);
}

function thisSystem(): System | undefined {
  try {
    return systemOf(readFileSync('/etc/os-release', 'utf8'));
  } catch {
    return undefined;
  }
}

/** Installs as root or with a sudo that needs no password. */
async function install(packages: readonly string[]): Promise<boolean> {
  const [command, ...before] =
    process.getuid?.() === 0 ? (['apt-get'] as const) : (['sudo', '-n', 'apt-get'] as const);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const args = [...before, 'install', '--yes', '--no-install-recommends', ...packages];
  // Old package lists name versions that are gone; a fresh image has none.
  if ((await run(command, [...before, 'update'], { env })).code !== 0) return false;
  return (await run(command, args, { env })).code === 0;
}

/** The programs of PostgreSQL that are used. */
const needed = ['initdb', 'postgres', 'pg_dump'];

/** Finds the folder of PostgreSQL's programs: `POSTGRES_BIN` from the environment, else Debian's newest, else one on the PATH. */
export function findPostgres(): string | undefined {
  return [
    process.env['POSTGRES_BIN'],
    ...debianFolders('/usr/lib/postgresql'),
    ...(process.env['PATH'] ?? '').split(delimiter),
  ].find(
    (folder) =>
      folder !== undefined && needed.every((program) => existsSync(join(folder, program))),
  );
}

/** Returns `findPostgres`, else installs Debian's package. Throws a `Refusal` when neither works. */
export async function obtainPostgres(log: (line: string) => void): Promise<string> {
  const found = findPostgres();
  if (found !== undefined) return found;
  log('No PostgreSQL here yet: getting one …');
  await installPackages('postgresql');
  const installed = findPostgres();
  if (installed !== undefined) return installed;
  throw new Refusal(
    'PostgreSQL is not on this machine and could not be installed: install it (on Debian: apt-get install postgresql), or set POSTGRES_BIN to the folder of its programs.',
  );
}

function debianFolders(root: string): string[] {
  if (!existsSync(root)) return [];
  return readdirSync(root)
    .toSorted((one, other) => Number(other) - Number(one))
    .map((version) => join(root, version, 'bin'));
}
