import type { PendingTexts } from '#adapters/storage/pending-text';
import type { ExtensionTabs, Where } from '#adapters/browser/extension-tabs';
import type { PageHandoff } from '#adapters/storage/page-handoff';
import type { SidePanel } from '#adapters/browser/side-panel';

interface Parts {
  readonly panel: SidePanel;
  readonly pendingTexts: PendingTexts;
  readonly pageHandoff: PageHandoff;
  readonly tabs: ExtensionTabs;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** What a gesture of the agent brings about. No text of theirs is ever in an address. */
export interface Gestures {
  /** Shows the check beside the page of a window. To be called in the gesture's own task. */
  showPanel(windowId: number): Promise<void>;
  /** The same, with a text to be checked. */
  check(text: string, windowId: number): Promise<void>;
  /** Opens the verifier on a license. */
  inspect(text: string): Promise<void>;
  /** Shows the panel's page in a tab, with a text to be checked. */
  checkInTab(text: string, where: Where): Promise<void>;
}

export function createGestures({ panel, pendingTexts, pageHandoff, tabs, now }: Parts): Gestures {
  return {
    showPanel: (windowId) => panel.open(windowId, 'direct'),

    async check(text, windowId) {
      const opened = panel.open(windowId, 'direct');
      await pendingTexts.leave({ text, at: now(), place: { windowId } });
      await opened;
    },

    async inspect(text) {
      await pageHandoff.leave('license', text, now());
      await tabs.open('/verifier.html', 'new');
    },

    async checkInTab(text, where) {
      const tabId = await tabs.open('/sidepanel.html', where);
      if (tabId !== undefined) await pendingTexts.leave({ text, at: now(), place: { tabId } });
    },
  };
}
