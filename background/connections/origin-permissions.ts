import type { Permissions } from '#adapters/browser/permissions';
import type { AdministrationStorage, WorkerStorage } from '#adapters/storage/worker/index';
import { originPattern } from '#core/address/index';

interface OriginUsers {
  readonly permissions: Pick<Permissions, 'giveUp'>;
  readonly connections: Pick<WorkerStorage['connectionStore'], 'read'>;
  readonly authorities: Pick<AdministrationStorage['authorities'], 'read'>;
  readonly sites: Pick<WorkerStorage['sites'], 'read'>;
  /** Returns the origin of the team's relay. */
  readonly findRelay: () => Promise<string | undefined>;
}

export interface OriginPermissions {
  /**
   * Gives up the permissions for the addresses' origins, except those used by a connection, an authority, a site or the
   * team. Deleted ones that can still be restored count as used.
   */
  giveUpUnused(addresses: readonly string[]): Promise<void>;
}

export function createOriginPermissions(users: OriginUsers): OriginPermissions {
  const { permissions, connections, authorities, sites, findRelay } = users;

  async function used(): Promise<string[]> {
    const [connected, judged, shown, relay] = await Promise.all([
      connections.read(),
      authorities.read(),
      sites.read(),
      findRelay(),
    ]);
    return [
      ...connected.map(({ baseAddress }) => baseAddress),
      ...judged.map(({ address }) => address),
      ...shown.map(({ origin }) => origin),
      ...(relay === undefined ? [] : [relay]),
    ].map(originPattern);
  }

  return {
    async giveUpUnused(addresses) {
      const unused = new Set(addresses.map(originPattern)).difference(new Set(await used()));
      for (const pattern of unused) await permissions.giveUp(pattern);
    },
  };
}
