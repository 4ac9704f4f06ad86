import { browser } from 'wxt/browser';

import type { PageText } from '#core/ticket/page-text';

/** The page in the tab that the agent is looking at. */
export interface TabPage {
  /**
   * What is selected there, else its text. `undefined` where the browser does not let us look: on its own pages, and
   * everywhere without a gesture or a permission.
   */
  read(): Promise<PageText | undefined>;
  /** Its origin, where the browser tells it. */
  origin(): Promise<string | undefined>;
  /** Calls back when another tab or another address is in front in this window. */
  follow(changed: () => void): void;
}

/** As much as the field of the check reads, and one more, so that longer text is told from text of that length. */
const longest = 1024 * 1024 + 1;
/** Of a ticket's address; a longer one is not passed on. */
const longestAddress = 2048;

export function createTabPage(): TabPage {
  const activeTab = async (): Promise<{ id?: number | undefined; url?: string | undefined }> =>
    (await browser.tabs.query({ active: true, currentWindow: true }))[0] ?? {};
  const originOf = (url: string | undefined): string | undefined =>
    url !== undefined && URL.canParse(url) ? new URL(url).origin : undefined;

  return {
    async read() {
      const { id: tabId, url } = await activeTab();
      if (tabId === undefined) return undefined;
      const frames = await browser.scripting
        .executeScript({ target: { tabId, allFrames: true }, func: readDocument, args: [longest] })
        .catch(() => undefined);
      if (frames === undefined) return undefined;
      const read = frames.flatMap(({ result }) => result ?? []);
      const origin = originOf(url);
      return {
        ...(origin === undefined ? {} : { origin }),
        ...(url !== undefined && url.length <= longestAddress && /^https?:/u.test(url)
          ? { address: url }
          : {}),
        selection: read.find(({ selection }) => selection !== '')?.selection ?? '',
        text: read
          .map(({ text }) => text)
          .join('\n\n')
          .slice(0, longest - 1),
      };
    },

    origin: async () => originOf((await activeTab()).url),

    follow(changed) {
      browser.tabs.onActivated.addListener(changed);
      browser.tabs.onUpdated.addListener((_, change, tab) => {
        if (tab.active && (change.url !== undefined || change.status === 'complete')) changed();
      });
    },
  };
}

/** Runs in the page, from its source alone: it may use nothing that stands outside of it. */
function readDocument(longestText: number): { selection: string; text: string } {
  const mostElements = 50_000;
  const patienceMs = 40;

  let focused = document.activeElement;
  while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
  let selection = '';
  const isField =
    focused instanceof HTMLTextAreaElement ||
    (focused instanceof HTMLInputElement && /^(?:text|search|url|tel)$/.test(focused.type));
  if (isField) {
    const { value, selectionStart, selectionEnd } = focused as HTMLTextAreaElement;
    selection = value.slice(selectionStart, selectionEnd);
  }
  if (selection === '') {
    const root = focused?.getRootNode() as
      (Node & Partial<Pick<Document, 'getSelection'>>) | undefined;
    selection = (root?.getSelection?.() ?? getSelection())?.toString() ?? '';
    if (selection === '') selection = getSelection()?.toString() ?? '';
  }
  if (selection.trim() !== '') return { selection: selection.slice(0, longestText), text: '' };

  if (document.getElementsByTagName('*').length <= mostElements)
    return { selection: '', text: document.body.innerText.slice(0, longestText) };
  // So large a page is not laid out anew for us.
  const end = performance.now() + patienceMs;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const parts: string[] = [];
  let length = 0;
  for (let count = 0; length < longestText; count += 1) {
    const node = walker.nextNode() as Text | null;
    if (node === null || (count % 500 === 0 && performance.now() > end)) break;
    if (/^(?:SCRIPT|STYLE|NOSCRIPT|TEXTAREA)$/.test(node.parentElement?.tagName ?? '')) continue;
    parts.push(node.data);
    length += node.data.length + 1;
  }
  return { selection: '', text: parts.join('\n').slice(0, longestText) };
}
