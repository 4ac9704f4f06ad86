import type { BrowserMessages } from '#adapters/browser/browser-messages';
import type { Gestures } from '#background/ticket/gestures';

/** The browser's `contextMenus`, as far as it is used. */
export interface MenusApi {
  create(item: {
    id: string;
    title: string;
    contexts: ['selection', ...(readonly 'link'[])];
  }): unknown;
  removeAll(): Promise<void>;
  readonly onClicked: {
    addListener(
      listener: (
        info: {
          menuItemId: string | number;
          selectionText?: string | undefined;
          /** The text of a link; Firefox alone reports it. */
          linkText?: string | undefined;
        },
        tab?: { windowId: number },
      ) => void,
    ): void;
  };
}

/**
 * Binds the context menu of a selection, and of a link where the browser reports a link's text. Listens at once, so that
 * a click may start the worker.
 * @returns adds the menu items; call it when the extension was installed or updated, because browsers keep them
 */
export function bindMenus(
  menus: MenusApi,
  browserMessages: BrowserMessages,
  gestures: Gestures,
  report: (task: Promise<void>) => void,
  { reportsLinkText }: { readonly reportsLinkText: boolean },
): () => Promise<void> {
  menus.onClicked.addListener(({ menuItemId, selectionText = '', linkText = '' }, tab) => {
    if (menuItemId === 'check' && tab !== undefined)
      report(gestures.check(selectionText, tab.windowId));
    if (menuItemId === 'inspect') report(gestures.inspect(selectionText || linkText));
  });
  return async () => {
    await menus.removeAll();
    // The browser puts the selection, shortened, in place of %s.
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
  };
}
