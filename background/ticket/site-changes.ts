import type { AdministrationContext } from '#background/dependencies';
import type { Sites } from '#background/ticket/sites';
import { type Result, fail, succeed, omitUndefined } from '#core/result';
import type { Refusal, Reply } from '#messaging/index';
import type { ExpectedItem } from '#core/items/index';
import { maxSites, type Site, withoutExpectedItem } from '#core/preferences/index';

type SiteFault = Refusal<'sites.remove'>;
type SiteState = Reply<'sites.list'>[number];

/** All sites after a change, or why it was not stored. */
type SitesResult = Result<SiteState[], SiteFault>;

export interface SiteChanges {
  allow(origin: string): Promise<SitesResult>;
  remove(origin: string): Promise<SitesResult>;
  setAutomatic(origin: string, on: boolean): Promise<SitesResult>;
  /** @param item undefined: any item */
  setExpectedItem(origin: string, item: ExpectedItem | undefined): Promise<SitesResult>;
  /** Removes the expected items of a permanently deleted connection. */
  forgetConnection(connectionId: string): Promise<void>;
}

export function createSiteChanges(
  { sites: store, originPermissions }: Pick<AdministrationContext, 'sites' | 'originPermissions'>,
  sites: Pick<Sites, 'change'>,
): SiteChanges {
  async function add(origin: string): Promise<Result<unknown, SiteFault>> {
    const present = await store.read();
    if (present.some((site) => site.origin === origin)) return succeed(present);
    if (present.length >= maxSites) return fail({ kind: 'too-many' });
    return store.change((all) => [...all, { origin, automatic: false }]);
  }

  function edit(origin: string, change: (site: Site) => Site): Promise<SitesResult> {
    return sites.change(async (restart) => {
      const stored = await store.change((all) =>
        all.map((site) => (site.origin === origin ? change(site) : site)),
      );
      return stored.ok ? succeed(await restart()) : stored;
    });
  }

  return {
    allow: (origin) =>
      sites.change(async (restart) => {
        const stored = await add(origin);
        if (stored.ok) return succeed(await restart());
        // The browser's prompt may have been accepted already.
        await originPermissions.giveUpUnused([origin]);
        return stored;
      }),

    remove: (origin) =>
      sites.change(async (restart) => {
        if ((await store.read()).some((site) => site.origin === origin)) {
          const stored = await store.change((all) => all.filter((site) => site.origin !== origin));
          if (!stored.ok) return stored;
        }
        // This comes before giving up the origin, while messages still reach its pages.
        const list = await restart();
        await originPermissions.giveUpUnused([origin]);
        return succeed(list);
      }),

    setAutomatic: (origin, automatic) => edit(origin, (site) => ({ ...site, automatic })),

    setExpectedItem: (origin, expectedItem) =>
      edit(origin, (site) => omitUndefined({ ...site, expectedItem })),

    forgetConnection: (connectionId) =>
      sites.change(async (restart) => {
        const isOfIt = ({ expectedItem }: Site): boolean =>
          expectedItem?.connectionId === connectionId;
        if (!(await store.read()).some(isOfIt)) return;
        const stored = await store.change((all) =>
          all.map((site) => (isOfIt(site) ? withoutExpectedItem(site) : site)),
        );
        if (stored.ok) await restart();
      }),
  };
}
