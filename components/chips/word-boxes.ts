import { memberOf, rectOf } from '#components/chips/flat-tree';

/** A rectangle in CSS pixels of the viewport. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Elements that show words or pictures without a text node, or that can be clicked. */
const opaque =
  'img, svg, canvas, video, audio, iframe, embed, object, input, textarea, select, button, meter, progress';
/** The most elements that one reading visits. */
const maxVisited = 3000;
/** The distance in CSS pixels beyond which words are not expected to overflow into an area. */
const farAway = 1000;

const range = document.createRange();

/** Copies a browser's rectangle, whose fields a spread would miss. */
export function boxOf({ left, top, right, bottom }: DOMRect): Box {
  return { left, top, right, bottom };
}

export function overlaps(one: Box, other: Box): boolean {
  return (
    one.left < other.right &&
    other.left < one.right &&
    one.top < other.bottom &&
    other.top < one.bottom
  );
}

/**
 * Returns the rectangles of the page's words that overlap an area. It measures the text, because hit tests miss text
 * without pointer events, and skips subtrees whose boxes are elsewhere and have no overflow.
 * @param root the element whose words are measured, including open shadow trees
 * @param host the overlay, which does not count
 * @returns undefined if the page is too large
 */
export function wordBoxesIn(root: Element, area: Box, host: Element): Box[] | undefined {
  const boxes: Box[] = [];
  let visited = 0;

  function addAll(rects: Iterable<Box>, within: Box): void {
    for (const rect of rects) if (overlaps(rect, within)) boxes.push(rect);
  }

  function readChildren(parent: Element | ShadowRoot, within: Box, isVisible: boolean): void {
    for (const child of childrenOf(parent)) {
      if (visited > maxVisited) return;
      if (child instanceof Element) readElement(child, within);
      else if (isVisible && child instanceof Text && /\S/.test(child.data)) {
        range.selectNodeContents(child);
        addAll(range.getClientRects(), within);
      }
    }
  }

  function readElement(element: Element, within: Box): void {
    visited += 1;
    if (element === host) return;
    const box = rectOf(element);
    if (!overlaps(box, within) && (isFar(box, within) || isFilledBy(element))) return;
    const { display, visibility, overflowX, overflowY } = getComputedStyle(element);
    if (display === 'none') return;
    if (Element.prototype.matches.call(element, opaque)) {
      addAll([box], within);
      return;
    }
    const clips =
      memberOf(element, 'clientWidth') > 0 && (overflowX !== 'visible' || overflowY !== 'visible');
    const inner = clips ? intersectionOf(box, within) : within;
    if (inner.left >= inner.right || inner.top >= inner.bottom) return;
    readChildren(element, inner, visibility === 'visible');
    const shadowRoot = memberOf(element, 'shadowRoot');
    if (shadowRoot !== null) readChildren(shadowRoot, inner, true);
  }

  readElement(root, area);
  range.setStart(document, 0);
  range.collapse(true);
  return visited > maxVisited ? undefined : boxes;
}

export function intersectionOf(one: Box, other: Box): Box {
  return {
    left: Math.max(one.left, other.left),
    top: Math.max(one.top, other.top),
    right: Math.min(one.right, other.right),
    bottom: Math.min(one.bottom, other.bottom),
  };
}

function isFar(box: Box, { top, bottom }: Box): boolean {
  return box.top > bottom + farAway || (box.bottom < top - farAway && box.bottom > box.top);
}

/** Tells whether all content of an element is within its box; false for inline and empty boxes. */
function isFilledBy(element: Element): boolean {
  const [width, height] = [memberOf(element, 'clientWidth'), memberOf(element, 'clientHeight')];
  return (
    width > 0 &&
    height > 0 &&
    memberOf(element, 'scrollWidth') <= width &&
    memberOf(element, 'scrollHeight') <= height
  );
}

function childrenOf(parent: Element | ShadowRoot): NodeListOf<ChildNode> {
  return parent instanceof Element ? memberOf(parent, 'childNodes') : parent.childNodes;
}
