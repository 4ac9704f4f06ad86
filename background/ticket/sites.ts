import { originPattern } from '#core/connections/origin';
import { type Site, siteBounds } from '#core/ticket/site';
import type { ContentScripts } from '#adapters/browser/content-scripts';
import type { Permissions } from '#adapters/browser/permissions';
import type { SiteStore } from '#adapters/storage/site-store';
import type { SiteState } from '#messaging/ticket/protocol';
import type { TicketUpdate } from '#messaging/ticket/protocol';
import type { OriginPermissions } from '#background/connections/origin-permissions';
import type { RunExclusive } from '#background/serial-queue';

interface SiteDependencies {
  readonly store: SiteStore;
  readonly scripts: ContentScripts;
  readonly permissions: Permissions;
  readonly originPermissions: OriginPermissions;
  readonly runExclusive: RunExclusive;
}

export interface Sites {
  list(): Promise<SiteState[]>;
  allow(origin: string): Promise<SiteState[]>;
  remove(origin: string): Promise<SiteState[]>;
  setAutomatic(origin: string, on: boolean): Promise<SiteState[]>;
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
export function createSites(outside: SiteDependencies): Sites {
  const { store, scripts, permissions, originPermissions } = outside;
  const runExclusive = <T>(task: () => Promise<T>): Promise<T> =>
    outside.runExclusive('sites', task);
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

  async function register(): Promise<SiteState[]> {
    const list = await states();
    const permitted = list.filter((site) => site.permitted);
    await scripts.runOn([...new Set(permitted.map(patternOf))]);
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

  return {
    list: states,

    allow: (origin) =>
      runExclusive(async () => {
        await store.change((sites) =>
          sites.some((site) => site.origin === origin) || sites.length >= siteBounds.sites
            ? sites
            : [...sites, { origin, automatic: false }],
        );
        return restart();
      }),

    remove: (origin) =>
      runExclusive(async () => {
        await store.change((sites) => sites.filter((site) => site.origin !== origin));
        // Before the origin is given back, while messages still reach its pages.
        const list = await restart();
        await originPermissions.giveUpUnused([origin]);
        return list;
      }),

    setAutomatic: (origin, automatic) =>
      runExclusive(async () => {
        await store.change((sites) =>
          sites.map((site) => (site.origin === origin ? { ...site, automatic } : site)),
        );
        return restart();
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
