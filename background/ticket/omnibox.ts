import type { Where } from '#adapters/browser/extension-tabs';
import type { BrowserMessages } from '#adapters/browser/browser-messages';
import type { Gestures } from '#background/ticket/gestures';

/** Describes the browser's `omnibox`, as far as it is used. */
export interface OmniboxApi {
  setDefaultSuggestion(suggestion: { description: string }): unknown;
  readonly onInputEntered: {
    addListener(listener: (text: string, disposition: string) => void): void;
  };
}

const places: Readonly<Record<string, Where>> = {
  newForegroundTab: 'new',
  newBackgroundTab: 'behind',
};

/** Binds `cf CODE` in the address bar. The code reaches the page outside its address, as addresses are stored and synced. */
export function bindOmnibox(
  omnibox: OmniboxApi,
  browserMessages: BrowserMessages,
  gestures: Gestures,
  report: (task: Promise<void>) => void,
): void {
  omnibox.setDefaultSuggestion({ description: browserMessages('omniboxSuggestion') });
  omnibox.onInputEntered.addListener((text, disposition) => {
    report(gestures.checkInTab(text, places[disposition] ?? 'here'));
  });
}
