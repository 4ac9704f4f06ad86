import type { ChipPlace } from '#entrypoints/ticket-view/free-spots';
import type { Chip } from '#messaging/ticket/protocol';

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
  const buttons = new WeakMap<DrawnChip, Element>();
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
      const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
      const icon = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
      icon.setAttribute('viewBox', '0 0 12 12');
      icon.setAttribute('aria-hidden', 'true');
      icon.append(path);
      button.append(icon);
      root.insertBefore(button, (next && buttons.get(next)) ?? null);
      const drawn: DrawnChip = {
        show(chip, code) {
          button.className = chip.tone;
          path.setAttribute('d', chip.icon);
          // The style sheet draws the label, because the page's `window.find` would find text.
          button.dataset['label'] = chip.label;
          button.setAttribute('aria-label', `${chip.label}: ${code}`);
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
