import { parentOf } from '#components/chips/flat-tree';
import type { HelpDeskMarkup } from '#core/chips/index';

/** Selects what is never ticket text: fields, elements without visible text, and editors. */
const neverTicketText = [
  'script, style, noscript, template, textarea, select, title, svg, iframe, object',
  '[contenteditable]:not([contenteditable="false" i])',
  '[role="textbox" i], [role="searchbox" i], [role="combobox" i]',
  '.CodeMirror, .cm-editor, .monaco-editor, .ace_editor, .ck-editor, .ql-editor, .ProseMirror, .tox, .fr-box',
].join(', ');

export type TicketMarkup = Omit<HelpDeskMarkup, 'hosts'>;

export interface TextRules {
  /** Tells whether a text node belongs to the ticket, as far as the markup of the site know. */
  readonly isTicketText: (text: Text) => boolean;
  /** Looks anew which markup fits, the next time: the page may be another. */
  readonly forget: () => void;
}

/**
 * Limits the search to messages by the first markup that fits the page and finds a message on it; without one the whole
 * page counts, except what the markup that fits excludes. A selector without a match reads the whole page, so this is
 * kept until `forget`.
 */
export function createTextRules(known: readonly TicketMarkup[]): TextRules {
  let markup: TicketMarkup | undefined;
  let apart: string | undefined;

  return {
    isTicketText(text) {
      if (document.designMode === 'on') return false;
      if (apart === undefined) {
        const fitting = known.filter(
          ({ marker }) => marker === undefined || document.querySelector(marker) !== null,
        );
        markup = fitting.find(({ messages }) => document.querySelector(messages) !== null);
        apart = [
          neverTicketText,
          ...(markup?.composer === undefined ? [] : [markup.composer]),
          ...fitting.flatMap(({ excluded }) => excluded ?? []),
        ].join();
      }
      let inMessage = markup === undefined;
      for (let element = parentOf(text); element !== null; element = hostOf(element)) {
        if (closest(element, apart) !== null) return false;
        inMessage ||= markup !== undefined && closest(element, markup.messages) !== null;
      }
      return inMessage;
    },
    forget() {
      apart = undefined;
    },
  };
}

function closest(element: Element, selector: string): Element | null {
  return Element.prototype.closest.call(element, selector);
}

/** Returns the host of the shadow tree that holds an element; `null` outside of shadow trees. */
function hostOf(element: Element): Element | null {
  const root = Element.prototype.getRootNode.call(element);
  return root instanceof ShadowRoot ? root.host : null;
}
