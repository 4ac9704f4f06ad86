import type { Page } from '@playwright/test';

import type { RunningExtension } from '#tests/support/extension';

/** Chooses the entry for a link of the page in front. No menu can be opened headless. */
export async function inspectLink(
  extension: RunningExtension,
  page: Page,
  address: string,
): Promise<Page> {
  const opening = extension.now.context.waitForEvent('page');
  await extension.now.worker.evaluate(
    async ([pageUrl, linkUrl]) => {
      const [tab] = await chrome.tabs.query({ url: `${new URL(pageUrl).protocol}//localhost/*` });
      const clicked = chrome.contextMenus.onClicked as unknown as {
        dispatch: (info: object, tab: object | undefined) => void;
      };
      clicked.dispatch({ menuItemId: 'inspect-link', linkUrl, pageUrl, frameId: 0 }, tab);
    },
    [page.url(), address] as const,
  );
  return opening;
}
