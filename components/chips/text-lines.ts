import { memberOf } from '#components/chips/flat-tree';
import type { TextPiece } from '#core/chips/index';

type Joint = TextPiece['joint'];

export interface TextLines {
  /** Tells whether an element takes no part in the layout, with all in it. */
  readonly isHidden: (element: Element) => boolean;
  /** Returns what the layout puts between an element and the text beside it. */
  readonly jointAt: (element: Element) => Joint;
  /** Returns what the layout puts between two texts, elements without text aside. */
  readonly jointBetween: (one: Text, other: Text) => Joint;
}

/**
 * Decides by the computed display where lines of text end. Any element may be displayed as a block, and one that floats
 * or lies in a flex or grid container always is. Each element's display is read once, so make a new one for each
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

  /** Reads the elements that hold one text and not the other. */
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

/** Tells whether a line of text goes on through an element of this computed display. */
export function isInline(display: string): boolean {
  return /^(?:inline$|contents|ruby)/.test(display);
}

/** Returns the joint that separates more: a line break, a space, nothing. */
export function strongerOf(one: Joint, other: Joint): Joint {
  return one === '\n' || other === '' ? one : other;
}
