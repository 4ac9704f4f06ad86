import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

import { Client } from 'pg';

import { freePorts } from '#scripts/machine/processes';
import { installPackages } from '#scripts/machine/system-packages';
import { Refusal } from '#scripts/command-line/refusal';

/** Gives access to a PostgreSQL of our own, on 127.0.0.1 and on a Unix socket, with every commit on the disk. */
export interface Postgres {
  readonly port: number;
  /** Where its Unix socket is. */
  readonly socketFolder: string;
  /** The folder of its programs. */
  readonly programs: string;
  /** Returns the address of a database for a role, which needs no password. */
  address(database: string, role?: string): string;
  /** Ends it, whoever is connected, and removes its files. */
  stop(): Promise<void>;
}

/** The role that may do everything. */
const superuser = 'postgres';
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

/** Makes a cluster in a temporary folder and starts it. As root it runs as the user `postgres`, since PostgreSQL refuses root. */
export async function startPostgres(programs: string): Promise<Postgres> {
  const folder = mkdtempSync(join(tmpdir(), 'counterfoil-postgres-'));
  const user = ordinaryUser();
  if (user !== undefined) chownSync(folder, user.uid, user.gid);
  const as = { cwd: folder, ...user };
  const data = join(folder, 'data');
  const options = [
    '--no-sync',
    '--no-instructions',
    '--auth=trust',
    '--encoding=UTF8',
    '--locale=C',
  ];
  const made = spawnSync(
    join(programs, 'initdb'),
    [...options, '--username', superuser, '--pgdata', data],
    { ...as, encoding: 'utf8' },
  );
  if (made.status !== 0) {
    rmSync(folder, { recursive: true });
    throw new Refusal(`PostgreSQL could not make a cluster in ${folder}: ${made.stderr.trim()}`);
  }
  const [port] = await freePorts(1);
  const settings = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: folder,
    max_connections: '200',
  };
  const server = spawn(
    ...endingWithUs(join(programs, 'postgres'), [
      '-D',
      data,
      ...Object.entries(settings).map(([name, value]) => `--${name}=${value}`),
    ]),
    { ...as, stdio: 'ignore' },
  );
  const address = (database: string, role = superuser): string =>
    `postgres://${role}@127.0.0.1:${String(port)}/${database}`;
  const stop = async (): Promise<void> => {
    await end(server);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await answers(address('postgres'), server);
  } catch (error) {
    await stop();
    throw error;
  }
  return { port, socketFolder: folder, programs, address, stop };
}

function debianFolders(root: string): string[] {
  if (!existsSync(root)) return [];
  return readdirSync(root)
    .toSorted((one, other) => Number(other) - Number(one))
    .map((version) => join(root, version, 'bin'));
}

/** Returns the user `postgres`, or `nobody`; undefined where we are no root and may stay who we are. */
function ordinaryUser(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (flag: string): number =>
    Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout);
  const [uid, gid] = [idOf('-u'), idOf('-g')];
  return uid > 0 && gid > 0 ? { uid, gid } : { uid: 65_534, gid: 65_534 };
}

/** Lets the system end the server when this process dies, however that happens, where the system can. */
function endingWithUs(program: string, args: string[]): [command: string, args: string[]] {
  const setpriv = '/usr/bin/setpriv';
  if (!existsSync(setpriv) || !statSync(setpriv).isFile()) return [program, args];
  return [setpriv, ['--pdeathsig', 'QUIT', program, ...args]];
}

async function answers(connectionString: string, server: ChildProcess): Promise<void> {
  const until = Date.now() + 20_000;
  for (;;) {
    const client = new Client({ connectionString, connectionTimeoutMillis: 1_000 });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (server.exitCode !== null || Date.now() > until) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

/** SIGQUIT ends the server at once. */
async function end(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  server.kill('SIGQUIT');
  await once(server, 'exit');
}
