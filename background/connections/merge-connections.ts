import type { StoredConnection } from '#adapters/storage/connection-store';
import type { Dialect } from '#core/connections/connection';
import { staysProven, weakensPlacement } from '#core/connections/dialect-change';
import { freeId, type MergedList, mergeList } from '#core/settings/merge-list';
import { isSameConnection } from '#core/settings/same-entry';
import type { SharedConnection } from '#core/settings/settings-file';
import { isThroughRelay } from '#core/team/relay-address';

const throughRelay = { throughRelay: true } as const;

export interface MergedConnections extends MergedList<StoredConnection> {
  /** The ids of the connections that change. */
  readonly changedIds: readonly string[];
  /** Gives the stored id of each connection: of an imported one by its id in the file, the first where it stands twice; of any other by its own. */
  readonly storedIds: ReadonlyMap<string, string>;
  /** Counts connections that go on sending their key in a header, though the file says `parameter`. */
  readonly headersKept: number;
}

interface MergeRules {
  /** Tells whether a key is stored for a connection. */
  readonly hasKey: (connectionId: string) => boolean;
  readonly createId: () => string;
  /** The origin of the team's relay, for settings that the team signed. */
  readonly relay?: string | undefined;
}

/**
 * Merges imported connections. One with the same address and the same id or name takes the file's name and dialect and keeps its
 * key. The same id at another address becomes a new connection, so that no file can redirect an existing key.
 *
 * A key that goes in a header stays in it, and no file's word counts that a dialect is proven.
 */
export function mergeConnections(
  present: readonly StoredConnection[],
  imported: readonly SharedConnection[],
  { hasKey, createId, relay }: MergeRules,
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
    isSame: isSameConnection,
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
  { name, dialect, deletedUntil }: StoredConnection,
  one: SharedConnection,
): boolean {
  const members = Object.keys({ ...dialect, ...one.dialect }) as (keyof Dialect)[];
  return (
    deletedUntil === undefined &&
    name === one.name &&
    members.every((member) => dialect[member] === one.dialect[member])
  );
}
