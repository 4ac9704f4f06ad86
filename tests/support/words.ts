import type { Page } from '@playwright/test';

/** Measures a rectangle in CSS pixels of the page's viewport. */
export interface Rect {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export interface Word extends Rect {
  readonly text: string;
}

/** Measures each word that a page shows, in its open shadow trees and frames of its origin as well. */
export function wordsOf(page: Page): Promise<Word[]> {
  return page.evaluate(() => {
    const words: Word[] = [];
    const read = (root: Node, offset: { left: number; top: number }): void => {
      const document = root.ownerDocument ?? (root as Document);
      const range = document.createRange();
      const walker = document.createTreeWalker(
        root,
        NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT,
      );
      while (walker.nextNode()) {
        const node = walker.currentNode as Text | HTMLIFrameElement;
        if ('contentDocument' in node && node.contentDocument !== null) {
          const { left, top } = node.getBoundingClientRect();
          read(node.contentDocument, { left: left + node.clientLeft, top: top + node.clientTop });
        } else if ('shadowRoot' in node && node.shadowRoot !== null) {
          read(node.shadowRoot, offset);
        } else if ('data' in node && node.parentElement?.tagName !== 'STYLE') {
          for (const { 0: text, index } of node.data.matchAll(/\S+/g)) {
            range.setStart(node, index);
            range.setEnd(node, index + text.length);
            for (const { left, top, width, height } of range.getClientRects())
              words.push({ text, left: left + offset.left, top: top + offset.top, width, height });
          }
        }
      }
    };
    read(document, { left: 0, top: 0 });
    return words;
  });
}
