import type { Connections } from '#background/connections/connections';
import { isLive } from '#core/storage/index';
import type { AdministrationContext } from '#background/dependencies';
import { type EntryIds, noEntries } from '#core/settings-import/index';

interface RemovalNeeds {
  readonly connections: Pick<Connections, 'delete'>;
  /** Starts and ends ticket scripts by the sites as they are stored now. */
  readonly sitesChanged: () => Promise<void>;
}

/** Names the connections, authorities and sites that are stored now; not what was deleted and can be restored. */
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
 * Removes what someone other than the agent added, with the origins that nothing else uses. Connections can come back
 * for a while.
 * @returns whether all could be stored
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
