import { Client } from 'pg';

import { prepareDatabase } from '#relay/store/postgres/prepare';
import { type Postgres, findPostgres, startPostgres } from '#scripts/machine/postgres';

/** The roles of every database of the tests, and the database that all are copies of. */
const owner = 'relay_owner';
export const runner = 'relay_runner';
const template = 'relay_template';

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

let count = 0;

/** Creates a database in a prepared PostgreSQL. */
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
