import type { ChipSize } from '#components/chips/chip-style';
import type { ChipPlace } from '#components/chips/chip-places';
import type { Chip } from '#messaging/topics/ticket';

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
  /** Puts the host back if the page removed it, and measures its position. Call it before chips are moved. */
  prepare(): void;
  end(): void;
}

/** The maximum of times that the host is put back into a page that removes it. */
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

/** Where the icon and the label stand within the border of a chip, in CSS pixels. The style sheet cuts the icon out by the same. */
const border = 1;
const iconLeft = 6;
const iconSide = 12;
const labelLeft = 23;
const labelEnd = 4;

/**
 * Draws all chips in the closed shadow root of one element beside the page's body, so that text, layout and selection of
 * the page stay as they are and the page cannot read the chips. Icon and label are painted on a canvas whose size never changes:
 * a browser tells the page the size of text and of whatever moves, even in a closed root.
 * @param css the style sheet of the chips
 * @param size of a chip
 */
export function createOverlay(css: string, size: ChipSize): Overlay {
  // The page could define the class of a custom element and open its root.
  const host = document.createElement('div');
  const root = host.attachShadow({ mode: 'closed' });
  const style = document.createElement('style');
  style.textContent = css;
  root.append(style);
  const buttons = new WeakMap<DrawnChip, Element>();
  /** Paint the chips whose colours or resolution have changed. */
  const repaints = new Set<() => void>();
  let returns = 0;
  let origin = { left: 0, top: 0 };

  return {
    host,

    prepare() {
      if (host.parentNode !== document.documentElement && returns < maxReturns) {
        returns += 1;
        document.documentElement.append(host);
      }
      origin = host.getBoundingClientRect();
      for (const repaint of repaints) repaint();
    },

    add(clicked, left, next) {
      const button = document.createElement('button');
      button.hidden = true;
      button.title = 'Counterfoil';
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
      button.append(canvas);
      let shown: Chip | undefined;
      let painted = '';
      function repaint(): void {
        if (shown === undefined) return;
        const { color } = getComputedStyle(button);
        const scale = Math.max(2, Math.ceil(devicePixelRatio));
        const asked = [color, scale, shown.icon, shown.label].join();
        if (asked === painted) return;
        painted = asked;
        paint(canvas, shown, { color, scale, size });
      }
      repaints.add(repaint);
      root.insertBefore(button, (next && buttons.get(next)) ?? null);
      const drawn: DrawnChip = {
        show(chip, code) {
          shown = chip;
          button.className = chip.tone;
          button.setAttribute('aria-label', `${chip.label}: ${code}`);
          repaint();
        },
        moveTo(place) {
          button.hidden = place === undefined;
          if (place === undefined) return;
          button.dataset['form'] = place.form;
          button.dataset['opens'] = place.opensLeft ? 'left' : 'right';
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

interface Paint {
  readonly color: string;
  /** Pixels of the canvas for each CSS pixel. */
  readonly scale: number;
  readonly size: ChipSize;
}

function paint(
  canvas: HTMLCanvasElement,
  { icon, label }: Chip,
  { color, scale, size }: Paint,
): void {
  const width = size.width - 2 * border;
  const height = size.height - 2 * border;
  // This also clears it.
  canvas.width = width * scale;
  canvas.height = height * scale;
  const pen = canvas.getContext('2d');
  if (pen === null) return;
  pen.scale(scale, scale);
  pen.fillStyle = color;
  pen.strokeStyle = color;
  // A generic family: the page may define a font under any other name, and learn which letters are drawn.
  pen.font = '600 11px sans-serif';
  pen.textBaseline = 'middle';
  pen.fillText(label, labelLeft, height / 2 + 0.5, width - labelLeft - labelEnd);
  pen.translate(iconLeft, (height - iconSide) / 2);
  pen.lineWidth = 1.7;
  pen.lineCap = 'round';
  pen.lineJoin = 'round';
  pen.stroke(new Path2D(icon));
}
