import type { ChipSize } from '#components/chips/chip-style';
import { codeBoxOf, type ChipPlace } from '#components/chips/chip-places';
import { isBefore, type Mark } from '#components/chips/code-marks';
import type { DrawnChips } from '#components/chips/drawn-chips';
import type { StepHandle } from '#core/chips/index';

interface StepOptions {
  readonly marks: ReadonlySet<Mark>;
  readonly chips: DrawnChips;
  readonly size: ChipSize;
  /** Lays the chips out now, including a mark outside the viewport if `placeOf` has a place for it. */
  readonly layout: (mark: Mark) => void;
}

export interface ChipSteps extends StepHandle {
  /** Forgets the present code; call it when a chip loses the focus. */
  readonly leave: () => void;
  /** Returns a place below its code for the present chip, while it has the focus. */
  readonly placeOf: (mark: Mark) => ChipPlace | undefined;
}

/**
 * Moves the keyboard's focus from code to code. A code without a free place beside it has a chip only while focused.
 */
export function createChipSteps({ marks, chips, size, layout }: StepOptions): ChipSteps {
  let current: Mark | undefined;

  /** Returns the marks that are displayed, in reading order. */
  function ordered(): Mark[] {
    return [...marks]
      .filter((mark) => mark.from.isConnected && codeBoxOf(mark) !== undefined)
      .sort((one, other) => (isBefore(one, other) ? -1 : 1));
  }

  return {
    stepState() {
      const all = ordered();
      return { count: all.length, at: all.findIndex((mark) => chips.hasFocus(mark)) };
    },

    focusCode(index) {
      const mark = ordered()[index];
      if (mark === undefined) return;
      const { parentElement } = mark.to;
      if (parentElement !== null)
        Element.prototype.scrollIntoView.call(parentElement, { block: 'nearest' });
      const box = codeBoxOf(mark);
      if (box !== undefined && (box.top < 0 || box.bottom > innerHeight))
        scrollBy({ top: box.top - innerHeight / 2 });
      current = mark;
      layout(mark);
      chips.focus(mark);
      // The previously focused chip has just reported that it lost the focus.
      current = mark;
    },

    leave() {
      current = undefined;
    },

    placeOf(mark) {
      if (mark !== current) return undefined;
      const code = codeBoxOf(mark);
      if (code === undefined) return undefined;
      const left = Math.max(0, Math.round(code.left));
      const top = Math.round(code.bottom);
      return {
        left,
        top,
        right: left + size.width,
        bottom: top + size.height,
        form: 'chip',
        opensLeft: false,
      };
    },
  };
}
