/** The parts of the browser's API that show an extension page beside a web page. */
interface PanelApis {
  /** Chromium. */
  readonly sidePanel?: { open(options: { windowId: number }): Promise<void> } | undefined;
  /** Firefox. */
  readonly sidebarAction?:
    | { open(): Promise<void>; isOpen(options: { windowId: number }): Promise<boolean> }
    | undefined;
  readonly action: { openPopup(options: { windowId: number }): Promise<void> };
  readonly tabs: { create(tab: { url: string; windowId: number }): Promise<unknown> };
}

export interface SidePanel {
  /**
   * Shows the check beside the page of a window: in the panel, else the popup, else a tab.
   *
   * Call it synchronously in the handler of a gesture (a menu, a shortcut, or a message from a click), because browsers
   * open nothing after an `await`. Settles when something is open.
   * @param gesture with `message` Firefox cannot open its sidebar, so it is used only if it is already open
   */
  open(windowId: number, gesture: 'direct' | 'message'): Promise<void>;
}

export function createSidePanel(apis: PanelApis, page: string): SidePanel {
  function openPanel(windowId: number, gesture: 'direct' | 'message'): Promise<void> {
    const { sidePanel, sidebarAction } = apis;
    if (sidePanel !== undefined) return sidePanel.open({ windowId });
    if (sidebarAction === undefined) return Promise.reject(new Error('There is no panel here.'));
    if (gesture === 'direct') return sidebarAction.open();
    return sidebarAction.isOpen({ windowId }).then((isOpen) => {
      if (!isOpen) throw new Error('The sidebar is closed.');
    });
  }

  return {
    open: (windowId, gesture) =>
      openPanel(windowId, gesture)
        .catch(() => apis.action.openPopup({ windowId }))
        .catch(async () => {
          await apis.tabs.create({ url: page, windowId });
        }),
  };
}
