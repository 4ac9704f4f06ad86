import type { LicenseAuthority } from '#core/authority/index';
import type { Connection } from '#core/connections/index';
import {
  type EntryIds,
  isAuthorityOfFile,
  isConnectionOfFile,
  type Named,
  noEntries,
  withoutEntries,
} from '#core/settings-import/index';
import { keyName } from '#core/key-ring/index';
import type { PinnedKey } from '#core/keys/index';
import { namesTemplate, type ReplyTemplate } from '#core/reply-templates/index';
import type { SettingsFile } from '#core/settings/index';

interface StoredEntries {
  readonly connections: readonly (Named & Pick<Connection, 'baseAddress'>)[];
  readonly authorities: readonly (Named & Pick<LicenseAuthority, 'address'>)[];
  readonly sites: readonly { readonly origin: string }[];
  readonly keys: readonly PinnedKey[];
  readonly templates: readonly ReplyTemplate[];
}

export interface RemovedEntries {
  /** The ids to remove, including those that an earlier attempt already removed and that still have to be forgotten. */
  readonly removes: EntryIds;
  /** The names of the removed entries, by part. */
  readonly removed: Readonly<Record<keyof EntryIds, readonly string[]>>;
}

/** Finds the entries that a team added earlier and that its newer settings no longer contain. */
export function findRemoved(
  added: EntryIds,
  file: Pick<SettingsFile, 'connections' | 'authorities' | 'sites' | 'keys' | 'templates'>,
  stored: StoredEntries,
): RemovedEntries {
  const { connections, authorities } = stored;
  const templates = file.templates?.templates ?? [];
  const removes = {
    ...withoutEntries(added, {
      ...noEntries,
      connections: idsOf(file.connections, connections, isConnectionOfFile),
      authorities: idsOf(file.authorities, authorities, isAuthorityOfFile),
      sites: file.sites.map(({ origin }) => origin),
      keys: rawKeysOf(file),
    }),
    templates: added.templates.filter(
      (name) => !templates.some((one) => namesTemplate([name], one)),
    ),
  };
  const nameOf = ({ name }: { readonly name: string }): string => name;
  const isIn =
    (ids: readonly string[]) =>
    ({ id }: Named): boolean =>
      ids.includes(id);
  return {
    removes,
    removed: {
      connections: connections.filter(isIn(removes.connections)).map(nameOf),
      authorities: authorities.filter(isIn(removes.authorities)).map(nameOf),
      sites: stored.sites
        .map(({ origin }) => origin)
        .filter((origin) => removes.sites.includes(origin)),
      keys: stored.keys.filter(({ raw }) => removes.keys.includes(raw)).map(keyName),
      templates: stored.templates
        .filter((one) => namesTemplate(removes.templates, one))
        .map(nameOf),
    },
  };
}

/**
 * Returns the ids under which a file's entries are stored here. For an entry that is not stored it is its own id,
 * unless another entry has that id.
 */
function idsOf<Shared extends Named, Stored extends Named>(
  file: readonly Shared[],
  stored: readonly Stored[],
  isSame: (one: Stored, other: Shared) => boolean,
): string[] {
  return file.flatMap((shared) => {
    const ids = stored.filter((one) => isSame(one, shared)).map(({ id }) => id);
    const isTaken = stored.some(({ id }) => id === shared.id);
    return ids.length > 0 || isTaken ? ids : [shared.id];
  });
}

function rawKeysOf({ keys }: Pick<SettingsFile, 'keys'>): string[] {
  return keys.flatMap((key) => {
    const { raw } = (key ?? {}) as { readonly raw?: unknown };
    return typeof raw === 'string' ? [raw] : [];
  });
}
