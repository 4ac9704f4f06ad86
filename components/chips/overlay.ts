import type { ChipSize } from '#components/chips/chip-style';
import type { ChipPlace } from '#components/chips/chip-places';
import { overlaps } from '#components/chips/word-boxes';
import type { Chip } from '#core/chips/index';

export interface DrawnChip {
  show(chip: Chip, code: string): void;
  /** Moves the chip, or hides it for `undefined`. */
  moveTo(place: ChipPlace | undefined): void;
  focus(): void;
  readonly hasFocus: boolean;
  remove(): void;
}

export interface Overlay {
  readonly host: HTMLElement;
  /**
   * Adds a hidden chip.
   * @param clicked called when the agent clicks, never when a script of the page does
   * @param left called when the chip loses the focus
   * @param next the chip that the Tab key reaches after it; without one, it is the last
   */
  add(clicked: () => void, left: () => void, next?: DrawnChip): DrawnChip;
  /** Restores the host if the page removed it, and measures its position. Call it before moving chips. */
  prepare(): void;
  readonly end: () => void;
}

/** How often the host is restored in a page that removes it. */
const maxReturns = 50;

/** Events of a click or a key on a chip. */
const handled = [
  'click',
  'mousedown',
  'mouseup',
  'pointerdown',
  'pointerup',
  'keydown',
  'keypress',
  'keyup',
];

/** The places of the icon and the label in a chip, in CSS pixels. */
const iconLeft = 7;
const iconSide = 12;
const labelLeft = 24;
const labelEnd = 8;

/**
 * Draws all chips in the closed shadow root of one element beside the page's body, so that text, layout and selection
 * of the page stay as they are and the page cannot read the chips. All of a chip is painted on a canvas whose size
 * never changes: a browser tells the page the size of text and of whatever moves, even in a closed root.
 * @param css the style sheet of the chips
 * @param size of a chip
 */
export function createOverlay(css: string, size: ChipSize): Overlay {
  // Not a custom element, since the page could define its class and open its root.
  const host = document.createElement('div');
  const root = host.attachShadow({ mode: 'closed' });
  const style = document.createElement('style');
  style.textContent = css;
  root.append(style);
  const buttons = new WeakMap<DrawnChip, Element>();
  /** Functions that repaint chips whose colours or resolution have changed. */
  const repaints = new Set<() => void>();
  let returns = 0;
  let origin = { left: 0, top: 0 };

  /** Repaints, and hides the chips under an unfolded chip, since a partly covered chip would show beside it. */
  function repaintAll(): void {
    for (const repaint of repaints) repaint();
    const unfolded = [...root.querySelectorAll(':is(:hover, :focus-visible) > canvas')].map(
      (canvas) => canvas.getBoundingClientRect(),
    );
    const buttons = [...root.querySelectorAll('button')];
    // All chips are measured before any is changed.
    const covered = buttons.map(
      (button) =>
        !button.matches(':hover, :focus-visible') &&
        unfolded.some((box) => overlaps(box, button.getBoundingClientRect())),
    );
    for (const [index, { style }] of buttons.entries()) style.opacity = covered[index] ? '0' : '';
  }
  for (const type of ['focus', 'blur', 'pointerover', 'pointerout'])
    root.addEventListener(type, repaintAll, true);

  return {
    host,

    prepare() {
      if (host.parentNode !== document.documentElement && returns < maxReturns) {
        returns += 1;
        document.documentElement.append(host);
      }
      origin = host.getBoundingClientRect();
      repaintAll();
    },

    add(clicked, left, next) {
      const button = document.createElement('button');
      button.hidden = true;
      button.addEventListener('click', (event) => {
        if (event.isTrusted) clicked();
      });
      button.addEventListener('blur', left);
      button.addEventListener('keydown', ({ key }) => {
        if (key === 'Escape') button.blur();
      });
      // Shortcuts and click handlers of the help desk must not react to a chip.
      for (const type of handled)
        button.addEventListener(type, (event) => {
          event.stopPropagation();
        });
      const canvas = document.createElement('canvas');
      canvas.ariaHidden = 'true';
      const disc = document.createElement('canvas');
      disc.ariaHidden = 'true';
      disc.className = 'icon';
      button.append(canvas, disc);
      let shown: Chip | undefined;
      /** The label and what stands beside it if there is room. */
      let words = '';
      let painted = '';
      function repaint(): void {
        if (shown === undefined) return;
        const { color, caretColor, textDecorationColor } = getComputedStyle(button);
        const { form, opens, drop } = button.dataset;
        const scale = Math.max(2, Math.ceil(devicePixelRatio));
        const { icon, label } = shown;
        const look: Look = {
          icon,
          label: form === 'chip' ? label : words,
          colors: [caretColor, textDecorationColor, color],
          form,
          atEnd: opens === 'left',
          isBelow: drop !== undefined,
          hasRing: button.matches(':focus-visible'),
          scale,
        };
        const asked = JSON.stringify(look);
        if (asked === painted) return;
        painted = asked;
        paintChip(canvas, look, size);
        if (form === 'icon') paintIcon(disc, look, size);
      }
      repaints.add(repaint);
      root.insertBefore(button, (next && buttons.get(next)) ?? null);
      const drawn: DrawnChip = {
        show(chip, code) {
          shown = chip;
          button.className = chip.tone;
          const { label, until = '' } = chip;
          words = until === '' ? label : `${label} · ${until}`;
          button.title = `Counterfoil · ${words}`;
          button.ariaLabel = `${label}: ${code}`;
          button.ariaDescription = until;
          repaint();
        },
        moveTo(place) {
          button.hidden = place === undefined;
          if (place === undefined) return;
          const { form } = button.dataset;
          button.dataset['form'] = place.form;
          button.dataset['opens'] = place.opensLeft ? 'left' : 'right';
          button.toggleAttribute('data-drop', place.drop !== undefined);
          // The offset counts from inside the icon's border.
          canvas.style.top = place.drop === undefined ? '' : `${String(place.drop - 1)}px`;
          if (form !== place.form) repaint();
          const x = place.left - origin.left;
          const y = place.top - origin.top;
          button.style.transform = `translate(${String(x)}px,${String(y)}px)`;
        },
        focus() {
          button.focus({ preventScroll: true });
        },
        get hasFocus() {
          return document.hasFocus() && root.activeElement === button;
        },
        remove() {
          repaints.delete(repaint);
          button.remove();
        },
      };
      buttons.set(drawn, button);
      return drawn;
    },

    end() {
      host.remove();
    },
  };
}

