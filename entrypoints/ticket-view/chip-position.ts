import type { Mark } from '#entrypoints/ticket-view/code-marks';
import { type ChipPosition, positionBeside } from '#entrypoints/ticket-view/overlay';
import type { TicketScriptSettings } from '#messaging/ticket/protocol';

/** Measures every code: each live range makes changes of the page slower, so there is one. */
const range = document.createRange();

/** Returns where the chip of a mark goes now; `undefined` when its code is scrolled away, clipped or covered. */
export function chipPositionOf(
  { from, fromOffset, to, toOffset }: Mark,
  host: Element,
  size: TicketScriptSettings['size'],
): ChipPosition | undefined {
  range.setStart(from, fromOffset);
  range.setEnd(to, toOffset);
  const rect = [...range.getClientRects()].findLast(({ width }) => width > 0);
  const position =
    rect !== undefined && isVisible(rect, to, host)
      ? positionBeside(rect, followingWidth(to, toOffset, rect), size)
      : undefined;
  range.setStart(document, 0);
  range.collapse(true);
  return position;
}

/** Returns how far the page's own text goes on after the code in its line, in CSS pixels; reads the next node at most. */
function followingWidth(to: Text, toOffset: number, { top, bottom, right }: DOMRect): number {
  const rest = to.data.length - toOffset;
  if (rest > 0) {
    range.setStart(to, toOffset);
    range.setEnd(to, toOffset + Math.min(rest, 24));
  } else {
    const next = to.nextSibling;
    if (next === null || next.nodeName === 'BR') return 0;
    range.selectNode(next);
  }
  let maxRight = right;
  for (const rect of range.getClientRects())
    if (rect.top < bottom && rect.bottom > top) maxRight = Math.max(maxRight, rect.right);
  return maxRight - right;
}

/** Tells whether the end of a code is on top at its own place; the overlay itself counts as transparent. */
function isVisible({ right, top, height, left }: DOMRect, to: Text, host: Element): boolean {
  const root = to.getRootNode() as Document | ShadowRoot;
  const parent = to.parentElement;
  const x = Math.max(left, right - 2);
  const hit = root.elementsFromPoint(x, top + height / 2).find((element) => element !== host);
  return hit !== undefined && (parent === null || hit.contains(parent) || parent.contains(hit));
}
