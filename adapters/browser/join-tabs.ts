type TabListener = (
  tabId: number,
  change: { readonly url?: string | undefined },
  tab: unknown,
) => void;

/** The parts of the browser's `tabs` and `runtime` that are used here. */
interface BrowserApi {
  readonly tabs: {
    create(tab: { url: string }): Promise<{ id?: number | undefined }>;
    readonly onUpdated: {
      addListener(listener: TabListener): void;
      removeListener(listener: TabListener): void;
    };
  };
  readonly runtime: { openOptionsPage(): Promise<void> };
}

/** Opens and watches the tab in which an agent signs in at the team's relay. */
export interface JoinTabs {
  /** Opens an address in a new active tab. */
  open(url: string): Promise<number | undefined>;
  /** Watches the addresses of tabs. The browser then starts the worker for every navigation. */
  watch(): void;
  unwatch(): void;
  showOptions(): Promise<void>;
}

/**
 * Creates the opener and watcher of a sign-in's tab.
 * @param moved called with each address that the browser reports; it reports those of permitted origins
 */
export function createJoinTabs(
  { tabs, runtime }: BrowserApi,
  moved: (tab: { readonly id: number; readonly url: string }) => void,
): JoinTabs {
  const listener: TabListener = (id, { url }) => {
    if (url !== undefined) moved({ id, url });
  };
  return {
    open: async (url) => (await tabs.create({ url })).id,
    watch: () => {
      tabs.onUpdated.addListener(listener);
    },
    unwatch: () => {
      tabs.onUpdated.removeListener(listener);
    },
    showOptions: () => runtime.openOptionsPage(),
  };
}
