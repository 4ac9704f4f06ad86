import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Client } from 'pg';

import { prepareDatabase } from '#relay/store/index';
import { freePorts } from '#scripts/machine/processes';
import { findPostgres } from '#scripts/machine/system-packages';

/** The role that may do everything. */
const superuser = 'postgres';
/** The roles of every database of the tests, and the database that all are copies of. */
const owner = 'relay_owner';
export const runner = 'relay_runner';
const template = 'relay_template';

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

/** Tells where a PostgreSQL of the tests answers, and in which folder its programs are. */
export type PostgresPlace = Pick<Postgres, 'port' | 'socketFolder' | 'programs'>;

/** Describes a database of a PostgreSQL of the tests, with the relay's schema. It goes with the PostgreSQL. */
export interface TestDatabase extends PostgresPlace {
  readonly name: string;
  /** Addresses, as DATABASE_URL has them. */
  readonly owner: string;
  readonly runner: string;
  /** As an instance on the database's own host may reach it. */
  readonly runnerBySocket: string;
  readonly superuser: string;
  /** Runs statements as the superuser. */
  readonly run: (sql: string) => Promise<readonly Record<string, unknown>[]>;
}

/** Starts a PostgreSQL with the relay's roles, and with its schema in a database to be copied. */
export async function startPreparedPostgres(): Promise<Postgres> {
  const programs = findPostgres();
  if (programs === undefined) {
    throw new Error('PostgreSQL is not on this machine: "npm test" installs it on Debian.');
  }
  const postgres = await startPostgres(programs);
  const client = new Client(postgres.address('postgres'));
  await client.connect();
  for (const role of [owner, runner]) await client.query(`CREATE ROLE ${role} LOGIN`);
  await client.query(`CREATE DATABASE ${template} OWNER ${owner}`);
  await client.end();
  await prepareDatabase(postgres.address(template, owner), runner);
  return postgres;
}

/**
 * Makes a cluster in a temporary folder and starts it. As root it runs as the user `postgres`, since PostgreSQL refuses
 * root.
 */
async function startPostgres(programs: string): Promise<Postgres> {
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
    throw new Error(`PostgreSQL could not make a cluster in ${folder}: ${made.stderr.trim()}`);
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

let count = 0;

export async function createDatabaseAt(place: PostgresPlace): Promise<TestDatabase> {
  const { port, socketFolder } = place;
  const address = (database: string, role: string): string =>
    `postgres://${role}@127.0.0.1:${String(port)}/${database}`;
  const name = `relay_${String(process.pid)}_${crypto.randomUUID().slice(0, 8)}_${String((count += 1))}`;

  async function as(database: string, sql: string): Promise<readonly Record<string, unknown>[]> {
    const client = new Client(address(database, 'postgres'));
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(sql)).rows;
    } finally {
      await client.end();
    }
  }

  await as('postgres', `CREATE DATABASE ${name} TEMPLATE ${template} OWNER ${owner}`);
  return {
    ...place,
    name,
    owner: address(name, owner),
    runner: address(name, runner),
    runnerBySocket: `postgres://${runner}@localhost:${String(port)}/${name}?host=${socketFolder}`,
    superuser: address(name, 'postgres'),
    run: (sql) => as(name, sql),
  };
}
