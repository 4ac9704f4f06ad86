import { parseArgs } from 'node:util';

import { type ApiKeyProblem, maxApiKeyLength, parseApiKey } from '#core/connections/api-key';
import {
  type BaseAddressProblem,
  parseBaseAddress,
  isLocalHost,
} from '#core/connections/base-address';
import { type AccountPlace, marketplaceIds } from '#core/marketplaces/marketplace-id';
import { placeOf } from '#core/marketplaces/places';
import { AdminProblem, type Command, takeArguments } from '#relay/admin/command';
import { tryKey, whyShort } from '#relay/admin/key-trial';
import { openVault, type Vault } from '#relay/keys/vault';
import { isConnectionId, isSameAccount, type ConnectionRecord } from '#relay/store/records';
import type { Store } from '#relay/store/store';

const placements = ['parameter', 'X-API-Key', 'Authorization'] as const;
/** The first is asked as the specification says. */
const marketplaces = ['seller-api', ...marketplaceIds] as const;
const encodings = ['form', 'json', 'multipart', 'query'] as const;

const addressProblems: Readonly<Record<BaseAddressProblem['kind'], string>> = {
  empty: 'it is empty',
  'not-an-address': 'it is no URL',
  'too-long': 'it is too long',
  scheme: 'it must begin with https://',
  insecure: 'it must begin with https://, since the key would be sent in clear',
  'user-info': 'leave out what stands before the @',
  query: 'leave out the ? and what follows',
  fragment: 'leave out the # and what follows',
};

const keyProblems: Readonly<Record<ApiKeyProblem['kind'], string>> = {
  empty: 'standard input is empty',
  'too-long': `it is longer than ${String(maxApiKeyLength)} characters`,
  'odd-sign': 'it holds a character that is not visible ASCII',
};

export const listConnections: Command = async ({ store, print }, args) => {
  takeArguments(args);
  const keys = await store.keys();
  const connections = await store.connections();
  if (connections.length === 0) {
    print('There are no connections. To add one: admin connections add ID ADDRESS');
  }
  for (const { id, baseAddress, marketplace, store: own, limit, windowMs, roles } of connections) {
    const version = keys.find(({ connection }) => connection === id)?.version;
    const key = version === undefined ? 'no key' : `key ${String(version)}`;
    const pace = `${String(limit)} in ${String(windowMs / 1000)} s`;
    const who = roles.length === 0 ? [] : [`for ${roles.join(', ')}`];
    const where = [marketplace ?? [], own === undefined ? [] : `store ${own}`].flat();
    print([id, baseAddress, ...where, pace, ...who, key].join('\t'));
  }
};

/** Says what follows the name of `addConnection`. */
export const addConnectionTakes = `ID [ADDRESS] [--marketplace ${marketplaces.join('|')}] [--store STORE]
      [--name NAME] [--limit N] [--window SECONDS] [--roles ROLE,…]
      [--key-placement ${placements.join('|')}] [--encoding ${encodings.join('|')}] [--allow-private]`;

/** Says what follows the name of `editConnection`. */
export const editConnectionTakes =
  'ID [--address ADDRESS], and the options of add (--roles all, --no-allow-private)';

/** Lists the options of a connection, as `parseArgs` takes them. */
export const connectionOptions = {
  name: { type: 'string' },
  limit: { type: 'string', default: '60' },
  window: { type: 'string', default: '60' },
  'key-placement': { type: 'string', default: 'parameter' },
  encoding: { type: 'string', default: 'form' },
  'allow-private': { type: 'boolean', default: false },
  roles: { type: 'string' },
  store: { type: 'string' },
} as const;

interface ConnectionValues {
  readonly name?: string | undefined;
  readonly limit: string;
  readonly window: string;
  readonly 'key-placement': string;
  readonly encoding: string;
  readonly 'allow-private': boolean;
  readonly marketplace?: string | undefined;
  readonly store?: string | undefined;
  /** With commas between them. */
  readonly roles?: string | undefined;
}

