import { originPattern } from '#core/address/index';
import type { ContentScripts } from '#adapters/browser/content-scripts';
import type { Permissions } from '#adapters/browser/permissions';
import type { WorkerStorage } from '#adapters/storage/worker/index';
import type { Reply, TicketUpdate } from '#messaging/index';
import type { Menus } from '#background/ticket/menus';
import type { RunExclusive } from '#background/serial-queue';
import type { Site } from '#core/preferences/index';

type SiteState = Reply<'sites.list'>[number];

interface SiteDependencies {
  readonly store: WorkerStorage['sites'];
  readonly scripts: ContentScripts;
  readonly permissions: Permissions;
  readonly runExclusive: RunExclusive;
  readonly menus: Pick<Menus, 'offerLinksOn'>;
}

export interface Sites {
  list(): Promise<SiteState[]>;
  /** Returns the site of a document if both the agent and the browser allow it now. */
  find(origin: string): Promise<Site | undefined>;
  /** Returns whether `find` would find a site; undefined if that is not known without waiting. */
  isKnown(origin: string): boolean | undefined;
  /** Registers the script for exactly the permitted sites. Call it at every start. */
  reconcile(): Promise<void>;
  /** Registers the script again, and ends it in pages where it may no longer run. */
  permissionsChanged(): Promise<void>;
  /**
   * Runs a change after those already waiting. Its argument is a function that ends every script and starts those that
   * are then allowed.
   */
  change<T>(task: (restart: () => Promise<SiteState[]>) => Promise<T>): Promise<T>;
}

const patternOf = ({ origin }: Pick<Site, 'origin'>): string => originPattern(origin);

/**
 * Manages the sites on whose pages verdicts are shown. Both the agent and the browser must allow a site, in either
 * order, because the prompt may close the popup that asked. Match patterns have no port, so each document's origin is
 * checked again.
 */
export function createSites(dependencies: SiteDependencies): Sites {
  const { store, scripts, permissions, menus } = dependencies;
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

  async function register(): Promise<SiteState[]> {
    const list = await states();
    const permitted = list.filter((site) => site.permitted);
    const patterns = [...new Set(permitted.map(patternOf))];
    await scripts.runOn(patterns);
    await menus.offerLinksOn(patterns);
    return list;
  }

  async function restart(): Promise<SiteState[]> {
    const list = await register();
    await scripts.send({ ticket: 'ended' } satisfies TicketUpdate);
    const permitted = list.filter((site) => site.permitted);
    for (const pattern of new Set(permitted.map(patternOf))) await scripts.startIn(pattern);
    return list;
  }

  return {
    list: states,

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

    change: (task) => runExclusive(() => task(restart)),
  };
}
