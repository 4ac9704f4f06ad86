import { canonicalCode } from '#core/codes/index';
import { isBefore, type Mark } from '#components/chips/code-marks';
import type { ChipPlace } from '#components/chips/chip-places';
import type { DrawnChip, Overlay } from '#components/chips/overlay';
import type { Chip } from '#core/chips/index';

export interface DrawnChips {
  /** The marks whose chips are drawn, including hidden ones. */
  readonly drawn: { readonly size: number; keys(): Iterable<Mark> };
  /** Draws a mark's chip the first time, then moves it; `undefined` hides it. */
  draw(mark: Mark, place: ChipPlace | undefined): void;
  focus(mark: Mark): void;
  hasFocus(mark: Mark): boolean;
  readonly remove: (mark: Mark) => void;
  /** Returns the chip last shown for a code; `undefined` if the code was not checked yet, or was reset. */
  chipOf(code: string): Chip | undefined;
  /** Shows a chip wherever a code is or will be drawn. An answer stays until there is another. */
  readonly show: (code: string, chip: Chip) => void;
  /** Shows a code as not checked. */
  reset(code: string): void;
}

interface ChipEvents {
  /** Called with the code of the chip that the agent clicks. */
  readonly open: (code: string) => void;
  /** Called when a chip loses the focus. */
  readonly left: () => void;
}

/** The number of remembered codes, more than can have marks at a time. */
export const maxKnown = 1000;

/**
 * Creates the drawn chips: one for each mark, and the state of each code in any spelling.
 * @param blank the chip of a code that was reset
 * @param first the chip of a code until another is shown
 */
export function createDrawnChips(
  overlay: Overlay,
  blank: Chip,
  { open, left }: ChipEvents,
  first = blank,
): DrawnChips {
  const known = new Map<string, Chip>();
  const drawn = new Map<Mark, DrawnChip>();

  function redraw(key: string): void {
    const chip = known.get(key) ?? first;
    for (const [{ code }, one] of drawn) if (canonicalCode(code) === key) one.show(chip, code);
  }

  function show(code: string, chip: Chip): void {
    const key = canonicalCode(code);
    if (known.get(key)?.answered === true && !chip.answered) return;
    known.delete(key);
    known.set(key, chip);
    // If the code shown longest ago is still in view, the worker still knows its reply.
    const [oldest = key] = known.keys();
    if (known.size > maxKnown) known.delete(oldest);
    redraw(key);
  }

  /** Returns the next chip on the page, so that the Tab key follows reading order, independent of drawing order. */
  function chipAfter(mark: Mark): DrawnChip | undefined {
    let next: Mark | undefined;
    for (const other of drawn.keys())
      if (isBefore(mark, other) && (next === undefined || isBefore(other, next))) next = other;
    return next && drawn.get(next);
  }

  return {
    drawn,

    draw(mark, place) {
      let chip = drawn.get(mark);
      if (chip === undefined) {
        if (place === undefined) return;
        const opened = (): void => {
          open(mark.code);
        };
        chip = overlay.add(opened, left, chipAfter(mark));
        drawn.set(mark, chip);
        chip.show(known.get(canonicalCode(mark.code)) ?? first, mark.code);
      }
      chip.moveTo(place);
    },

    focus(mark) {
      drawn.get(mark)?.focus();
    },

    hasFocus: (mark) => drawn.get(mark)?.hasFocus === true,

    remove(mark) {
      drawn.get(mark)?.remove();
      drawn.delete(mark);
    },

    chipOf(code) {
      const chip = known.get(canonicalCode(code));
      return chip === blank ? undefined : chip;
    },

    show,

    reset(code) {
      show(code, blank);
    },
  };
}