interface Look {
  readonly icon: string;
  readonly label: string;
  readonly colors: readonly [ground: string, edge: string, ink: string];
  /** The form of the button; the painted chip may be narrower. */
  readonly form: string | undefined;
  /** True if a narrower chip is at the button's right end. */
  readonly atEnd: boolean;
  /** True if the chip is unfolded below an icon, to which one of its corners points. */
  readonly isBelow: boolean;
  /** True if the button has the keyboard's focus. */
  readonly hasRing: boolean;
  /** Pixels of the canvas for each CSS pixel. */
  readonly scale: number;
}

/** Clears a canvas of this size in CSS pixels. */
function startPainting(
  canvas: HTMLCanvasElement,
  { colors: [, , ink], scale }: Look,
  width: number,
  height: number,
): CanvasRenderingContext2D | null {
  canvas.width = width * scale;
  canvas.height = height * scale;
  const pen = canvas.getContext('2d');
  if (pen === null) return null;
  pen.scale(scale, scale);
  pen.strokeStyle = ink;
  return pen;
}

function paintChip(canvas: HTMLCanvasElement, look: Look, { wide, width, height }: ChipSize): void {
  const pen = startPainting(canvas, look, wide, height);
  if (pen === null) return;
  const {
    label,
    colors: [ground, edge, ink],
    form,
    atEnd,
    isBelow,
    hasRing,
  } = look;
  // A generic family, since the page could define a font with any other name, and learn which letters are drawn.
  pen.font = '600 11px sans-serif';
  pen.textBaseline = 'middle';
  const room = (form === 'chip' ? width : wide) - labelLeft - labelEnd;
  const drawn = Math.min(room, Math.ceil(pen.measureText(label).width));
  if (atEnd) pen.translate(room - drawn, 0);
  const line = hasRing ? 2 : 1;
  const round = height / 2;
  const corners = [isBelow && !atEnd ? 3 : round, isBelow && atEnd ? 3 : round, round, round];
  pen.beginPath();
  pen.roundRect(line / 2, line / 2, labelLeft + drawn + labelEnd - line, height - line, corners);
  pen.fillStyle = ground;
  pen.fill();
  pen.strokeStyle = hasRing ? ink : edge;
  pen.lineWidth = line;
  pen.stroke();
  pen.fillStyle = pen.strokeStyle = ink;
  pen.fillText(label, labelLeft, height / 2 + 0.5, drawn);
  strokeIcon(pen, look.icon, iconLeft, height);
}

function paintIcon(canvas: HTMLCanvasElement, look: Look, { icon: side }: ChipSize): void {
  const pen = startPainting(canvas, look, side, side);
  if (pen !== null) strokeIcon(pen, look.icon, (side - iconSide) / 2, side);
}

/** @param height of the box in which the icon is centred, in CSS pixels */
function strokeIcon(
  pen: CanvasRenderingContext2D,
  icon: string,
  left: number,
  height: number,
): void {
  pen.translate(left, (height - iconSide) / 2);
  pen.lineWidth = 1.7;
  pen.lineCap = pen.lineJoin = 'round';
  pen.stroke(new Path2D(icon));
}
