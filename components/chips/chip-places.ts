import type { ChipSize } from '#components/chips/chip-style';
import { isWithin, parentOf, memberOf, rectOf } from '#components/chips/flat-tree';
import type { Mark } from '#components/chips/code-marks';
import {
  type Box,
  boxOf,
  wordBoxesIn,
  intersectionOf,
  overlaps,
} from '#components/chips/word-boxes';
import { isInline } from '#components/chips/text-lines';

export interface ChipPlaces {
  /**
   * Returns the places of the chips in view, at most {@link maxDrawn}; undefined for a code without a free place beside
   * it.
   */
  find(marks: readonly Mark[]): Map<Mark, ChipPlace | undefined>;
  /** Makes the next call search all places again, since the page may have changed. */
  forget(): void;
}

/** A place that was found, and the code's rectangle at that time. */
interface Plan {
  readonly code: Box;
  readonly spot: FreeSpot | undefined;
}

/** The most chips that are laid out at once, since more would cover each other. */
const maxDrawn = 60;
/** CSS pixels that a chip may reach above or below its code. */
const maxRise = 20;

/** A single range for measuring every code, since each live range slows down changes of the page. */
const range = document.createRange();

/**
 * Finds a place for each chip and keeps it while the page scrolls, until something covers it. It only reads the page,
 * so that one layout serves all chips.
 */
export function createChipPlaces(host: Element, size: ChipSize): ChipPlaces {
  let plans = new Map<Mark, Plan>();

  return {
    forget() {
      plans = new Map();
    },

    find(marks) {
      const lines = new Map(marks.map((mark) => [mark, lineBoxesOf(mark)]));
      const codes = new Map([...lines].map(([mark, [last]]) => [mark, last]));
      const visible: Mark[] = [];
      for (const [mark, code] of codes) {
        if (code !== undefined && isVisible(code, mark.to, host)) visible.push(mark);
        if (visible.length === maxDrawn) break;
      }
      const kept = new Map<Mark, Plan>();
      const places = new Map<Mark, ChipPlace | undefined>();
      for (const mark of visible) {
        const code = codes.get(mark);
        const plan = code && movedPlan(plans.get(mark), code, mark.to, host);
        if (plan === undefined) continue;
        kept.set(mark, plan);
        places.set(mark, plan.spot);
      }
      const unplaced = visible.filter((mark) => !kept.has(mark));
      const words = wordsAround(
        unplaced.flatMap((mark) => codes.get(mark) ?? []),
        host,
      );
      for (const mark of unplaced) {
        const code = codes.get(mark);
        if (code === undefined) continue;
        const otherCodes = [...codes].flatMap(([one, box]) => (one === mark ? [] : (box ?? [])));
        const taken = [...places.values()].filter((place) => place !== undefined);
        const spot = findFreeSpot({
          text: mark.to,
          lines: lines.get(mark) ?? [],
          otherCodes,
          words,
          taken,
          host,
          size,
        });
        kept.set(mark, { code, spot });
        places.set(mark, spot);
      }
      plans = kept;
      return places;
    },
  };
}

/** Measures the words in the lines of all codes at once; undefined if the page is too large for that. */
function wordsAround(codes: readonly Box[], host: Element): Box[] | undefined {
  const area = {
    left: 0,
    right: document.documentElement.clientWidth,
    top: Math.min(...codes.map(({ top }) => top)) - maxRise,
    bottom: Math.max(...codes.map(({ bottom }) => bottom)) + maxRise,
  };
  return codes.length === 0 ? [] : wordBoxesIn(document.documentElement, area, host);
}

/** Returns the rectangle of a code's last line; undefined if it has none. */
export function codeBoxOf(mark: Mark): Box | undefined {
  return lineBoxesOf(mark)[0];
}

/** Returns the rectangles of a code's lines, last one first. */
function lineBoxesOf({ from, fromOffset, to, toOffset }: Mark): Box[] {
  range.setStart(from, fromOffset);
  range.setEnd(to, toOffset);
  const rects = [...range.getClientRects()].filter(({ width }) => width > 0);
  range.setStart(document, 0);
  range.collapse(true);
  return rects.map(boxOf).toReversed();
}

/** Moves a plan with its code; undefined if it is no longer valid. */
function movedPlan(plan: Plan | undefined, code: Box, text: Text, host: Element): Plan | undefined {
  if (plan === undefined) return undefined;
  const { spot, code: old } = plan;
  const x = code.left - old.left;
  const y = code.top - old.top;
  const isSameSize =
    Math.abs(code.right - old.right - x) < 0.5 && Math.abs(code.bottom - old.bottom - y) < 0.5;
  if (!isSameSize || x !== 0) return undefined;
  if (spot === undefined) return { code, spot };
  const moved = { ...spot, top: spot.top + y, bottom: spot.bottom + y };
  return hitsAt(moved, text, host).every((hit, index) => hit === spot.hits[index])
    ? { code, spot: moved }
    : undefined;
}

