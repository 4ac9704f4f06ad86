import { memberOf } from '#components/chips/flat-tree';
import type { TextPiece } from '#core/chips/index';

type Joint = TextPiece['joint'];

export interface TextLines {
  /** Tells whether an element and its content are not laid out. */
  readonly isHidden: (element: Element) => boolean;
  /** Returns what the layout puts between an element and the text beside it. */
  readonly jointAt: (element: Element) => Joint;
  /** Returns what the layout puts between two texts, ignoring elements without text. */
  readonly jointBetween: (one: Text, other: Text) => Joint;
}

/**
 * Finds the ends of text lines by the computed display. Any element may be displayed as a block, and one that floats or
 * is in a flex or grid container always is. Each element's display is read once, so create a new instance for each
 * reading.
 */
export function createTextLines(): TextLines {
  const displays = new Map<Element, string>();

  function displayOf(element: Element): string {
    let display = displays.get(element);
    if (display === undefined) displays.set(element, (display = getComputedStyle(element).display));
    return display;
  }

  function jointAt(element: Element): Joint {
    if (memberOf(element, 'tagName') === 'BR') return '\n';
    const display = displayOf(element);
    if (isInline(display)) return '';
    return display.startsWith('inline') ? ' ' : '\n';
  }

  /** Reads the elements that contain one text but not the other. */
  function jointUpTo(one: Text, other: Text): Joint {
    let joint: Joint = '';
    for (
      let element = one.parentElement;
      element !== null && joint !== '\n' && !Element.prototype.contains.call(element, other);
      element = memberOf(element, 'parentElement')
    )
      joint = strongerOf(joint, jointAt(element));
    return joint;
  }

  return {
    isHidden: (element) => displayOf(element) === 'none',
    jointAt,
    jointBetween: (one, other) => strongerOf(jointUpTo(one, other), jointUpTo(other, one)),
  };
}

/** Tells whether a line of text continues through an element with this computed display. */
export function isInline(display: string): boolean {
  return /^(?:inline$|contents|ruby)/.test(display);
}

/** Returns the joint that separates more: a line break, a space, nothing. */
export function strongerOf(one: Joint, other: Joint): Joint {
  return one === '\n' || other === '' ? one : other;
}
