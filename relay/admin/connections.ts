import { isDeepStrictEqual } from 'node:util';
import {
  type AccountLocation,
  type ApiKeyProblem,
  maxApiKeyLength,
  parseApiKey,
} from '#core/connections/index';
import { type BaseAddressProblem, parseBaseAddress } from '#core/address/index';
import { marketplaceIds, needsKey, placeOf } from '#core/marketplaces/index';
import { omitUndefined, succeed } from '#core/result';
import { command } from '#relay/admin/command';
import { tryKey, whyShort } from '#relay/admin/key-trial';
import { openVault, type Vault } from '#relay/keys/vault';
import { checkRoles } from '#relay/rules/index';
import { isConnectionId } from '#relay/calls/answer-call';
import type { Store, Stored } from '#relay/store/index';
import { oneOf, Problem, whole } from '#relay/problem';

const placements = ['parameter', 'X-API-Key', 'Authorization'] as const;
/** The first one uses the API of the specification. */
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
  'odd-character': 'it holds a character that is not visible ASCII',
};

const text = { type: 'string' } as const;

export const connectionOptions = {
  name: text,
  limit: text,
  window: text,
  'key-placement': text,
  encoding: text,
  'allow-private': { type: 'boolean' },
  /** A comma-separated list. */
  roles: text,
  marketplace: text,
  store: text,
} as const;

type ConnectionValues = Partial<
  Record<Exclude<keyof typeof connectionOptions, 'allow-private'>, string | undefined> & {
    readonly 'allow-private': boolean | undefined;
  }
>;

export const connectionCommands = {
  'connections list': command({}, async ({ store, print }) => {
    const connections = await store.connections();
    if (connections.length === 0) {
      print('There are no connections. To add one: admin connections add ID ADDRESS');
    }
    for (const connection of connections) {
      const { id, baseAddress, marketplace, limit, windowMs, roles } = connection;
      const version = (await keyOf(store, id))?.version;
      const key = version === undefined ? 'no key' : `key ${String(version)}`;
      const pace = `${String(limit)} in ${String(windowMs / 1000)} s`;
      const who = roles.length === 0 ? [] : [`for ${roles.join(', ')}`];
      const own = connection.store === undefined ? [] : `store ${connection.store}`;
      const where = [marketplace ?? [], own].flat();
      print([id, baseAddress, ...where, pace, ...who, key].join('\t'));
    }
  }),

  'connections add': command(
    {
      takes: `ID [ADDRESS] [--marketplace ${marketplaces.join('|')}] [--store STORE]
      [--name NAME] [--limit N] [--window SECONDS] [--roles ROLE,…]
      [--key-placement ${placements.join('|')}] [--encoding ${encodings.join('|')}] [--allow-private]`,
      begins: true,
      names: ['the id', 'the base address?'],
      options: connectionOptions,
    },
    async ({ store, print }, [id, given], values) => {
      const baseAddress = given || marketplaceNamed(values.marketplace)?.baseAddress;
      if (baseAddress === undefined) throw new Problem('Missing: the base address.');
      const connection = readConnection(id, baseAddress, values);
      await checkRoles(store, connection.roles);
      if ((await store.connections()).some((one) => one.id === id)) {
        throw new Problem(`There is a connection ${id} already.`);
      }
      await store.addConnection(connection);
      const none = needsKey(connection) ? '' : ' (empty input for none)';
      print(`Agents reach it at /c/${id}. It needs a key: admin keys set ${id}${none}`);
    },
  ),

  'connections edit': command(
    {
      takes: 'ID [--address ADDRESS], and the options of add (--roles all, --no-allow-private)',
      names: ['the id of the connection'],
      options: { ...connectionOptions, address: text },
    },
    async ({ store, print }, [id], values) => {
      const before = await connectionNamed(store, id);
      const hadKey = (await keyOf(store, id)) !== undefined;
      const baseAddress =
        values.address ?? marketplaceNamed(values.marketplace)?.baseAddress ?? before.baseAddress;
      const after = readConnection(id, baseAddress, values, before);
      await checkRoles(store, after.roles);
      await store.editConnection(after);
      print(`${id} is changed, from the next call on.`);
      if (hadKey && (await keyOf(store, id)) === undefined) {
        print(
          `Its key was for ${before.baseAddress} as it was, and is removed: admin keys set ${id}`,
        );
      }
    },
  ),

  'connections remove': command(
    { takes: 'ID', names: ['the id'] },
    async ({ store, print }, [id]) => {
      if (!(await store.removeConnection(id))) throw new Problem(`There is no connection ${id}.`);
      print(`Removed ${id} with its key and its cached replies.`);
    },
  ),

  'keys set': command(
    {
      takes: 'ID [--anyway] < FILE',
      names: ['the id of the connection'],
      options: { anyway: { type: 'boolean', default: false } },
    },
    async ({ store, keyring, readInput, print }, [id], { anyway }) => {
      const connection = await connectionNamed(store, id);
      const vault = await openVault(store, keyring());
      await keepKey({ store, vault }, connection, await readInput(), anyway);
      const version = String((await keyOf(store, id))?.version);
      const tested = anyway ? 'It was not tested.' : 'The marketplace takes it.';
      print(`Key ${version} of ${id} is stored, encrypted. ${tested}`);
    },
  ),
};

