import { browser } from 'wxt/browser';

import { type DocumentText, readDocument } from '#adapters/browser/read-document';
import { maxTicketLengths, type TabPagePort, ticketAddressOf } from '#core/ticket/index';
import { omitUndefined } from '#core/result';
import { delay } from '#core/time/index';

interface ReadFrame {
  readonly frameId: number;
  readonly result?: DocumentText | undefined;
}

/** One more than the check's field accepts, so that longer text is recognised. */
const maxTextLength = 1024 * 1024 + 1;
/**
 * How long to wait for all frames to load, in milliseconds, since one may never finish. Then those that are loaded are
 * read.
 */
const maxLoadMs = 500;
export function createTabPage({
  scripting,
  tabs,
  windows,
  permissions,
}: Pick<typeof browser, 'scripting' | 'tabs' | 'windows' | 'permissions'> = browser): TabPagePort {
  const activeTab = async (): Promise<{ id?: number | undefined; url?: string | undefined }> =>
    (await tabs.query({ active: true, currentWindow: true }))[0] ?? {};
  /** Returns undefined for addresses that cannot be a ticket's. */
  const ticketAddress = (url: string | undefined): string | undefined =>
    url !== undefined && url.length <= maxTicketLengths.address && /^https?:/u.test(url)
      ? ticketAddressOf(url)
      : undefined;
  /** The present and previous address of each followed tab. */
  const addresses = new Map<number, { readonly address: string; readonly from?: string }>();
  const note = (tabId: number, address: string | undefined): string | undefined => {
    const known = addresses.get(tabId);
    if (address === undefined || known?.address === address) return known?.from;
    addresses.set(tabId, { address, ...(known && { from: known.address }) });
    return known?.address;
  };
  const hasMoved = ({ loadedAt, address }: DocumentText): boolean =>
    ticketAddressOf(loadedAt) !== ticketAddressOf(address);
  const joined = (texts: readonly string[]): string =>
    texts.join('\n\n').slice(0, maxTextLength - 1);
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
      const top = frames.find(({ frameId }) => frameId === 0)?.result;
      const origin = originOf(url);
      return omitUndefined({
        origin,
        address: ticketAddress(top?.address ?? url),
        subject: top?.subject ?? '',
        document: top?.document,
        moved: top && hasMoved(top),
        attached: top?.attached ?? [],
        selection: read.find(({ selection }) => selection !== '')?.selection ?? '',
        text: joined(read.map(({ text }) => text)),
        // After a document has changed its address, its script fills the fields, so their initial text may include what
        // was typed.
        quoted: joined(read.map((frame) => (hasMoved(frame) ? '' : frame.quoted))),
      });
    },

    async front() {
      const { id: tabId, url } = await activeTab();
      if (tabId === undefined) return undefined;
      const address = ticketAddress(url);
      return omitUndefined({ tabId, address, from: note(tabId, address) });
    },

    follow(changed, permitted) {
      permissions.onAdded.addListener(permitted);
      const changedIn = async (windowId: number): Promise<void> => {
        if (windowId === (await windows.getCurrent()).id) changed();
      };
      tabs.onActivated.addListener(({ windowId }) => void changedIn(windowId));
      tabs.onUpdated.addListener((tabId, change, { active, windowId }) => {
        if (active) note(tabId, ticketAddress(change.url));
        const isNews =
          change.url !== undefined || change.title !== undefined || change.status === 'complete';
        if (active && isNews) void changedIn(windowId);
      });
    },
  };
}
