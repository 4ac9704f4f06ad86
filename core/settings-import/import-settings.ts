import type { LicenseAuthority, StoredAuthority } from '#core/authority/index';
import {
  type Connection,
  type Dialect,
  isThroughRelay,
  staysProven,
  type StoredConnection,
  weakensPlacement,
} from '#core/connections/index';
import { omitUndefined } from '#core/result';
import type { ExpectedItem } from '#core/items/index';
import type { SharedConnection, SharedSwitches, SharedSwitch } from '#core/settings/index';
import type { HistorySettings, Site } from '#core/preferences/index';

/** The names of the entries that an import adds to a list, and of those that it changes. */
export interface NamedChanges {
  readonly added: readonly string[];
  readonly changed: readonly string[];
}

export interface MergedList<Entry> {
  readonly list: readonly Entry[];
  readonly changes: NamedChanges;
}

interface ListRules<Entry, Imported> {
  readonly nameOf: (imported: Imported) => string;
  /** Tells whether an imported entry may change this one. */
  readonly isSame: (entry: Entry, imported: Imported) => boolean;
  /** Returns the entry to add, given the list so far. */
  readonly create: (imported: Imported, list: readonly Entry[]) => Entry;
  /** Returns the changed entry; undefined if nothing changes. */
  readonly change: (before: Entry, imported: Imported) => Entry | undefined;
}

/** Merges an imported list into a present one: changes the entries that the list already has, and adds the others. */
function mergeList<Entry extends object, Imported>(
  present: readonly Entry[],
  imported: readonly Imported[],
  { nameOf, isSame, create, change }: ListRules<Entry, Imported>,
): MergedList<Entry> {
  const list = [...present];
  const added: string[] = [];
  const changed: string[] = [];
  for (const one of imported) {
    const at = list.findIndex((entry) => isSame(entry, one));
    const before = list[at];
    if (before === undefined) {
      list.push(create(one, list));
      added.push(nameOf(one));
      continue;
    }
    const after = change(before, one);
    // Both were read by schemas with the same order of members.
    if (after === undefined || JSON.stringify(after) === JSON.stringify(before)) continue;
    list[at] = after;
    changed.push(nameOf(one));
  }
  return { list, changes: { added, changed } };
}

/** Returns the id of an imported entry, or a new one if the list already has that id. */
function freeId(
  id: string,
  list: readonly { readonly id: string }[],
  createId: () => string,
): string {
  return list.some((entry) => entry.id === id) ? createId() : id;
}

export interface Named {
  readonly id: string;
  readonly name: string;
}

/** Tells whether a stored connection corresponds to one in a file: it has the same address, and the same id or name. */
export function isConnectionOfFile(
  one: Named & Pick<Connection, 'baseAddress'>,
  other: Named & Pick<Connection, 'baseAddress'>,
): boolean {
  return one.baseAddress === other.baseAddress && isSameNamed(one, other);
}

/** Tells whether a stored authority corresponds to one in a file: it has the same address, and the same id or name. */
export function isAuthorityOfFile(
  one: Named & Pick<LicenseAuthority, 'address'>,
  other: Named & Pick<LicenseAuthority, 'address'>,
): boolean {
  return one.address === other.address && isSameNamed(one, other);
}

function isSameNamed(one: Named, other: Named): boolean {
  return one.id === other.id || one.name === other.name;
}

/** Matches stored entries with a file's. An entry matched by id is not matched again by name. */
function entriesOf<Entry extends Named, Imported extends Named>(
  file: readonly Imported[],
  isOfFile: (entry: Entry, imported: Imported) => boolean,
): (entry: Entry, imported: Imported) => boolean {
  return (entry, imported) => {
    const named = file.find((one) => one.id === entry.id && isOfFile(entry, one));
    return isOfFile(entry, imported) && (named ?? imported).id === imported.id;
  };
}

const throughRelay = { throughRelay: true } as const;

export interface MergedConnections extends MergedList<StoredConnection> {
  readonly changedIds: readonly string[];
  /**
   * Maps ids to stored ids: imported connections by their id in the file (the first, if it occurs twice), others by
   * their own id.
   */
  readonly storedIds: ReadonlyMap<string, string>;
  /** How many connections keep sending their key in a header, although the file says `parameter`. */
  readonly headersKept: number;
}

interface ConnectionRules {
  readonly hasKey: (connectionId: string) => boolean;
  readonly createId: () => string;
  /** The origin of the team's relay, if the team signed the settings. */
  readonly relay?: string | undefined;
}

/**
 * Merges imported connections. One with the same address and the same id or name takes the file's name and dialect and
 * keeps its key. The same id at another address becomes a new connection, so that no file can redirect an existing key.
 *
 * A key that is sent in a header stays there, and a file's claim that a dialect is proven is ignored.
 */
