import type { Chip, TicketScriptSettings } from '#messaging/ticket/protocol';

/** The top left corner of a chip, in CSS pixels of the viewport. */
export interface ChipPosition {
  readonly left: number;
  readonly top: number;
}

export interface DrawnChip {
  show(chip: Chip, code: string): void;
  /** Moves the chip, or hides it for `undefined`. */
  moveTo(position: ChipPosition | undefined): void;
  remove(): void;
}

export interface Overlay {
  readonly host: HTMLElement;
  /** Adds a hidden chip. @param clicked called when the agent clicks, never when a script of the page does */
  add(clicked: () => void): DrawnChip;
  /** Puts the host back if the page removed it, and measures its position. Call it before chips are moved. */
  prepare(): void;
  end(): void;
}

/** The maximum of times that the host is put back into a page that removes it. */
const maxReturns = 50;

/**
 * Draws all chips in the closed shadow root of one element beside the page's body, so that text, layout and selection of
 * the page stay as they are and the page cannot read the chips.
 * @param css the style sheet of the chips
 */
export function createOverlay(css: string): Overlay {
  // The page could define the class of a custom element and open its root.
  const host = document.createElement('div');
  const root = host.attachShadow({ mode: 'closed' });
  const style = document.createElement('style');
  style.textContent = css;
  root.append(style);
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
    },

    add(clicked) {
      const button = document.createElement('button');
      button.hidden = true;
      button.title = 'Counterfoil';
      button.addEventListener('click', (event) => {
        if (event.isTrusted) clicked();
      });
      // Shortcuts and click handlers of the help desk must not react to a chip.
      for (const type of ['click', 'mousedown', 'pointerdown', 'keydown'])
        button.addEventListener(type, (event) => {
          event.stopPropagation();
        });
      const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
      const icon = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
      icon.setAttribute('viewBox', '0 0 12 12');
      icon.setAttribute('aria-hidden', 'true');
      icon.append(path);
      button.append(icon);
      root.append(button);
      return {
        show(chip, code) {
          button.className = chip.tone;
          path.setAttribute('d', chip.icon);
          // The style sheet draws the words, because the page's `window.find` would find text.
          button.dataset['words'] = chip.words;
          button.setAttribute('aria-label', `${chip.words}: ${code}`);
        },
        moveTo(position) {
          button.hidden = position === undefined;
          if (position === undefined) return;
          const x = Math.round(position.left - origin.left);
          const y = Math.round(position.top - origin.top);
          button.style.transform = `translate(${String(x)}px,${String(y)}px)`;
        },
        remove() {
          button.remove();
        },
      };
    },

    end() {
      host.remove();
    },
  };
}

/**
 * Places a chip after its code where the line ends there, else on the code's own last characters, so that it covers nothing
 * that the customer wrote around the code.
 * @param rect the rectangle of the code's last line
 * @param following CSS pixels of other text after the code in the same line
 */
export function positionBeside(
  rect: DOMRect,
  following: number,
  { width, height }: TicketScriptSettings['size'],
): ChipPosition {
  const top = rect.top + (rect.height - height) / 2;
  const gap = 4;
  const after = rect.right + following + gap;
  const isFree = following < 12 && after + width <= document.documentElement.clientWidth;
  if (isFree || rect.width < width * 1.5) return { left: after, top };
  return { left: rect.right + 3 - width, top };
}
