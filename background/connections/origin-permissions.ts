import type { Permissions } from '#adapters/browser/permissions';
import type { AuthorityStore } from '#adapters/storage/authority-store';
import type { ConnectionStore } from '#adapters/storage/connection-store';
import type { SiteStore } from '#adapters/storage/site-store';
import { originPattern } from '#core/connections/origin';

interface OriginUsers {
  readonly permissions: Pick<Permissions, 'giveUp'>;
  readonly connections: Pick<ConnectionStore, 'read'>;
  readonly authorities: Pick<AuthorityStore, 'read'>;
  readonly sites: Pick<SiteStore, 'read'>;
}

export interface OriginPermissions {
  /**
   * Gives the permissions for the addresses' origins back to the browser, except those that a connection, an authority
   * or a site uses. Deleted ones that can be restored use theirs still.
   */
  giveUpUnused(addresses: readonly string[]): Promise<void>;
}

export function createOriginPermissions(users: OriginUsers): OriginPermissions {
  const { permissions, connections, authorities, sites } = users;

  async function used(): Promise<string[]> {
    const [connected, judged, shown] = await Promise.all([
      connections.read(),
      authorities.read(),
      sites.read(),
    ]);
    return [
      ...connected.map(({ baseAddress }) => baseAddress),
      ...judged.map(({ address }) => address),
      ...shown.map(({ origin }) => origin),
    ].map(originPattern);
  }

  return {
    async giveUpUnused(addresses) {
      const unused = new Set(addresses.map(originPattern)).difference(new Set(await used()));
      for (const pattern of unused) await permissions.giveUp(pattern);
    },
  };
}