/** Tells whether nothing covers the end of a code; the overlay itself counts as transparent. */
function isVisible({ right, top, bottom, left }: Box, to: Text, host: Element): boolean {
  const parent = parentOf(to);
  const x = Math.max(left, right - 2);
  const hit = topmostAt(x, (top + bottom) / 2, to, host);
  return hit !== undefined && (parent === null || isWithin(hit, parent) || isWithin(parent, hit));
}

/** The form of a chip: `wide` has room for a month; `icon` shows its words only while hovered or focused. */
export type ChipForm = 'wide' | 'chip' | 'icon';

/** The place and the form of a chip, in CSS pixels of the viewport. Never depends on a verdict. */
export interface ChipPlace extends Box {
  readonly form: ChipForm;
  /** Whether it opens to the left: before its code, or as an icon without room on its right. */
  readonly opensLeft: boolean;
  /** How far below its top the words of an icon unfold, if they would cover its code beside it. */
  readonly drop?: number;
}

export interface FreeSpot extends ChipPlace {
  /** The topmost elements at this place; as long as they are the same, nothing covers it. */
  readonly hits: readonly (Element | undefined)[];
}

interface SpotSearch {
  readonly text: Text;
  /** The rectangles of the code's lines, the last one first. */
  readonly lines: readonly Box[];
  /** The rectangles of other codes. A chip must not be beyond one, where it would seem to belong to that. */
  readonly otherCodes: readonly Box[];
  /** The rectangles of the words around all codes; undefined if the page is too large to measure them all. */
  readonly words: readonly Box[] | undefined;
  readonly taken: readonly Box[];
  readonly host: Element;
  readonly size: ChipSize;
}

/** CSS pixels between a text and a chip. */
const gap = 4;

/**
 * Finds a place without words or other chips: for the whole chip, preferably wide, after the code or its line;
 * otherwise for an icon there, or in the margin before the line. Within the card of the text, an earlier line of the
 * code is preferred to a place at the edge.
 * @returns undefined if nothing is free
 */
function findFreeSpot(search: SpotSearch): FreeSpot | undefined {
  const { text, lines } = search;
  const block = blockOf(text);
  const right = document.documentElement.clientWidth;
  const clip = clipOf(block, { left: 0, right, top: -Infinity, bottom: Infinity });
  const card = cardOf(block);
  const inCard = card && intersectionOf(clip, { ...clip, ...card });
  const areas = [
    ...lines.map((line) => ({ line, area: inCard })),
    ...lines.slice(0, 1).map((line) => ({ line, area: clip })),
  ];
  for (const { line, area } of areas) {
    const spot = area && findSpotInLine(line, area, block, search);
    if (spot !== undefined) return spot;
  }
  return undefined;
}

/** Finds a place beside one line of a code, within an area. */
function findSpotInLine(
  code: Box,
  area: Box,
  block: Element,
  search: SpotSearch,
): FreeSpot | undefined {
  const { otherCodes, host, size } = search;
  const isRtl = getComputedStyle(block).direction === 'rtl';
  const inBlock = wordBoxesIn(block, { ...code, left: -Infinity, right: Infinity }, host) ?? [];
  const line = {
    left: Math.min(code.left, ...inBlock.map(({ left }) => left)),
    right: Math.max(code.right, ...inBlock.map(({ right }) => right)),
  };
  const forms = [
    ['wide', size.wide, size.height],
    ['chip', size.width, size.height],
    ['icon', size.icon, size.icon],
  ] as const;
  for (const [form, width, height] of forms) {
    const after = ({ left, right }: Pick<Box, 'left' | 'right'>): number =>
      isRtl ? left - gap - width : right + gap;
    const before = isRtl ? line.right + gap : line.left - gap - width;
    const lefts = [after(code), after(line), ...(form === 'icon' ? [before] : [])];
    const tops = [(code.top + code.bottom - height) / 2, code.bottom - height, code.top];
    for (const left of lefts.map(Math.round)) {
      for (const top of tops.map(Math.round)) {
        const box = { left, top, right: left + width, bottom: top + height };
        if (otherCodes.some((other) => isBetween(other, code, box))) continue;
        const hits = hitsAtFree(box, area, block, search);
        if (hits === undefined) continue;
        const isBefore = left < code.left;
        if (form !== 'icon') return { ...box, form, opensLeft: isBefore, hits };
        const opensLeft = left + size.wide > document.documentElement.clientWidth;
        const spot = { ...box, form, opensLeft, hits };
        if (!opensLeft && !isBefore) return spot;
        const from = opensLeft ? box.right - size.wide : left;
        return { ...spot, drop: topBelow(code, box, from, search) - top };
      }
    }
  }
  return undefined;
}

/** How far down the words of an icon may move to be centred on a line. */
const maxDrop = 16;

/**
 * Returns the top of the words that unfold below an icon: clear of its code, and centred on the next line if that is
 * near.
 */
