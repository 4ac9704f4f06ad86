import type { TextRun } from '#components/chips/text-run';
import type { CodePosition } from '#core/chips/index';

export interface Mark {
  /** The code as the page spells it. */
  readonly code: string;
  readonly from: Text;
  readonly fromOffset: number;
  readonly to: Text;
  readonly toOffset: number;
  /** The text of the code's first and last node; if it changes, the mark is invalid. */
  readonly head: string;
  readonly tail: string;
}

/** The most marks in a document; further codes get no chip. */
export const maxMarks = 400;

export interface Marks {
  readonly all: ReadonlySet<Mark>;
  /**
   * Replaces the marks in the nodes of a text run by the codes found there. Returns `false` if there is no room for
   * more.
   */
  update(run: TextRun, find: (pieces: TextRun['pieces']) => readonly CodePosition[]): boolean;
  /** Removes marks whose text has changed or left the page, among the given ones or all. */
  prune(some?: Iterable<Mark>): void;
}

/**
 * Creates the marks of one document.
 * @param isTicketText tells whether codes of this text node are marked
 * @param added called with each new mark
 * @param removed called with each mark that is dropped
 */
export function createMarks(
  isTicketText: (text: Text) => boolean,
  added: (mark: Mark) => void,
  removed: (mark: Mark) => void,
): Marks {
  const all = new Set<Mark>();
  const byNode = new WeakMap<Text, Set<Mark>>();

  function drop(mark: Mark): void {
    all.delete(mark);
    byNode.get(mark.from)?.delete(mark);
    removed(mark);
  }

  return {
    all,

    update({ nodes, pieces }, find) {
      const present = new Set(nodes.flatMap((node) => [...(byNode.get(node) ?? [])]));
      for (const position of find(pieces)) {
        const mark = markAt(position, nodes);
        if (mark === undefined) continue;
        const existing = [...present].find((one) => isSame(one, mark));
        if (existing !== undefined) present.delete(existing);
        else if (all.size < maxMarks && isTicketText(mark.from)) {
          all.add(mark);
          const siblings = byNode.get(mark.from) ?? new Set();
          byNode.set(mark.from, siblings.add(mark));
          added(mark);
        }
      }
      // A code at the edge may have been found by a longer run.
      for (const mark of present) if (!isUnchanged(mark)) drop(mark);
      return all.size < maxMarks;
    },

    prune(some = all) {
      for (const mark of some) if (!isUnchanged(mark)) drop(mark);
    },
  };
}

function markAt({ code, start, end }: CodePosition, nodes: readonly Text[]): Mark | undefined {
  const from = nodes[start.piece];
  const to = nodes[end.piece];
  if (from === undefined || to === undefined) return undefined;
  const isWhole = from === to;
  return {
    code,
    from,
    fromOffset: start.offset,
    to,
    toOffset: end.offset,
    head: from.data.slice(start.offset, isWhole ? end.offset : undefined),
    tail: isWhole ? '' : to.data.slice(0, end.offset),
  };
}

function isSame(one: Mark, other: Mark): boolean {
  return (
    one.code === other.code &&
    one.from === other.from &&
    one.fromOffset === other.fromOffset &&
    one.to === other.to &&
    one.toOffset === other.toOffset
  );
}

function isUnchanged({ from, fromOffset, head, to, tail }: Mark): boolean {
  return (
    from.isConnected &&
    from.data.startsWith(head, fromOffset) &&
    (from === to || (to.isConnected && to.data.startsWith(tail)))
  );
}

/** Tells whether a mark comes before another in reading order. */
export function isBefore(one: Mark, other: Mark): boolean {
  if (one.from === other.from) return one.fromOffset < other.fromOffset;
  const position = one.from.compareDocumentPosition(other.from);
  return (position & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
}

export interface NearMarks {
  /** The marks whose elements are in the viewport or near it. */
  readonly marks: ReadonlySet<Mark>;
  readonly add: (mark: Mark) => void;
  readonly remove: (mark: Mark) => void;
  readonly end: () => void;
}

interface NearMarksCallbacks {
  /** Called when a mark comes near or leaves, and when an element of a mark changes its size. */
  readonly changed: () => void;
  /** Called with each mark that is no longer near. */
  readonly left: (mark: Mark) => void;
}

/** Tracks which marks are in or near the viewport, with one observer for all of them. */
export function trackNearMarks({ changed, left }: NearMarksCallbacks): NearMarks {
  const near = new Set<Mark>();
  const byElement = new Map<Element, Set<Mark>>();

  const intersections = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        const siblings = byElement.get(target);
        // Its last mark may have been removed since the browser measured.
        if (siblings === undefined) continue;
        // The browser measures what is observed in each frame.
        if (isIntersecting) sizes.observe(target);
        else sizes.unobserve(target);
        for (const mark of siblings) {
          if (isIntersecting) near.add(mark);
          else leave(mark);
        }
      }
      changed();
    },
    { rootMargin: '120px' },
  );
  const sizes = new ResizeObserver(changed);
  sizes.observe(document.documentElement);

  function leave(mark: Mark): void {
    near.delete(mark);
    left(mark);
  }

  return {
    marks: near,

    add(mark) {
      const element = mark.to.parentElement;
      if (element === null) {
        near.add(mark);
        changed();
        return;
      }
      const siblings = byElement.get(element);
      if (siblings === undefined) {
        byElement.set(element, new Set([mark]));
        intersections.observe(element);
      } else {
        // If the observer has reported this element already, it may not report it a second time.
        if ([...siblings].some((one) => near.has(one))) near.add(mark);
        siblings.add(mark);
      }
      changed();
    },

    remove(mark) {
      leave(mark);
      for (const [element, marks] of byElement) {
        if (!marks.delete(mark) || marks.size > 0) continue;
        byElement.delete(element);
        intersections.unobserve(element);
        sizes.unobserve(element);
        break;
      }
    },

    end() {
      intersections.disconnect();
      sizes.disconnect();
    },
  };
}
