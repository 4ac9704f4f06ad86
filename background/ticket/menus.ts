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
          /** What a link is written as; Firefox alone tells it. */
          linkText?: string | undefined;
        },
        tab?: { windowId: number },
      ) => void,
    ): void;
  };
}

/**
 * The menu on a selection; for licenses also on a link that is written as one, where the browser tells a link's text. Listens at once, so that a click may start the worker.
 * @returns puts the items into the menu: to be called when the extension was installed or updated, for browsers keep them
 */
export function bindMenus(
  menus: MenusApi,
  words: BrowserMessages,
  gestures: Gestures,
  report: (task: Promise<void>) => void,
  { tellsLinkText }: { readonly tellsLinkText: boolean },
): () => Promise<void> {
  menus.onClicked.addListener(({ menuItemId, selectionText = '', linkText = '' }, tab) => {
    if (menuItemId === 'check' && tab !== undefined)
      report(gestures.check(selectionText, tab.windowId));
    if (menuItemId === 'inspect') report(gestures.inspect(selectionText || linkText));
  });
  return async () => {
    await menus.removeAll();
    // The browser puts the selection, shortened, in place of %s.
    menus.create({ id: 'check', title: words('menuCheck', '%s'), contexts: ['selection'] });
    menus.create({
      id: 'inspect',
      title: words('menuInspect'),
      contexts: tellsLinkText ? ['selection', 'link'] : ['selection'],
    });
  };
}
