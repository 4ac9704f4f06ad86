import type { ExpectedItem } from '#core/check/check-report';
import { omitUndefined } from '#core/omit-undefined';
import { type Result, fail, succeed } from '#core/result';
import { originPattern } from '#core/connections/origin';
import { type Site, siteBounds, withoutExpectedItem } from '#core/ticket/site';
import type { ContentScripts } from '#adapters/browser/content-scripts';
import type { Permissions } from '#adapters/browser/permissions';
import type { SiteStore } from '#adapters/storage/site-store';
import type { SiteFault, SiteState, TicketUpdate } from '#messaging/topics/ticket';
import type { Menus } from '#background/ticket/menus';
import type { OriginPermissions } from '#background/connections/origin-permissions';
import type { RunExclusive } from '#background/serial-queue';

interface SiteDependencies {
  readonly store: SiteStore;
  readonly scripts: ContentScripts;
  readonly permissions: Permissions;
  readonly originPermissions: OriginPermissions;
  readonly runExclusive: RunExclusive;
  readonly menus: Pick<Menus, 'offerLinksOn'>;
}

/** All sites as they are after a change, or why it was not stored. */
type SitesResult = Result<SiteState[], SiteFault>;

export interface Sites {
  list(): Promise<SiteState[]>;
  allow(origin: string): Promise<SitesResult>;
  remove(origin: string): Promise<SitesResult>;
  setAutomatic(origin: string, on: boolean): Promise<SitesResult>;
  /** @param item undefined: any item */
  setExpectedItem(origin: string, item: ExpectedItem | undefined): Promise<SitesResult>;
  /** Drops the expected items that are of a connection which is gone for good. */
  forgetConnection(connectionId: string): Promise<void>;
  /** Returns the site of a document, if both the agent and the browser allow it now. */
  find(origin: string): Promise<Site | undefined>;
  /** Returns whether `find` would find a site, as far as that is known without waiting. */
  isKnown(origin: string): boolean | undefined;
  /** Registers the script for sites that are permitted, and for no other. Call it at every start. */
  reconcile(): Promise<void>;
  /** Registers anew, and ends scripts in pages where they may no longer run. */
  permissionsChanged(): Promise<void>;
}

const patternOf = ({ origin }: Pick<Site, 'origin'>): string => originPattern(origin);

/**
 * Manages the sites in whose pages verdicts are shown. Both the agent and the browser must allow a site, in either
 * order: the prompt may close the popup that asked. Match patterns carry no port, so each document's origin is checked again.
 */
export function createSites(dependencies: SiteDependencies): Sites {
  const { store, scripts, permissions, originPermissions, menus } = dependencies;
  const runExclusive = <T>(task: () => Promise<T>): Promise<T> =>
    dependencies.runExclusive('sites', task);
  let known: ReadonlySet<string> | undefined;

  async function states(): Promise<SiteState[]> {
    const list = await Promise.all(
      (await store.read()).map(async (site) => ({
        ...site,
        permitted: await permissions.has(patternOf(site)),
      })),
    );
    known = new Set(list.filter(({ permitted }) => permitted).map(({ origin }) => origin));
    return list;
  }

  async function isListed(origin: string): Promise<boolean> {
    return (await store.read()).some((site) => site.origin === origin);
  }

  async function add(origin: string): Promise<Result<unknown, SiteFault>> {
    const sites = await store.read();
    if (sites.some((site) => site.origin === origin)) return succeed(sites);
    if (sites.length >= siteBounds.sites) return fail({ kind: 'storage-full' });
    return store.change((present) => [...present, { origin, automatic: false }]);
  }

  async function register(): Promise<SiteState[]> {
    const list = await states();
    const permitted = list.filter((site) => site.permitted);
    const patterns = [...new Set(permitted.map(patternOf))];
    await scripts.runOn(patterns);
    await menus.offerLinksOn(patterns);
    return list;
  }

  /** Ends every script, and starts those that are allowed under the present settings. */
  async function restart(): Promise<SiteState[]> {
    const list = await register();
    await scripts.send({ ticket: 'ended' } satisfies TicketUpdate);
    const permitted = list.filter((site) => site.permitted);
    for (const pattern of new Set(permitted.map(patternOf))) await scripts.startIn(pattern);
    return list;
  }

  function edit(origin: string, change: (site: Site) => Site): Promise<SitesResult> {
    return runExclusive(async () => {
      const stored = await store.change((sites) =>
        sites.map((site) => (site.origin === origin ? change(site) : site)),
      );
      return stored.ok ? succeed(await restart()) : stored;
    });
  }

  return {
    list: states,

    allow: (origin) =>
      runExclusive(async () => {
        const stored = await add(origin);
        if (stored.ok) return succeed(await restart());
        // The browser's prompt may have been accepted already.
        await originPermissions.giveUpUnused([origin]);
        return stored;
      }),

    remove: (origin) =>
      runExclusive(async () => {
        if (await isListed(origin)) {
          const stored = await store.change((sites) =>
            sites.filter((site) => site.origin !== origin),
          );
          if (!stored.ok) return stored;
        }
        // Before the origin is given back, while messages still reach its pages.
        const list = await restart();
        await originPermissions.giveUpUnused([origin]);
        return succeed(list);
      }),

    setAutomatic: (origin, automatic) => edit(origin, (site) => ({ ...site, automatic })),

    setExpectedItem: (origin, expectedItem) =>
      edit(origin, (site) => omitUndefined({ ...site, expectedItem })),

    forgetConnection: (connectionId) =>
      runExclusive(async () => {
        const isOfIt = ({ expectedItem }: Site): boolean =>
          expectedItem?.connectionId === connectionId;
        if (!(await store.read()).some(isOfIt)) return;
        const stored = await store.change((sites) =>
          sites.map((site) => (isOfIt(site) ? withoutExpectedItem(site) : site)),
        );
        if (stored.ok) await restart();
      }),

    async find(origin) {
      return (await states()).find((site) => site.origin === origin && site.permitted);
    },

    isKnown: (origin) => known?.has(origin),

    reconcile: () =>
      runExclusive(async () => {
        await register();
      }),

    permissionsChanged: () =>
      runExclusive(async () => {
        await restart();
      }),
  };
}