export const addConnection: Command = async ({ store, print }, args) => {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { ...connectionOptions, marketplace: { type: 'string' } },
  });
  const place = placeNamed(values.marketplace)?.baseAddress;
  const given =
    positionals.length < 2 && place !== undefined ? [...positionals, place] : positionals;
  const [id, address] = takeArguments(given, 'the id', 'the base address');
  const connection = readConnection(id, address, values);
  await checkRoles(store, connection);
  if ((await store.connections()).some((one) => one.id === id)) {
    throw new AdminProblem(`There is a connection ${id} already.`);
  }
  await store.addConnection(connection);
  print(`Agents reach it at /c/${id}. It needs a key: admin keys set ${id}`);
  const { protocol, hostname } = new URL(connection.baseAddress);
  // Over http no other host than this machine is let in.
  if (protocol === 'https:' && !connection.allowPrivate && isLocalHost(hostname)) {
    print(
      `${hostname} is a private address, so that every call will be refused. If it is meant: admin connections edit ${id} --allow-private`,
    );
  }
};

export const editConnection: Command = async ({ store, print }, args) => {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    allowNegative: true,
    options: {
      address: { type: 'string' },
      name: { type: 'string' },
      limit: { type: 'string' },
      window: { type: 'string' },
      'key-placement': { type: 'string' },
      encoding: { type: 'string' },
      'allow-private': { type: 'boolean' },
      roles: { type: 'string' },
      marketplace: { type: 'string' },
      store: { type: 'string' },
    },
  });
  const [id] = takeArguments(positionals, 'the id of the connection');
  const before = await connectionNamed(store, id);
  const address =
    values.address ?? placeNamed(values.marketplace)?.baseAddress ?? before.baseAddress;
  const marketplace = values.marketplace ?? before.marketplace;
  const after = readConnection(id, address, {
    marketplace,
    store: values.store ?? (marketplace === before.marketplace ? before.store : undefined),
    name: values.name ?? before.name,
    limit: values.limit ?? String(before.limit),
    window: values.window ?? String(before.windowMs / 1000),
    'key-placement': values['key-placement'] ?? before.keyPlacement,
    encoding: values.encoding ?? before.encoding,
    'allow-private': values['allow-private'] ?? before.allowPrivate,
    roles: values.roles ?? before.roles.join(','),
  });
  await checkRoles(store, after);
  await store.editConnection(after);
  print(`${id} is changed, from the next call on.`);
  if (!isSameAccount(before, after)) {
    print(`Its key was for ${before.baseAddress} as it was, and is removed: admin keys set ${id}`);
  }
};

/** Finds a connection. @throws AdminProblem */
async function connectionNamed(store: Store, id: string): Promise<ConnectionRecord> {
  const found = (await store.connections()).find((one) => one.id === id);
  if (found === undefined) throw new AdminProblem(`There is no connection ${id}.`);
  return found;
}

export async function checkRoles(store: Store, { roles }: ConnectionRecord): Promise<void> {
  const known = new Set((await store.roles()).map(({ name }) => name));
  const strange = roles.find((role) => !known.has(role));
  if (strange === undefined) return;
  throw new AdminProblem(`There is no role ${strange}. To make it: admin roles set ${strange}`);
}

/** Reads a connection from what was typed. @throws AdminProblem */
export function readConnection(
  id: string,
  place: string,
  values: ConnectionValues,
): ConnectionRecord {
  if (!isConnectionId(id)) {
    throw new AdminProblem('An id has 1 to 40 lower-case letters, digits and dashes.');
  }
  const address = parseBaseAddress(place);
  if (!address.ok)
    throw new AdminProblem(`That is no base address: ${addressProblems[address.fault.kind]}.`);
  return {
    id,
    name: values.name ?? id,
    baseAddress: address.value.address,
    ...readPlace(values),
    keyPlacement: oneOf(placements, values['key-placement'], '--key-placement'),
    encoding: oneOf(encodings, values.encoding, '--encoding'),
    // With one request a window, no slot would be left beside the one that may be under way.
    limit: whole(values.limit, 2, 100_000, '--limit'),
    windowMs: whole(values.window, 1, 86_400, '--window') * 1000,
    allowPrivate: values['allow-private'],
    roles:
      values.roles === undefined || values.roles === 'all'
        ? []
        : values.roles.split(',').filter((role) => role !== ''),
  };
}

