type TabListener = (
  tabId: number,
  change: { readonly url?: string | undefined },
  tab: unknown,
) => void;

/** The browser's `tabs` and `runtime`, as far as they are used here. */
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
  /** Opens an address in a tab in front. */
  open(url: string): Promise<number | undefined>;
  /** Watches where tabs go. The browser then starts the worker for every tab that moves. */
  watch(): void;
  unwatch(): void;
  showOptions(): Promise<void>;
}

/**
 * Creates what opens and watches the tab of a sign-in.
 * @param moved called with each address that the browser shows, which are those of permitted origins
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
