import { randomBytes } from 'node:crypto';
import { join } from 'node:path';

import { readArguments } from '#relay/admin/command';
import { environmentFiles, readVariables, writeVariables } from '#relay/admin/environment-files';
import { Problem } from '#relay/problem';

export const createTakes =
  '[--host HOST[:PORT]] [--name NAME] [--owner ROLE] [--runner ROLE] | psql';

const options = {
  host: { type: 'string', default: '127.0.0.1' },
  name: { type: 'string', default: 'relay' },
  owner: { type: 'string', default: 'relay_owner' },
  runner: { type: 'string', default: 'relay_runner' },
} as const;

/**
 * Prints the statements with which a superuser creates both roles and the database, and writes the addresses, with new passwords, into the
 * folder's files. Existing passwords are kept, so that it can be run again.
 * @throws Problem
 */
export function createDatabase(
  args: readonly string[],
  folder: string,
  print: (line: string) => void,
): void {
  const { values } = readArguments(args, [], options);
  const { host, name, owner, runner } = values;
  for (const one of [name, owner, runner]) {
    if (!/^[a-z_][a-z0-9_]{0,62}$/.test(one)) {
      throw new Problem(`Roles and databases are named in a-z, 0-9 and _, and not ${one}.`);
    }
  }
  const roles = [
    { role: owner, file: join(folder, environmentFiles.owner) },
    { role: runner, file: join(folder, environmentFiles.everybody) },
  ].map(({ role, file }) => {
    const stated = readVariables(file)['DATABASE_URL'];
    const kept = stated === undefined ? undefined : new URL(stated);
    if (kept !== undefined && kept.username !== role) {
      throw new Problem(`${file} names the role ${kept.username} already: take it out first.`);
    }
    const address = URL.parse(`postgres://${role}@${host}/${name}`);
    if (address === null) throw new Problem(`${host} is no host.`);
    address.password =
      kept !== undefined && kept.password !== ''
        ? decodeURIComponent(kept.password)
        : randomBytes(24).toString('hex');
    return { role, file, address };
  });
  for (const { file, address } of roles) writeVariables(file, { DATABASE_URL: address.href });
  print(String.raw`\set ON_ERROR_STOP on`);
  for (const { role, address } of roles) {
    const password = decodeURIComponent(address.password).replaceAll("'", "''");
    print(unlessThere(`CREATE ROLE ${role}`, `pg_roles WHERE rolname = '${role}'`));
    print(`ALTER ROLE ${role} LOGIN PASSWORD '${password}';`);
  }
  print(
    unlessThere(`CREATE DATABASE ${name} OWNER ${owner}`, `pg_database WHERE datname = '${name}'`),
  );
  // In a cluster upgraded from version 14, every role may create functions there.
  print(String.raw`\connect ${name}`);
  print('REVOKE CREATE ON SCHEMA public FROM PUBLIC;');
}

/** Returns a psql statement that runs another one unless a row exists. */
function unlessThere(statement: string, row: string): string {
  return String.raw`SELECT '${statement}' WHERE NOT EXISTS (SELECT FROM ${row}) \gexec`;
}
