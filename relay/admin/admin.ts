import { renameSync } from 'node:fs';

import { visibleText } from '#core/text/index';
import { accessCommands, agentCommands } from '#relay/admin/agents';
import { auditCommands, rotateMasterKey } from '#relay/admin/audit';
import { asksForHelp, type Command, readArguments } from '#relay/admin/command';
import { createDatabase, createTakes } from '#relay/admin/database-create';
import { connectionCommands } from '#relay/admin/connections';
import { administer, nameOperator } from '#relay/admin/operator';
import { printReport } from '#relay/admin/report';
import { teamSettingsCommands } from '#relay/admin/team-settings';
import { createMasterKey } from '#relay/keys/keyring';
import { openVault } from '#relay/keys/vault';
import { messageOf, Problem } from '#relay/problem';
import { requireDatabase, type Settings } from '#relay/settings';
import { isPostgres, moveDatabase, prepareDatabase, whyRefused } from '#relay/store/index';

type SetUp = (
  args: readonly string[],
  print: (line: string) => void,
  readSettings: ReadSettings,
) => void | Promise<void>;

/** The commands that do not open the serving store. */
const setupCommands: Readonly<Record<string, { readonly takes: string; readonly run: SetUp }>> = {
  'master-key create': {
    takes: 'FILE',
    run: (args, print) => {
      const [file] = readArguments(args, ['the file']).named;
      createMasterKey(file);
      print(`${file} holds a new master key. Keep a copy of it, away from the database.`);
    },
  },
  'database create': {
    takes: createTakes,
    run: (args, print) => {
      createDatabase(args, process.cwd(), print);
    },
  },

  // Creates or upgrades the schema; an embedded database is upgraded when it is opened.
  'database prepare': {
    takes: '--runner ROLE',
    run: async (args, print, readSettings) => {
      const { database } = readSettings();
      const { values } = readArguments(args, [], { runner: { type: 'string' } });
      if (!isPostgres(database)) throw new Problem('Only a database in PostgreSQL is prepared.');
      const { version, runner } = await prepareDatabase(database, values.runner);
      const serving =
        runner === '' ? 'No role may serve yet: --runner ROLE' : `${runner} may serve.`;
      print(`The database has schema ${String(version)}. ${serving}`);
    },
  },

  // Copies an embedded database, even while a relay serves from it.
  'database backup': {
    takes: 'FILE',
    run: async (args, print, readSettings) => {
      const { database } = readSettings();
      const [file] = readArguments(args, ['the file to write']).named;
      if (isPostgres(database)) throw new Problem('A database in PostgreSQL is copied by pg_dump.');
      requireDatabase(database);
      const { backup, DatabaseSync } = process.getBuiltinModule('node:sqlite');
      const source = new DatabaseSync(database, { readOnly: true });
      // In one step, since otherwise it would restart at every write.
      await backup(source, `${file}.part`, { rate: 2 ** 31 - 1 });
      source.close();
      renameSync(`${file}.part`, file);
      print(`${file} is a copy of ${database}. The master key is not in it.`);
    },
  },

  // Moves an embedded database into the PostgreSQL database of the settings.
  'database move': {
    takes: 'FILE',
    run: async (args, print, readSettings) => {
      const { database, keyring } = readSettings();
      const [file] = readArguments(args, ['the file of the embedded database']).named;
      if (!isPostgres(database)) throw new Problem('Set DATABASE_URL to where it is to move.');
      requireDatabase(file);
      // Its keys must open with the master key that the instances will have.
      await administer(file, (store) => openVault(store, keyring()));
      const moved = await moveDatabase(file, database, nameOperator());
      for (const [table, count] of moved) print(`${table}\t${String(count)}`);
      print(
        `All of it is in PostgreSQL, counted there too. ${file} is as it was: keep it as a backup.`,
      );
    },
  },
};

const commands: Readonly<Record<string, Command>> = {
  ...connectionCommands,
  ...agentCommands,
  ...accessCommands,
  ...teamSettingsCommands,
  ...auditCommands,
  report: printReport,
  'master-key rotate': rotateMasterKey,
};

function usage(): string {
  const all = Object.entries({ ...setupCommands, ...commands });
  const lines = all.map(([name, { takes }]) => `${name} ${takes}`.trimEnd());
  return ['admin commands:', ...lines].join('\n  ');
}

export interface AdminStreams {
  readonly stdin: AsyncIterable<string | Uint8Array> & { readonly isTTY?: boolean };
  readonly stdout: { write(text: string): unknown };
}

type ReadSettings = () => Pick<Settings, 'database' | 'keyring' | 'publicOrigin'>;

/** Runs work that needs the owner's role. @throws Problem if the database denies it to the role in use */
export async function asOwner<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (whyRefused(error) !== 'role forbidden') throw error;
    const message = `${messageOf(error)}: use the role of the owner in DATABASE_URL, which owner.env may hold`;
    throw new Problem(message, { cause: error });
  }
}

/**
 * Runs one command on the relay's database. Returns the exit code; 2 for an unknown command.
 * @param readSettings called by a command that needs the database
 */
export async function runAdmin(
  args: readonly string[],
  readSettings: ReadSettings,
  streams: AdminStreams,
): Promise<number> {
  const print = (line: string): void => {
    streams.stdout.write(`${printable(line)}\n`);
  };
  const [noun = '', verb = '', ...rest] = args;
  if (asksForHelp(args)) {
    print(usage());
    return 0;
  }
  const setup = Object.entries(setupCommands).find(([name]) => name === `${noun} ${verb}`)?.[1];
  if (setup !== undefined) {
    await asOwner(async () => setup.run(rest, print, readSettings));
    return 0;
  }
  const [name, given] = Object.hasOwn(commands, noun)
    ? [noun, args.slice(1)]
    : [`${noun} ${verb}`, rest];
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) {
    if (noun !== '') print(`"${`${noun} ${verb}`.trimEnd()}" is no admin command.`);
    print(usage());
    return 2;
  }
  const { database, keyring, publicOrigin: origin } = readSettings();
  if (!command.begins) requireDatabase(database);
  await asOwner(() =>
    administer(database, (store) => {
      const { now } = store.clocks;
      const read = (): Promise<string> => readInput(streams);
      return command.run({ store, keyring, origin, print, now, readInput: read }, given);
    }),
  );
  return 0;
}

/** Makes terminal controls in an agent's code or address visible. Tabs separate columns, and lines of CSV end with CR LF. */
const printable = (line: string): string =>
  line.replaceAll(/[^\t\n\r\P{Cc}]+|\r(?!\n|$)/gu, visibleText);

export async function readInput({ stdin, stdout }: AdminStreams): Promise<string> {
  if (stdin.isTTY === true) stdout.write('Paste it here, then press Enter and Ctrl-D.\n');
  let text = '';
  for await (const chunk of stdin) text += String(chunk);
  return text;
}
