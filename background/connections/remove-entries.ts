import type { Connections } from '#background/connections/connections';
import { isLive } from '#core/storage/index';
import type { AdministrationContext } from '#background/dependencies';
import { type EntryIds, noEntries } from '#core/settings-import/index';

interface RemovalNeeds {
  readonly connections: Pick<Connections, 'delete'>;
  /** Starts and ends ticket scripts to match the stored sites. */
  readonly sitesChanged: () => Promise<void>;
}

/** Returns the ids of the stored connections, authorities and sites, without deleted ones that can be restored. */
export async function entriesNow({
  connectionStore,
  authorities,
  sites,
}: Pick<AdministrationContext, 'connectionStore' | 'authorities' | 'sites'>): Promise<EntryIds> {
  return {
    ...noEntries,
    connections: (await connectionStore.read()).filter(isLive).map(({ id }) => id),
    authorities: (await authorities.read()).filter(isLive).map(({ id }) => id),
    sites: (await sites.read()).map(({ origin }) => origin),
  };
}

/**
 * Removes entries that a team or a policy added, and gives up origins that nothing else uses. Connections can be
 * restored for a while.
 * @returns whether every change could be stored
 */
export async function removeEntries(
  { authorities, sites, originPermissions }: AdministrationContext,
  needs: RemovalNeeds,
  gone: EntryIds,
): Promise<boolean> {
  const addresses = [
    ...(await authorities.read()).flatMap(({ id, address }) =>
      gone.authorities.includes(id) ? [address] : [],
    ),
    ...gone.sites,
  ];
  const written: { readonly ok: boolean }[] = [];
  for (const id of gone.connections) written.push(await needs.connections.delete(id));
  if (gone.authorities.length > 0)
    written.push(
      await authorities.change((all) => all.filter(({ id }) => !gone.authorities.includes(id))),
    );
  if (gone.sites.length > 0) {
    written.push(
      await sites.change((all) => all.filter(({ origin }) => !gone.sites.includes(origin))),
    );
    await needs.sitesChanged();
  }
  await originPermissions.giveUpUnused(addresses);
  return written.every(({ ok }) => ok);
}
