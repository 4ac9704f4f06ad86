import type { Mark } from '#entrypoints/ticket-view/code-marks';
import { type TextPosition, positionBeside } from '#entrypoints/ticket-view/overlay';
import type { TicketScriptSettings } from '#messaging/ticket/protocol';

/** One range for all measuring: ranges that stay make every change of the page dearer. */
const range = document.createRange();

/** Where the chip of a mark goes now; `undefined` when its code is scrolled away, clipped or covered. */
export function chipPositionOf(
  { from, fromOffset, to, toOffset }: Mark,
  host: Element,
  size: TicketScriptSettings['size'],
): TextPosition | undefined {
  range.setStart(from, fromOffset);
  range.setEnd(to, toOffset);
  const rect = [...range.getClientRects()].findLast(({ width }) => width > 0);
  const position =
    rect !== undefined && isSeen(rect, to, host)
      ? positionBeside(rect, followingWidth(to, toOffset, rect), size)
      : undefined;
  range.setStart(document, 0);
  range.collapse(true);
  return position;
}

/** The page's own text that goes on in the code's line, as far as it stands in the same node. */
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
  let furthest = right;
  for (const rect of range.getClientRects())
    if (rect.top < bottom && rect.bottom > top) furthest = Math.max(furthest, rect.right);
  return furthest - right;
}

function isSeen({ right, top, height, left }: DOMRect, to: Text, host: Element): boolean {
  const root = to.getRootNode() as Document | ShadowRoot;
  const parent = to.parentElement;
  const x = Math.max(left, right - 2);
  const hit = root.elementsFromPoint(x, top + height / 2).find((element) => element !== host);
  return hit !== undefined && (parent === null || hit.contains(parent) || parent.contains(hit));
}