/** Returns what is known of a marketplace that is asked in a way of its own; undefined for any other text. */
export function placeNamed(name: string | undefined): ReturnType<typeof placeOf> | undefined {
  const found = marketplaceIds.find((id) => id === name);
  return found && placeOf(found);
}

function readPlace({ marketplace, store }: ConnectionValues): AccountPlace {
  const name = oneOf(marketplaces, marketplace ?? 'seller-api', '--marketplace');
  const needsStore = name !== 'seller-api' && placeOf(name).needsStore === true;
  if (!needsStore) {
    if (store !== undefined)
      throw new AdminProblem('--store is for a marketplace that answers for every store.');
    return name === 'seller-api' ? {} : { marketplace: name };
  }
  if (!/^[\w-]{1,64}$/.test(store ?? '')) {
    throw new AdminProblem(
      '--store is missing: the number of your store, since this marketplace answers for every store.',
    );
  }
  return { marketplace: name, ...(store !== undefined && { store }) };
}

export const removeConnection: Command = async ({ store, print }, args) => {
  const [id] = takeArguments(args, 'the id');
  if (!(await store.removeConnection(id))) throw new AdminProblem(`There is no connection ${id}.`);
  print(`Removed ${id} with its key and its cached replies.`);
};

/** Says what follows the name of `setKey`. */
export const setKeyTakes = 'ID [--anyway] < FILE';

export const setKey: Command = async ({ store, keyring, readInput, print }, args) => {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { anyway: { type: 'boolean', default: false } },
  });
  const [id] = takeArguments(positionals, 'the id of the connection');
  const connection = await connectionNamed(store, id);
  const vault = await openVault(store, keyring());
  await keepKey({ store, vault }, connection, readKey(await readInput()), values.anyway);
  const kept = (await store.keys()).find((one) => one.connection === id);
  const tested = values.anyway ? 'It was not tested.' : 'The marketplace takes it.';
  print(`Key ${String(kept?.version)} of ${id} is stored, encrypted. ${tested}`);
};

/** Parses an API key. @throws AdminProblem */
export function readKey(text: string): string {
  const key = parseApiKey(text);
  if (key.ok) return key.value;
  throw new AdminProblem(`That is no API key: ${keyProblems[key.fault.kind]}.`);
}

/**
 * Stores an API key in the place of the connection's former one, which stays until the marketplace has taken the new one.
 * @param anyway stores it unasked
 * @throws AdminProblem that says why the key is not stored
 */
export async function keepKey(
  parts: { readonly store: Store; readonly vault: Vault },
  connection: ConnectionRecord,
  apiKey: string,
  anyway: boolean,
): Promise<void> {
  const { store, vault } = parts;
  const { id, baseAddress } = connection;
  const older = (await store.keys()).find((one) => one.connection === id);
  if (!anyway) {
    const why = whyShort(apiKey) ?? (await tryKey(parts, connection, apiKey)).why;
    const before = older === undefined ? '' : ` The former key of ${id} goes on to hold.`;
    if (why !== '') {
      throw new AdminProblem(
        `${why}${before} To store it all the same: admin keys set ${id} --anyway`,
      );
    }
  }
  const version = (older?.version ?? 0) + 1;
  await store.putKey(vault.sealKey({ connection: id, baseAddress, version }, apiKey));
}

function oneOf<T extends string>(allowed: readonly T[], value: string, name: string): T {
  const found = allowed.find((one) => one === value);
  if (found === undefined) throw new AdminProblem(`${name} is one of: ${allowed.join(', ')}.`);
  return found;
}

function whole(text: string, min: number, max: number, name: string): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= min && value <= max) return value;
  throw new AdminProblem(`${name} is a whole number, ${String(min)} to ${String(max)}.`);
}
