import type { BrowserMessages } from '#adapters/browser/browser-messages';
import { createSerialQueue } from '#background/serial-queue';
import type { Gestures } from '#background/ticket/gestures';

interface MenuItem {
  id: string;
  title: string;
  contexts: ['selection', ...(readonly 'link'[])] | ['link'];
  documentUrlPatterns?: string[];
  targetUrlPatterns?: string[];
}

interface ClickInfo {
  menuItemId: string | number;
  selectionText?: string | undefined;
  /** The text of a link; only Firefox reports it. */
  linkText?: string | undefined;
  linkUrl?: string | undefined;
  pageUrl?: string | undefined;
  frameUrl?: string | undefined;
  frameId?: number | undefined;
}

/** Its address is known only if the click grants access to it. */
interface ClickedTab {
  id?: number | undefined;
  windowId: number;
  url?: string | undefined;
}

/** The part of the browser's `contextMenus` that is used. */
export interface MenusApi {
  create(item: MenuItem): unknown;
  remove(id: string): Promise<void>;
  removeAll(): Promise<void>;
  readonly onClicked: {
    addListener(listener: (info: ClickInfo, tab?: ClickedTab) => void): void;
  };
}

/** A link chosen in the context menu, as reported by the browser. */
export interface ChosenLink {
  readonly address: string;
  readonly tabId: number;
  readonly pageUrl?: string | undefined;
  /** The frame with the link, and its address; absent for the page itself. */
  readonly frameId?: number | undefined;
  readonly frameUrl?: string | undefined;
}

/** Manages the items in the browser's context menu. Browsers keep them when the worker stops. */
export interface Menus {
  /** Adds the items; call it when the extension was installed or updated. */
  fill(): Promise<void>;
  /**
   * Offers to inspect links only on and to pages of these match patterns. Patterns have no port, so the click handler
   * checks the origin.
   */
  offerLinksOn(patterns: readonly string[]): Promise<void>;
}

const linkItem = 'inspect-link';

/** Creates the items for a selection, and for a link if the browser reports the link's text or its site is allowed. */
export function createMenus(
  menus: MenusApi,
  browserMessages: BrowserMessages,
  { reportsLinkText }: { readonly reportsLinkText: boolean },
): Menus {
  const runExclusive = createSerialQueue();
  let linkPatterns: readonly string[] = [];

  function addLinkItem(): void {
    if (linkPatterns.length === 0) return;
    menus.create({
      id: linkItem,
      title: browserMessages('menuInspectLink'),
      contexts: ['link'],
      documentUrlPatterns: [...linkPatterns],
      targetUrlPatterns: [...linkPatterns],
    });
  }

  return {
    fill: () =>
      runExclusive('menus', async () => {
        await menus.removeAll();
        // The browser replaces %s by the selection, shortened.
        menus.create({
          id: 'check',
          title: browserMessages('menuCheck', '%s'),
          contexts: ['selection'],
        });
        menus.create({
          id: 'inspect',
          title: browserMessages('menuInspect'),
          contexts: reportsLinkText ? ['selection', 'link'] : ['selection'],
        });
        addLinkItem();
      }),

    offerLinksOn: (patterns) =>
      runExclusive('menus', async () => {
        linkPatterns = patterns;
        // This rejects if the item does not exist.
        await menus.remove(linkItem).catch(() => undefined);
        addLinkItem();
      }),
  };
}

/** Binds clicks in the context menu. The listener is added synchronously, so that a click can start the worker. */
export function bindMenuClicks(
  menus: MenusApi,
  gestures: Pick<Gestures, 'check' | 'inspect'> & {
    readonly inspectLink: (link: ChosenLink) => Promise<void>;
  },
  report: (task: Promise<void>) => void,
): void {
  menus.onClicked.addListener((info, tab) => {
    const { menuItemId, selectionText = '', linkText = '', linkUrl } = info;
    if (menuItemId === 'check' && tab !== undefined)
      report(gestures.check(selectionText, tab.windowId, tab.url));
    if (menuItemId === 'inspect') report(gestures.inspect(selectionText || linkText));
    if (menuItemId === linkItem && linkUrl !== undefined && tab?.id !== undefined) {
      const { pageUrl, frameId, frameUrl } = info;
      report(gestures.inspectLink({ address: linkUrl, tabId: tab.id, pageUrl, frameId, frameUrl }));
    }
  });
}
