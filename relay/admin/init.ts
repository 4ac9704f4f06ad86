import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';

import { dayMs } from '#core/time/index';
import { type AdminStreams, asOwner, readInput } from '#relay/admin/admin';
import { addAgent, addInvite, inviteOptions, readEmail, readInviteDays } from '#relay/admin/agents';
import { type CommandContext, readArguments, required } from '#relay/admin/command';
import {
  connectionOptions,
  keepKey,
  keyOf,
  marketplaceNamed,
  readConnection,
} from '#relay/admin/connections';
import { databaseAdvice } from '#relay/admin/database-advice';
import { environmentFiles, readVariables, writeVariables } from '#relay/admin/environment-files';
import { administer } from '#relay/admin/operator';
import { draftTeamSettings, setTeamSettings } from '#relay/admin/team-settings';
import { createMasterKey } from '#relay/keys/keyring';
import { openVault } from '#relay/keys/vault';
import { checkRoles } from '#relay/rules/index';
import { readSettings } from '#relay/settings';
import { runSigning } from '#relay/signing/signing';
import { prepareDatabase, roleInUse, type Store, type Stored } from '#relay/store/index';
import { calledAs } from '#relay/version';
import { Problem } from '#relay/problem';

export const initTakes = `--marketplace ADDRESS|NAME [--address ADDRESS] [--store STORE] --agent EMAIL
      [--name NAME] [--origin ADDRESS] [--id ID] [--limit N] [--window SECONDS] [--key-placement …]
      [--encoding …] [--allow-private] [--roles ROLE,…] [--signer FILE] [--days N]
      [--database postgres://OWNER@HOST/NAME --runner ROLE] < FILE
   FILE holds the API key. With PostgreSQL, "admin database create" writes the
   addresses with their passwords before, and neither --database nor --runner is given.`;

const usage = `\ninit ${initTakes}`;

const options = {
  ...connectionOptions,
  address: { type: 'string' },
  agent: { type: 'string' },
  origin: { type: 'string' },
  id: { type: 'string', default: 'shop' },
  signer: { type: 'string' },
  database: { type: 'string' },
  runner: { type: 'string' },
  ...inviteOptions,
} as const;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Sets up a relay in a folder: master key, database, connection, API key, first agent and invite, and the environment files. Existing parts
 * are kept, so that it can be run again. The API key is tried at the marketplace before it is stored.
 * @param environment of the process, with the variables of the folder's files
 * @throws Problem
 */
export async function runInit(
  args: readonly string[],
  environment: Environment,
  folder: string,
  streams: AdminStreams,
): Promise<number> {
  const { values } = readArguments(args, [], options);
  const holdsMs = readInviteDays(values.days);
  const print = (line: string): void => void streams.stdout.write(`${line}\n`);
  const port = environment['RELAY_PORT'] ?? '8790';
  const name = values.name ?? environment['RELAY_NAME'] ?? 'Counterfoil relay';
  const origin = values.origin ?? environment['RELAY_ORIGIN'] ?? `http://127.0.0.1:${port}`;
  const marketplace = required(values.marketplace, 'marketplace', usage);
  const known = marketplaceNamed(marketplace);
  const email = readEmail(required(values.agent, 'agent', usage));
  const address =
    known === undefined ? marketplace : required(values.address ?? known.baseAddress, 'address');
  const connection = readConnection(values.id, address, {
    ...values,
    marketplace: known && marketplace,
    name: new URL(/^https?:/.test(address) ? address : `https://${address}`).host,
  });

  if (URL.parse(values.database ?? '')?.password) {
    throw new Problem(
      `A password on a command line is seen by every account of this machine: leave it out of --database, and give it as PGPASSWORD, in ~/.pgpass, or as DATABASE_URL in ${environmentFiles.owner}.`,
    );
  }
  const owner = values.database ?? environment['DATABASE_URL'];
  const database = owner ?? environment['RELAY_DATABASE'] ?? join(folder, 'relay.db');
  if (owner !== undefined && environment['RELAY_DATABASE'] !== undefined) {
    throw new Problem(
      `${environmentFiles.everybody} names an embedded database already: take RELAY_DATABASE out of it first.`,
    );
  }
  const masterKey = environment['RELAY_MASTER_KEY'] ?? join(folder, 'master.key');
  const variables = { RELAY_NAME: name, RELAY_ORIGIN: origin, RELAY_MASTER_KEY: masterKey };
  const settings = readSettings({
    ...environment,
    ...variables,
    RELAY_DATABASE: owner === undefined ? database : undefined,
    DATABASE_URL: owner,
  });
  const serving = owner === undefined ? undefined : await preparedFor(folder, owner, values.runner);

  return administer(database, async (store) => {
    const isSame = await compare(store, connection);
    if (!existsSync(masterKey)) {
      if ((await store.secrets()).length > 0) {
        throw new Problem(
          `The database has a master key, and ${masterKey} is not there: put it back, or name its file in RELAY_MASTER_KEY.`,
        );
      }
      createMasterKey(masterKey);
    }
    const vault = await openVault(store, settings.keyring());
    writeVariables(join(folder, environmentFiles.everybody), {
      ...variables,
      ...(serving === undefined ? { RELAY_DATABASE: database } : { DATABASE_URL: serving }),
    });
    // Without a password, because the serving account may read this folder.
    if (values.database !== undefined) {
      writeVariables(join(folder, environmentFiles.owner), { DATABASE_URL: values.database });
    }

    // This comes after the files, which the command that creates a role needs to find the database.
    await checkRoles(store, connection.roles);
    if (!isSame) {
      await store.removeConnection(connection.id);
      await store.addConnection(connection);
    }
    const hadKey = (await keyOf(store, connection.id)) !== undefined;
    const typed = (await readInput(streams)).trim();
    if (typed !== '' || !hadKey) {
      await keepKey({ store, vault }, connection, typed, false);
      print(
        `${connection.baseAddress} takes the API key, which is stored encrypted as that of "${connection.id}".`,
      );
    }

    const context: CommandContext = {
      store,
      keyring: settings.keyring,
      origin: settings.publicOrigin,
      readInput: () => Promise.resolve(''),
      print,
      now: store.clocks.now,
    };
    if (values.signer !== undefined) await signSettings(context, values.signer, folder);
    print(
      `The relay is ready. ${environmentFiles.everybody} holds its settings, which every command reads in this folder.\nKeep a copy of ${masterKey}, away from the database, and delete the file with the API key.`,
    );
    if (values.signer === undefined && (await store.findSettings()) === undefined) {
      print(
        'In Counterfoil an agent has no connection until the team’s settings are signed: README.md says how.',
      );
    }
    print(
      `Now serve, and look in a second terminal whether all is well:\n  ${calledAs}\n  ${calledAs} doctor`,
    );
    await invite(context, email, holdsMs);
    return 0;
  });
}

