import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { leastBrowsers } from '#scripts/build/extension';
import { Refusal } from '#scripts/command-line/refusal';
import { findChromium, findFirefox } from '#scripts/machine/browsers';
import { type Ended, run } from '#scripts/machine/processes';

/** Debian itself, or any system with its packages, such as Ubuntu. */
type System = 'debian' | 'like-debian' | 'other';

/** Tells which of them a system is by its `/etc/os-release`. */
export function systemOf(osRelease: string): System {
  if (/^ID="?debian"?$/m.test(osRelease)) return 'debian';
  return /^ID(?:_LIKE)?="?(?:[^"\n]* )?(?:debian|ubuntu)\b/m.test(osRelease)
    ? 'like-debian'
    : 'other';
}

export interface SystemProgram {
  /** Returns where it is; undefined where it is not on this machine. */
  readonly find: () => string | undefined;
  /** Debian's packages of it. */
  readonly packages: readonly string[];
  /** Ubuntu's packages of browsers install snaps, which see neither /tmp nor our flags. */
  readonly onDebianAlone?: boolean;
}

const inPackage = (name: string, packages: readonly string[] = [name]): SystemProgram => ({
  find: () => findProgram(name),
  packages,
});

const browserPrograms = {
  chromium: {
    find: findChromium,
    packages: ['chromium', 'fonts-dejavu-core', 'fonts-liberation'],
    onDebianAlone: true,
  },
  firefox: { find: findFirefox, packages: ['firefox-esr'], onDebianAlone: true },
} as const;
const postgres: SystemProgram = { find: findPostgres, packages: ['postgresql'] };

/** The programs that `npm test` runs. */
const everyProgram: readonly SystemProgram[] = [
  browserPrograms.chromium,
  browserPrograms.firefox,
  postgres,
  ...['nginx', 'caddy', 'haproxy', 'xdotool', 'openssl', 'git', 'curl'].map((name) =>
    inPackage(name),
  ),
  inPackage('Xvfb', ['xvfb']),
  inPackage('ssh-keygen', ['openssh-client']),
];

type Log = (line: string) => void;

/**
 * Gets everything that `npm test` runs.
 * @throws Refusal when packages of Debian do not install, or there is no PostgreSQL
 */
export async function obtainEveryProgram(log: Log): Promise<void> {
  await obtainWithPostgres(everyProgram, log);
}

/**
 * Returns a Chromium of this machine, else Debian's, else Playwright's own download.
 * @throws Refusal when none works
 */
export async function obtainChromium(log: Log): Promise<string> {
  const complaint = await obtainPrograms([browserPrograms.chromium], log);
  const found = findChromium();
  if (found !== undefined) return found;
  log('No Chromium here yet: downloading one …');
  await run('playwright', ['install', 'chromium', '--no-shell']);
  const downloaded = findChromium();
  if (downloaded !== undefined) return downloaded;
  throw new Refusal(
    [
      ...(complaint === undefined ? [] : [complaint]),
      `No Chromium ${String(leastBrowsers.chromium)} or newer that loads extensions is on this machine and none could be downloaded: install Chromium or Chrome for Testing, or set CHROMIUM to its path.`,
    ].join('\n'),
  );
}

/** Installs PostgreSQL where it is missing. @throws Refusal when it cannot be had */
export async function obtainPostgres(log: Log): Promise<void> {
  await obtainWithPostgres([postgres], log);
}

async function obtainWithPostgres(wanted: readonly SystemProgram[], log: Log): Promise<void> {
  const complaint = await obtainPrograms(wanted, log);
  if (complaint !== undefined) throw new Refusal(complaint);
  if (findPostgres() !== undefined) return;
  throw new Refusal(
    'PostgreSQL is not on this machine: install it, or set POSTGRES_BIN to the folder of its programs.',
  );
}

/**
 * Installs the packages of all programs that are missing, in one call: two at a time would meet at apt's lock. Installs
 * nothing on a system that has no packages of Debian.
 * @returns what to tell the user when packages do not install
 */
export async function obtainPrograms(
  wanted: readonly SystemProgram[],
  log: Log,
  { system = thisSystem(), pauseMs = 5_000 } = {},
): Promise<string | undefined> {
  const missing = (): string[] =>
    wanted
      .filter(({ onDebianAlone = false }) => system === 'debian' || !onDebianAlone)
      .filter(({ find }) => find() === undefined)
      .flatMap(({ packages }) => packages);
  const packages = system === 'other' ? [] : missing();
  if (packages.length === 0) return undefined;
  log(`Not here yet: ${packages.join(', ')}; installing them …`);
  const { code, output } = await install(packages, pauseMs);
  const still = missing();
  if (still.length === 0) return undefined;
  // A program may be there and older than what is needed: its tests are skipped.
  log(`Not of use here: ${still.join(', ')}`);
  return code === 0
    ? undefined
    : `${output.trim()}\nNot installed: ${still.join(', ')}. As root: apt-get update && apt-get install --no-install-recommends ${packages.join(' ')}`;
}

function thisSystem(): System {
  try {
    return systemOf(readFileSync('/etc/os-release', 'utf8'));
  } catch {
    return 'other';
  }
}

/** How long apt waits for another installation. */
const lockTimeout = 'DPkg::Lock::Timeout=600';
/** apt waits for the lock of dpkg, but not for that of its lists, which somebody else's update holds for seconds. */
const tries = 3;

/** Installs as root or with a sudo that needs no password. Returns how apt ended at the last try. */
async function install(packages: readonly string[], pauseMs: number): Promise<Ended> {
  const [command, ...before] =
    process.getuid?.() === 0 ? (['env'] as const) : (['sudo', '-n', 'env'] as const);
  // A folder of ours for temporary files is not writable for the users that packages install as.
  const apt = [
    ...before,
    '-u',
    'TMPDIR',
    'DEBIAN_FRONTEND=noninteractive',
    'apt-get',
    '--option',
    lockTimeout,
  ];
  const options = ['install', '--yes', '--no-install-recommends', ...packages];
  for (let attempt = 1; ; attempt += 1) {
    // Old package lists name versions that are gone; a fresh image has none.
    await run(command, [...apt, 'update']);
    const ended = await run(command, [...apt, ...options]);
    if (ended.code === 0 || attempt === tries) return ended;
    await pause(pauseMs);
  }
}

/** Finds a program: its variable of the environment, in capitals, else on the PATH, else where Debian puts servers. */
export function findProgram(name: string): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin'];
  return [process.env[name.toUpperCase()], ...folders.map((folder) => join(folder, name))].find(
    (file) => file !== undefined && existsSync(file),
  );
}

/** The programs of PostgreSQL that are used. */
const needed = ['initdb', 'postgres', 'pg_dump'];

/**
 * Finds the folder of PostgreSQL's programs: `POSTGRES_BIN` from the environment, else Debian's newest, else one on the
 * PATH.
 */
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

function debianFolders(root: string): string[] {
  if (!existsSync(root)) return [];
  return readdirSync(root)
    .toSorted((one, other) => Number(other) - Number(one))
    .map((version) => join(root, version, 'bin'));
}