async function connectionNamed(store: Store, id: string): Promise<Stored<'connection'>> {
  const found = (await store.connections()).find((one) => one.id === id);
  if (found === undefined) throw new Problem(`There is no connection ${id}.`);
  return found;
}

export async function keyOf(store: Store, id: string): Promise<Stored<'key'> | undefined> {
  return (await store.keys()).find(({ connection }) => connection === id);
}

type Before = Omit<Stored<'connection'>, 'id' | 'name' | 'baseAddress'> & {
  readonly name?: string;
};

const usual: Before = {
  limit: 60,
  windowMs: 60_000,
  keyPlacement: 'parameter',
  encoding: 'form',
  allowPrivate: false,
  roles: [],
};

/**
 * Reads a connection from typed options.
 * @param before the values of the other options
 * @throws Problem
 */
export function readConnection(
  id: string,
  baseAddress: string,
  values: ConnectionValues,
  before: Before = usual,
): Stored<'connection'> {
  if (!isConnectionId(id)) {
    throw new Problem('An id has 1 to 40 lower-case letters, digits and dashes.');
  }
  const address = parseBaseAddress(baseAddress);
  if (!address.ok)
    throw new Problem(`That is no base address: ${addressProblems[address.fault.kind]}.`);
  const { limit, window, roles, 'key-placement': placement = before.keyPlacement } = values;
  return {
    id,
    name: values.name ?? before.name ?? id,
    baseAddress: address.value.address,
    ...readPlace(values, before),
    keyPlacement: oneOf(placements, placement, '--key-placement'),
    encoding: oneOf(encodings, values.encoding ?? before.encoding, '--encoding'),
    // With one request per window there would be no slot besides the one that may be in flight.
    limit: limit === undefined ? before.limit : whole(limit, 2, 100_000, '--limit'),
    windowMs: window === undefined ? before.windowMs : whole(window, 1, 86_400, '--window') * 1000,
    allowPrivate: values['allow-private'] ?? before.allowPrivate,
    roles:
      roles === undefined
        ? before.roles
        : roles.split(',').filter((role) => role !== '' && roles !== 'all'),
  };
}

/** Returns the descriptor of a marketplace with an API of its own; undefined for any other text. */
export function marketplaceNamed(name?: string): ReturnType<typeof placeOf> | undefined {
  const found = marketplaceIds.find((id) => id === name);
  return found && placeOf(found);
}

function readPlace(values: ConnectionValues, before: AccountLocation): AccountLocation {
  const { marketplace = before.marketplace } = values;
  const store = values.store ?? (marketplace === before.marketplace ? before.store : undefined);
  const name = oneOf(marketplaces, marketplace ?? 'seller-api', '--marketplace');
  const needsStore = name !== 'seller-api' && placeOf(name).store !== undefined;
  if (!needsStore) {
    if (store !== undefined)
      throw new Problem('--store is for a marketplace that answers for every store.');
    return name === 'seller-api' ? {} : { marketplace: name };
  }
  if (!/^[\w-]{1,64}$/.test(store ?? '')) {
    throw new Problem(
      `--store is missing: the ${placeOf(name).store?.label ?? ''}, since this marketplace answers for every store.`,
    );
  }
  return omitUndefined({ marketplace: name, store });
}

/**
 * Replaces a connection's API key, or records that there is none if the marketplace needs none. The old key stays until the marketplace has
 * accepted the new one.
 * @param typed the key
 * @param anyway whether to store it without trying it
 * @throws Problem if the key is not stored, with the reason
 */
export async function keepKey(
  { store, vault }: { readonly store: Store; readonly vault: Vault },
  connection: Stored<'connection'>,
  typed: string,
  anyway: boolean,
): Promise<void> {
  const { id, baseAddress } = connection;
  const parsed = parseApiKey(typed);
  const mayBeNone = !parsed.ok && parsed.fault.kind === 'empty' && !needsKey(connection);
  const key = mayBeNone ? succeed('') : parsed;
  if (!key.ok) throw new Problem(`That is no API key: ${keyProblems[key.fault.kind]}.`);
  const older = await keyOf(store, id);
  if (!anyway) {
    const why = whyShort(key.value) ?? (await tryKey({ store, vault }, connection, key.value)).why;
    const before = older === undefined ? '' : ` The former key of ${id} goes on to hold.`;
    if (why !== '') {
      throw new Problem(`${why}${before} To store it all the same: admin keys set ${id} --anyway`);
    }
  }
  // Another command may have edited the connection during the test, and the key would not open for another address.
  if (!isDeepStrictEqual(await connectionNamed(store, id), connection))
    throw new Problem(`${id} was edited meanwhile, and the key is not stored: set it again.`);
  const version = (older?.version ?? 0) + 1;
  await store.putKey(vault.sealKey({ connection: id, baseAddress, version }, key.value));
}