export function mergeConnections(
  present: readonly StoredConnection[],
  imported: readonly SharedConnection[],
  { hasKey, createId, relay }: ConnectionRules,
): MergedConnections {
  const isRelays = ({ baseAddress }: SharedConnection): boolean =>
    relay !== undefined && isThroughRelay(baseAddress, relay);
  const changedIds: string[] = [];
  const storedIds = new Map<string, string>();
  const noteId = (imported: SharedConnection, stored: string): string => {
    if (!storedIds.has(imported.id)) storedIds.set(imported.id, stored);
    return stored;
  };
  let headersKept = 0;
  const merged = mergeList(present, imported, {
    nameOf: ({ name }) => name,
    isSame: entriesOf(imported, isConnectionOfFile),
    create: (one, list) => ({
      ...one,
      ...(isRelays(one) && throughRelay),
      id: noteId(one, freeId(one.id, list, createId)),
      revision: 1,
      dialect: { ...one.dialect, proven: false },
    }),
    change(before, one) {
      const { revision } = before;
      const id = noteId(one, before.id);
      const keepsHeader = weakensPlacement(before.dialect, one.dialect) && hasKey(id);
      if (keepsHeader) headersKept += 1;
      const { keyPlacement } = keepsHeader ? before.dialect : one.dialect;
      const dialect = { ...one.dialect, keyPlacement };
      const proven = staysProven(before, { ...one, dialect });
      const after = { ...one, dialect: { ...dialect, proven } };
      const through = before.throughRelay === true || isRelays(one);
      if (isUnchanged(before, after) && through === (before.throughRelay === true))
        return undefined;
      changedIds.push(id);
      return {
        ...after,
        ...(through && throughRelay),
        id,
        revision: revision + 1,
      };
    },
  });
  for (const { id } of merged.list) if (!storedIds.has(id)) storedIds.set(id, id);
  return { ...merged, changedIds, storedIds, headersKept };
}

function isUnchanged(
  { name, dialect, deletedUntil, marketplace, store }: StoredConnection,
  one: SharedConnection,
): boolean {
  const members = Object.keys({ ...dialect, ...one.dialect }) as (keyof Dialect)[];
  return (
    deletedUntil === undefined &&
    name === one.name &&
    marketplace === one.marketplace &&
    store === one.store &&
    members.every((member) => dialect[member] === one.dialect[member])
  );
}

export interface MergedAuthorities extends MergedList<StoredAuthority> {
  /** How many authorities stay live or test, although the file says otherwise. */
  readonly kindsKept: number;
}

/**
 * Merges imported authorities. One with the same address and the same id or name takes the file's name and products. It
 * stays live or test as it is. The same id at another address becomes a new authority.
 */
export function mergeAuthorities(
  present: readonly StoredAuthority[],
  imported: readonly LicenseAuthority[],
  createId: () => string,
): MergedAuthorities {
  let kindsKept = 0;
  const merged = mergeList(present, imported, {
    nameOf: ({ name }) => name,
    isSame: entriesOf(imported, isAuthorityOfFile),
    create: (one, list): StoredAuthority => ({ ...one, id: freeId(one.id, list, createId) }),
    change({ id, kind }, one) {
      if (kind !== one.kind) kindsKept += 1;
      return { ...one, id, kind };
    },
  });
  return { ...merged, kindsKept };
}

/**
 * Merges imported help desks by their origin. Members that the file omits do not change. An expected item whose
 * connection is neither in the file nor stored is left out, since every purchase would then be of another item.
 * @param storedIds maps the connection ids in expected items to stored ids
 */
export function mergeSites(
  present: readonly Site[],
  imported: readonly Site[],
  storedIds: ReadonlyMap<string, string>,
): MergedList<Site> {
  const ofStored = ({ expectedItem, ...site }: Site): Site =>
    omitUndefined({ ...site, expectedItem: expectedItem && itemOfStored(expectedItem, storedIds) });
  return mergeList(present, imported.map(ofStored), {
    nameOf: ({ origin }) => origin,
    isSame: ({ origin }, one) => origin === one.origin,
    create: (one) => one,
    change: (before, one) => ({ ...before, ...one }),
  });
}

function itemOfStored(
  item: ExpectedItem,
  storedIds: ReadonlyMap<string, string>,
): ExpectedItem | undefined {
  if (item.connectionId === undefined) return item;
  const connectionId = storedIds.get(item.connectionId);
  return connectionId === undefined ? undefined : { ...item, connectionId };
}

export interface PrivacyChange {
  readonly setting: SharedSwitch | keyof HistorySettings;
  readonly value: boolean | number | string;
}

export function privacyChanges(
  { history: before, ...present }: SharedSwitches,
  { history, ...wanted }: SharedSwitches,
): PrivacyChange[] {
  return [
    ...differing<SharedSwitch>(present, wanted),
    ...differing<keyof HistorySettings>(before ?? {}, history ?? {}),
  ];
}

type Values<Setting extends string> = Readonly<Partial<Record<Setting, PrivacyChange['value']>>>;

/** Lists the settings in `after` that differ. */
function differing<Setting extends string>(
  before: Values<Setting>,
  after: Values<Setting>,
): { setting: Setting; value: PrivacyChange['value'] }[] {
  return (Object.keys(after) as Setting[]).flatMap((setting) => {
    const value = after[setting];
    return value === undefined || value === before[setting] ? [] : [{ setting, value }];
  });
}
