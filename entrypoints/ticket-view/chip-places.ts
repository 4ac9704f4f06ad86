import type { ChipSize } from '#entrypoints/ticket-view/chip-style';
import { isWithin, parentOf } from '#entrypoints/ticket-view/flat-tree';
import type { Mark } from '#entrypoints/ticket-view/code-marks';
import {
  type ChipPlace,
  type FreeSpot,
  findFreeSpot,
  hitsAt,
  topmostAt,
} from '#entrypoints/ticket-view/free-spots';
import { type Box, boxOf, wordBoxesIn } from '#entrypoints/ticket-view/word-boxes';

export interface ChipPlaces {
  /**
   * Returns the places of the chips in sight now, {@link maxDrawn} at most, and undefined for a code that has no free place
   * beside it.
   */
  find(marks: readonly Mark[]): Map<Mark, ChipPlace | undefined>;
  /** Searches all places anew the next time: the page may have changed. */
  forget(): void;
}

/** A place that was found, and the rectangle that the code had then. */
interface Plan {
  readonly code: Box;
  readonly spot: FreeSpot | undefined;
}

/** The maximum of chips that are laid out at once: more of them would cover each other. */
const maxDrawn = 60;
/** CSS pixels that a chip may reach above or below its code. */
const maxRise = 20;

/** Measures every code: each live range makes changes of the page slower, so there is one. */
const range = document.createRange();

/**
 * Finds a place for each chip and keeps it while the page scrolls, until something comes over it. Only reads the page, so that
 * it is laid out once for all chips.
 */
export function createChipPlaces(host: Element, size: ChipSize): ChipPlaces {
  let plans = new Map<Mark, Plan>();

  return {
    forget() {
      plans = new Map();
    },

    find(marks) {
      const codes = new Map(marks.map((mark) => [mark, codeBoxOf(mark)]));
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
        const search = { text: mark.to, code, otherCodes, words, taken, host, size };
        const spot = findFreeSpot(search);
        kept.set(mark, { code, spot });
        places.set(mark, spot);
      }
      plans = kept;
      return places;
    },
  };
}

/** Measures the words in the lines of all codes at once; undefined where the page is too large for that. */
function wordsAround(codes: readonly Box[], host: Element): Box[] | undefined {
  const area = {
    left: 0,
    right: document.documentElement.clientWidth,
    top: Math.min(...codes.map(({ top }) => top)) - maxRise,
    bottom: Math.max(...codes.map(({ bottom }) => bottom)) + maxRise,
  };
  return codes.length === 0 ? [] : wordBoxesIn(document.documentElement, area, host);
}

/** Returns the rectangle of a code's last line; undefined when it has none. */
export function codeBoxOf({ from, fromOffset, to, toOffset }: Mark): Box | undefined {
  range.setStart(from, fromOffset);
  range.setEnd(to, toOffset);
  const rect = [...range.getClientRects()].findLast(({ width }) => width > 0);
  range.setStart(document, 0);
  range.collapse(true);
  return rect && boxOf(rect);
}

/** Moves a plan with its code; undefined when it holds no more. */
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

/** Tells whether the end of a code is on top at its own place; the overlay itself counts as transparent. */
function isVisible({ right, top, bottom, left }: Box, to: Text, host: Element): boolean {
  const parent = parentOf(to);
  const x = Math.max(left, right - 2);
  const hit = topmostAt(x, (top + bottom) / 2, to, host);
  return hit !== undefined && (parent === null || isWithin(hit, parent) || isWithin(parent, hit));
}