/**
 * Creates or upgrades the schema in PostgreSQL, and signs in as the serving role.
 * @returns the address that the serving relay uses
 * @throws Problem
 */
async function preparedFor(
  folder: string,
  owner: string,
  named: string | undefined,
): Promise<string> {
  const stated = readVariables(join(folder, environmentFiles.everybody))['DATABASE_URL'];
  const signedIn = <T>(address: string, work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => {
      const advice = databaseAdvice(error, address);
      if (advice === undefined) throw error;
      throw new Problem(advice, { cause: error });
    });
  const wanted = named ?? (stated && new URL(stated).username);
  const { runner } = await signedIn(
    owner,
    asOwner(() => prepareDatabase(owner, wanted)),
  );
  if (runner === '') throw new Problem('Name the role that serves: --runner ROLE');
  const address = new URL(owner);
  address.username = runner;
  address.password = '';
  // An address that is already in the file, for example with a password, is kept.
  const isStated = stated !== undefined && new URL(stated).username === runner;
  const serving = isStated ? stated : address.href;
  await signedIn(serving, roleInUse(serving));
  return serving;
}

/** Tells whether the store already has this connection. @throws Problem if a different one with a key has its id */
async function compare(store: Store, wanted: Stored<'connection'>): Promise<boolean> {
  const found = (await store.connections()).find(({ id }) => id === wanted.id);
  if (found === undefined) return false;
  const isSame = isDeepStrictEqual(found, wanted);
  if (!isSame && (await keyOf(store, wanted.id)) !== undefined) {
    throw new Problem(
      `There is a connection ${wanted.id} already, to ${found.baseAddress}, which has a key and is set up otherwise. Give this one another --id, or remove that one: admin connections remove ${wanted.id}`,
    );
  }
  return isSame;
}

/** Signs the draft of the settings on this machine, for a first look, unless the team has settings already. */
async function signSettings(
  context: CommandContext,
  signer: string,
  folder: string,
): Promise<void> {
  const { store, origin = '', now, print } = context;
  if ((await store.findSettings()) !== undefined) {
    print('The team has signed settings already, which stay as they are.');
    return;
  }
  if (!existsSync(signer)) runSigning(['keygen', signer], now(), print);
  const file = join(folder, 'settings.json');
  writeFileSync(file, `${await draftTeamSettings(context)}\n`);
  const expiry = new Date(now() + 365 * dayMs).toISOString();
  let signed = '';
  runSigning(
    ['sign', '--key', signer, '--relay', origin, '--version', '1', '--expires', expiry, file],
    now(),
    (text) => (signed = text),
  );
  await setTeamSettings(context, signed);
  print(
    `The team’s settings are signed until ${expiry.slice(0, 10)}. Move ${signer} to a machine of your own.`,
  );
}

/** Adds the first agent, and prints an invite unless they have joined. An older invite no longer holds. */
async function invite(context: CommandContext, email: string, holdsMs: number): Promise<void> {
  const { store, print, now } = context;
  const found = (await store.agents()).find((agent) => agent.email === email);
  const { id } = found ?? (await addAgent(store, email, 'agent'));
  const hasJoined = (await store.tokens()).some(
    ({ agent, revokedAt, expiresAt }) => agent === id && revokedAt === 0 && expiresAt > now(),
  );
  if (hasJoined) {
    print(`${email} has joined.`);
    return;
  }
  if (await store.revokeInvites(id)) print('The invite that was there before no longer holds.');
  const until = new Date(now() + holdsMs).toISOString();
  print(`${email} joins by this link, which works once and holds until ${until}:`);
  print(await addInvite(context, id, holdsMs));
}
