import type { Mark } from '#entrypoints/ticket-view/code-marks';

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
      for (const { target, isIntersecting } of entries)
        for (const mark of byElement.get(target) ?? []) {
          if (isIntersecting) near.add(mark);
          else leave(mark);
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
        sizes.observe(element);
      } else {
        siblings.add(mark);
        // The observer has reported this element already and may not report it a second time.
        near.add(mark);
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
      }
    },

    end() {
      intersections.disconnect();
      sizes.disconnect();
    },
  };
}
