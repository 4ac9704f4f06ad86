import { browser } from 'wxt/browser';

import { insertIntoReply } from '#adapters/browser/insert-into-reply';
import { type DocumentText, readDocument } from '#adapters/browser/read-document';
import type { TabPagePort } from '#core/ticket/page-text';
import { omitUndefined } from '#core/result';
import { delay } from '#core/time/delay';

/** What was read in one frame. */
interface ReadFrame {
  readonly result?: DocumentText | undefined;
}

/** One more than the field of a check accepts, so that text over the limit is recognised. */
const maxTextLength = 1024 * 1024 + 1;
/** Milliseconds for which all frames may load, as one may never do so; then what is there is read. */
const maxLoadMs = 500;
/** A longer address of a ticket is left out. */
const maxAddressLength = 2048;

export function createTabPage({
  scripting,
  tabs,
  windows,
  permissions,
}: Pick<typeof browser, 'scripting' | 'tabs' | 'windows' | 'permissions'> = browser): TabPagePort {
  const activeTab = async (): Promise<{ id?: number | undefined; url?: string | undefined }> =>
    (await tabs.query({ active: true, currentWindow: true }))[0] ?? {};
  const originOf = (url: string | undefined): string | undefined =>
    url !== undefined && URL.canParse(url) ? new URL(url).origin : undefined;

  return {
    async read(leavesTyped = false) {
      const { id: tabId, url } = await activeTab();
      if (tabId === undefined) return undefined;
      const inFrames = (injectImmediately: boolean): Promise<readonly ReadFrame[] | undefined> =>
        scripting
          .executeScript({
            target: { tabId, allFrames: true },
            func: readDocument,
            args: [maxTextLength, leavesTyped],
            injectImmediately,
          })
          .catch(() => undefined);
      let isLoaded = false;
      const loaded = inFrames(false).finally(() => (isLoaded = true));
      const present = delay(maxLoadMs).then(() => (isLoaded ? loaded : inFrames(true)));
      const frames = await Promise.race([loaded, present]);
      if (frames === undefined) return undefined;
      const read = frames.flatMap(({ result }) => result ?? []);
      const origin = originOf(url);
      const isWeb = url !== undefined && url.length <= maxAddressLength && /^https?:/u.test(url);
      return omitUndefined({
        origin,
        address: isWeb ? url : undefined,
        selection: read.find(({ selection }) => selection !== '')?.selection ?? '',
        text: read
          .map(({ text }) => text)
          .join('\n\n')
          .slice(0, maxTextLength - 1),
      });
    },

    origin: async () => originOf((await activeTab()).url),

    async insert(text, origin) {
      const { id: tabId, url } = await activeTab();
      if (tabId === undefined || originOf(url) !== origin) return false;
      const [frame] = await scripting
        .executeScript({
          target: { tabId },
          func: insertIntoReply,
          args: [text, origin],
          injectImmediately: true,
        })
        .catch(() => []);
      return frame?.result === true;
    },

    follow(changed, permitted) {
      permissions.onAdded.addListener(permitted);
      const changedIn = async (windowId: number): Promise<void> => {
        if (windowId === (await windows.getCurrent()).id) changed();
      };
      tabs.onActivated.addListener(({ windowId }) => void changedIn(windowId));
      tabs.onUpdated.addListener((_, change, { active, windowId }) => {
        if (active && (change.url !== undefined || change.status === 'complete'))
          void changedIn(windowId);
      });
    },
  };
}
