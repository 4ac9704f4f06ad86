import { originPattern } from '#core/connections/origin';
import { type Site, siteBounds } from '#core/ticket/site';
import type { ContentScripts } from '#adapters/browser/content-scripts';
import type { Permissions } from '#adapters/browser/permissions';
import type { SiteStore } from '#adapters/storage/site-store';
import type { SiteState } from '#messaging/protocol';
import type { TicketUpdate } from '#messaging/ticket-script';
import type { RunExclusive } from '#background/serial-queue';

interface Parts {
  readonly store: SiteStore;
  readonly scripts: ContentScripts;
  readonly permissions: Permissions;
  /** Match patterns that something else needs: they are not given back to the browser with a site. */
  readonly alsoUsed: () => Promise<readonly string[]>;
  readonly runExclusive: RunExclusive;
}

export interface Sites {
  list(): Promise<SiteState[]>;
  allow(origin: string): Promise<SiteState[]>;
  remove(origin: string): Promise<SiteState[]>;
  setAutomatic(origin: string, on: boolean): Promise<SiteState[]>;
  /** The site of a document, if the agent allows it and the browser does so now. */
  find(origin: string): Promise<Site | undefined>;
  /** What `find` would say, as far as it is known without waiting. */
  remembered(origin: string): boolean | undefined;
  /** Match patterns of all sites. */
  patterns(): Promise<readonly string[]>;
  /** Lets the script start where sites and the browser's permissions say, and nowhere else. To be called at every start. */
  reconcile(): Promise<void>;
  /** The same, and takes the scripts that run out of pages where they may no longer. */
  permissionsChanged(): Promise<void>;
}

const patternOf = ({ origin }: Pick<Site, 'origin'>): string => originPattern(origin);

/**
 * Where verdicts are shown in the page. The agent's word and the browser's permission are both needed, and come in either
 * order: the prompt may close the popup that asked. Match patterns carry no port, so the origin is judged again for each document.
 */
export function createSites(parts: Parts): Sites {
  const { store, scripts, permissions, alsoUsed } = parts;
  const runExclusive = <T>(task: () => Promise<T>): Promise<T> => parts.runExclusive('sites', task);
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

  /** Every script ends, and those that may be there are started again under the present settings. */
  async function restart(): Promise<SiteState[]> {
    const list = await register();
    await scripts.tell({ ticket: 'ended' } satisfies TicketUpdate);
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
        const left = await store.change((sites) => sites.filter((site) => site.origin !== origin));
        const pattern = patternOf({ origin });
        const used = [...left.map(patternOf), ...(await alsoUsed())];
        // Before the origin is given back, while the pages can still be told.
        const list = await restart();
        if (!used.includes(pattern)) await permissions.giveUp(pattern);
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

    remembered: (origin) => known?.has(origin),

    patterns: async () => (await store.read()).map(patternOf),

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
