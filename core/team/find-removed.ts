import { keyName } from '#core/key-ring/ring';
import type { PinnedKey } from '#core/license/keys/pinned-key';
import type { ReplyTemplate } from '#core/reply-templates/template';
import { namesTemplate } from '#core/reply-templates/template-list';
import { without } from '#core/settings/combine-entries';
import { isSameAuthority, isSameConnection } from '#core/settings/merge-lists';
import type { SettingsFile } from '#core/settings/settings-file';
import type { TeamEntries } from '#core/team/team';

interface Entry {
  readonly id: string;
  readonly name: string;
}

/** Lists what is stored now. */
interface StoredEntries {
  readonly connections: readonly (Entry & { readonly baseAddress: string })[];
  readonly authorities: readonly (Entry & { readonly address: string })[];
  readonly sites: readonly { readonly origin: string }[];
  readonly keys: readonly PinnedKey[];
  readonly templates: readonly ReplyTemplate[];
}

export interface RemovedEntries {
  /** Also names what an earlier try has removed already: that is still to be forgotten. */
  readonly removes: TeamEntries;
  /** Names of what goes, by part. */
  readonly removed: Readonly<Record<keyof TeamEntries, readonly string[]>>;
}

/** Finds what a team brought before and its newer settings do not hold any more. */
export function findRemoved(
  brought: TeamEntries,
  file: Pick<SettingsFile, 'connections' | 'authorities' | 'sites' | 'keys' | 'templates'>,
  stored: StoredEntries,
): RemovedEntries {
  const { connections, authorities } = stored;
  const templates = file.templates?.templates ?? [];
  const removes = {
    connections: without(
      brought.connections,
      idsOf(file.connections, connections, isSameConnection),
    ),
    authorities: without(
      brought.authorities,
      idsOf(file.authorities, authorities, isSameAuthority),
    ),
    sites: without(
      brought.sites,
      file.sites.map(({ origin }) => origin),
    ),
    keys: without(brought.keys, rawKeysOf(file)),
    templates: brought.templates.filter(
      (name) => !templates.some((one) => namesTemplate([name], one)),
    ),
  };
  const nameOf = ({ name }: { readonly name: string }): string => name;
  const isIn =
    (ids: readonly string[]) =>
    ({ id }: Entry): boolean =>
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

/** Returns the ids that a file's entries have here; of one that is not stored its own, unless another entry has that one. */
function idsOf<Shared extends Entry, Stored extends Entry>(
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
