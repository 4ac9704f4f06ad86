import type { ContentScripts } from '#adapters/browser/content-scripts';
import type { ExtensionTabs, Where } from '#adapters/browser/extension-tabs';
import type { SidePanel } from '#adapters/browser/side-panel';
import type { WorkerStorage } from '#adapters/storage/worker/index';
import { nextCode } from '#core/chips/index';

interface GestureDependencies extends Pick<WorkerStorage, 'licenseHandoff' | 'pendingTexts'> {
  readonly panel: SidePanel;
  readonly tabs: ExtensionTabs;
  readonly scripts: Pick<ContentScripts, 'lookForCodes' | 'goToCode'>;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** Handles the agent's gestures in the browser's own UI. Their text never becomes part of an address. */
export interface Gestures {
  /** Opens the check beside the page of a window. Call it synchronously in the gesture's event. */
  showPanel(windowId: number): Promise<void>;
  /**
   * Opens the check with a text.
   * @param ticket address of the page that the text is from
   */
  check(text: string, windowId: number, ticket?: string): Promise<void>;
  /** Opens the verifier on a license. */
  inspect(text: string): Promise<void>;
  /** Moves the keyboard's focus to the chip of the next code in a tab. */
  goToNextCode(tabId: number): Promise<void>;
  /** Opens the panel's page in a tab, with a text to check. */
  checkInTab(text: string, where: Where): Promise<void>;
}

export function createGestures({
  panel,
  pendingTexts,
  licenseHandoff,
  tabs,
  scripts,
  now,
}: GestureDependencies): Gestures {
  return {
    showPanel: (windowId) => panel.open(windowId, 'direct'),

    async check(text, windowId, ticket) {
      const opened = panel.open(windowId, 'direct');
      await pendingTexts.put({ text, ticket, at: now(), target: { windowId } });
      await opened;
    },

    async inspect(text) {
      await licenseHandoff.put(text, now());
      await tabs.open('/verifier.html', 'new');
    },

    async goToNextCode(tabId) {
      const next = nextCode(await scripts.lookForCodes(tabId));
      if (next !== undefined) await scripts.goToCode(tabId, next.frameId, next.index);
    },

    async checkInTab(text, where) {
      const tabId = await tabs.open('/sidepanel.html', where);
      if (tabId !== undefined) await pendingTexts.put({ text, at: now(), target: { tabId } });
    },
  };
}

/** The part of the browser's `omnibox` that is used. */
interface OmniboxApi {
  readonly onInputEntered: {
    addListener(listener: (text: string, disposition: string) => void): void;
  };
}

const dispositions: Readonly<Record<string, Where>> = {
  newForegroundTab: 'new',
  newBackgroundTab: 'behind',
};

/**
 * Binds `cf CODE` in the address bar. The code is not passed to the page in its address, because addresses are stored
 * and synced.
 */
export function bindOmnibox(
  omnibox: OmniboxApi,
  gestures: Gestures,
  report: (task: Promise<void>) => void,
): void {
  omnibox.onInputEntered.addListener((text, disposition) => {
    report(gestures.checkInTab(text, dispositions[disposition] ?? 'here'));
  });
}
