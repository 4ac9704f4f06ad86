import type { Chip, TicketScriptSettings } from '#messaging/ticket/protocol';

/** Where a chip goes, in CSS pixels of the viewport. */
export interface TextPosition {
  readonly left: number;
  readonly top: number;
}

export interface DrawnChip {
  show(chip: Chip, code: string): void;
  /** `undefined` hides it. */
  moveTo(position: TextPosition | undefined): void;
  remove(): void;
}

export interface Overlay {
  readonly host: HTMLElement;
  /** @param clicked by the agent, never by a script of the page */
  add(clicked: () => void): DrawnChip;
  /** Before chips are moved: comes back if the page has thrown the host out, and finds out where it stands. */
  settle(): void;
  end(): void;
}

/** A page that keeps throwing the host out is let to have its way. */
const mostReturns = 50;

/**
 * One element beside the page's body holds all chips, in a closed shadow root: no text, no layout and no selection of the
 * page changes, and the page sees no more than that something is there.
 */
export function createOverlay(css: string): Overlay {
  // A plain element: of one with a name of its own, the page could define the class and open the root.
  const host = document.createElement('div');
  const root = host.attachShadow({ mode: 'closed' });
  const style = document.createElement('style');
  style.textContent = css;
  root.append(style);
  let returns = 0;
  let origin = { left: 0, top: 0 };

  return {
    host,

    settle() {
      if (host.parentNode !== document.documentElement && returns < mostReturns) {
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
      // A help desk's own shortcuts and click handlers are not meant.
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
          // Drawn by the style sheet: text in here could be found by the page's `window.find`.
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
 * Where the chip of a code goes: after it where the line ends there, else on the code's own last signs, so that nothing the
 * customer wrote around it is covered. `undefined` where the code cannot be seen.
 * @param rect of the code's last line
 * @param following how far other text goes on after it in the same line; `0` for none
 */
export function positionBeside(
  rect: DOMRect,
  following: number,
  { width, height }: TicketScriptSettings['size'],
): TextPosition {
  const top = rect.top + (rect.height - height) / 2;
  const gap = 4;
  const after = rect.right + following + gap;
  const isFree = following < 12 && after + width <= document.documentElement.clientWidth;
  if (isFree || rect.width < width * 1.5) return { left: after, top };
  return { left: rect.right + 3 - width, top };
}