function topBelow(
  code: Box,
  icon: Box,
  left: number,
  { words = [], size: { wide, height } }: SpotSearch,
): number {
  const top = Math.max(icon.bottom + 2, Math.round(code.bottom) - 1);
  const area = { left, right: left + wide, top, bottom: top + height };
  const onLines = words
    .filter((word) => overlaps(word, area) && word.top + word.bottom > 2 * top)
    .map((word) => Math.round((word.top + word.bottom - height) / 2));
  const next = Math.min(...onLines);
  return next > top && next <= top + maxDrop ? next : top;
}

/**
 * Returns the part of a text's card that a chip may use. The card is the nearest element around the text with visible
 * edges: a border at either side, or its own background. Undefined if there is none.
 */
function cardOf(block: Element): Pick<Box, 'left' | 'right'> | undefined {
  for (let element: Element | null = block; element !== null; element = parentOf(element)) {
    if (element === document.body || element === document.documentElement) break;
    const { borderLeftWidth, borderRightWidth, backgroundColor } = getComputedStyle(element);
    const hasEdge = borderLeftWidth !== '0px' && borderRightWidth !== '0px';
    if (!hasEdge && /^rgba\(.*, 0\)$|^transparent$/.test(backgroundColor)) continue;
    const { left, right } = rectOf(element);
    return { left: left + gap, right: right - gap };
  }
  return undefined;
}

/** Returns the topmost elements at a place; undefined if it is not free. */
function hitsAtFree(
  box: Box,
  clip: Box,
  block: Element,
  { text, words, taken, host }: SpotSearch,
): FreeSpot['hits'] | undefined {
  const isInside = box.left >= clip.left && box.right <= clip.right;
  if (!isInside || box.top < clip.top || box.bottom > clip.bottom) return undefined;
  if (taken.some((other) => overlaps(other, box))) return undefined;
  const around = surrounding(block, box);
  const near = words ?? wordBoxesIn(around, box, host);
  if (near?.some((word) => overlaps(word, box)) !== false) return undefined;
  const hits = hitsAt(box, text, host);
  const isClear = hits.every(
    (hit) =>
      hit === undefined ||
      ((isWithin(around, hit) || isWithin(hit, text)) && !hasGeneratedWords(hit)),
  );
  return isClear ? hits : undefined;
}

/**
 * Returns the topmost elements at three points of a box; undefined for a point outside the viewport.
 * @param text a text in the tree whose elements are compared
 * @param host the overlay, which counts as transparent
 */
function hitsAt(
  { left, right, top, bottom }: Box,
  text: Text,
  host: Element,
): (Element | undefined)[] {
  return [left + 1, (left + right) / 2, right - 1].map((x) =>
    topmostAt(x, (top + bottom) / 2, text, host),
  );
}

/** Returns the topmost element at a point, ignoring the overlay. */
function topmostAt(x: number, y: number, text: Text, host: Element): Element | undefined {
  const tree = text.getRootNode() as Document | ShadowRoot;
  return tree.elementsFromPoint(x, y).find((element) => element !== host);
}

/** Tells whether a style sheet adds words before or after an element, which have no text node to measure. */
function hasGeneratedWords(element: Element): boolean {
  return ['::before', '::after'].some((pseudo) => {
    const { content } = getComputedStyle(element, pseudo);
    return content !== 'none' && content !== 'normal' && /[^\s"]/.test(content);
  });
}

function isBetween(other: Box, code: Box, box: Box): boolean {
  if (other.top >= code.bottom || other.bottom <= code.top) return false;
  return box.left >= code.right
    ? other.left >= code.right && other.right <= box.left
    : other.right <= code.left && other.left >= box.right;
}

/** Returns the nearest element around a text that is not inline. */
function blockOf(text: Text): Element {
  let element = parentOf(text);
  while (element !== null && isInline(getComputedStyle(element).display))
    element = parentOf(element);
  return element ?? document.documentElement;
}

/** Returns the nearest element around a block whose box contains a whole place, and so the words beside the block. */
function surrounding(block: Element, box: Box): Element {
  for (let element: Element | null = block; element !== null; element = parentOf(element)) {
    const { left, right, top, bottom } = rectOf(element);
    if (left <= box.left && right >= box.right && top <= box.top && bottom >= box.bottom)
      return element;
  }
  return document.documentElement;
}

/** Returns the part of an area that the elements around a block do not clip; scrollbars count as clipped. */
function clipOf(block: Element, area: Box): Box {
  let clip = area;
  for (let element: Element | null = block; element !== null; element = parentOf(element)) {
    if (element === document.body || element === document.documentElement) break;
    const { overflowX, overflowY } = getComputedStyle(element);
    if (overflowX === 'visible' && overflowY === 'visible') continue;
    const { left, top } = rectOf(element);
    const inner = {
      left: left + memberOf(element, 'clientLeft'),
      top: top + memberOf(element, 'clientTop'),
    };
    clip = intersectionOf(clip, {
      ...inner,
      right: inner.left + memberOf(element, 'clientWidth'),
      bottom: inner.top + memberOf(element, 'clientHeight'),
    });
  }
  return clip;
}
