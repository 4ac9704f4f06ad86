import type { Mark } from '#entrypoints/ticket-view/code-marks';
import type { ChipPosition, DrawnChip, Overlay } from '#entrypoints/ticket-view/overlay';
import type { Chip } from '#messaging/ticket/protocol';

export interface DrawnChips {
  /** How many chips are drawn now, hidden ones included. */
  readonly count: number;
  /** Draws the chip of a mark when it is first seen, and moves it; `undefined` hides it. */
  draw(mark: Mark, position: ChipPosition | undefined): void;
  readonly remove: (mark: Mark) => void;
  /** Returns the chip that was last shown for a code; `undefined` while the code was not asked about. */
  chipOf(code: string): Chip | undefined;
  /** Shows a chip at each place where a code is drawn, and where it is drawn later. */
  readonly show: (code: string, chip: Chip) => void;
  /** Shows a code as not checked. */
  reset(code: string): void;
}

/**
 * Holds one drawn chip for each mark, and what is known of each code.
 * @param blank the chip of a code that was not checked yet
 * @param open called with the code of the chip that the agent clicks
 */
export function createDrawnChips(
  overlay: Overlay,
  blank: Chip,
  open: (code: string) => void,
): DrawnChips {
  const known = new Map<string, Chip>();
  const drawn = new Map<Mark, DrawnChip>();

  function redraw(code: string, chip: Chip): void {
    for (const [mark, one] of drawn) if (mark.code === code) one.show(chip, code);
  }

  return {
    get count() {
      return drawn.size;
    },

    draw(mark, position) {
      let chip = drawn.get(mark);
      if (chip === undefined) {
        if (position === undefined) return;
        chip = overlay.add(() => {
          open(mark.code);
        });
        drawn.set(mark, chip);
        chip.show(known.get(mark.code) ?? blank, mark.code);
      }
      chip.moveTo(position);
    },

    remove(mark) {
      drawn.get(mark)?.remove();
      drawn.delete(mark);
    },

    chipOf: (code) => known.get(code),

    show(code, chip) {
      known.set(code, chip);
      redraw(code, chip);
    },

    reset(code) {
      known.delete(code);
      redraw(code, blank);
    },
  };
}
