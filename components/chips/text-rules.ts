import { parentOf } from '#components/chips/flat-tree';
import type { HelpDeskMarkup } from '#core/chips/index';

/** Selects elements that are never ticket text: fields, elements without visible text, and editors. */
const neverTicketText = [
  'script, style, noscript, template, textarea, select, title, svg, iframe, object',
  '[contenteditable]:not([contenteditable="false" i])',
  '[role="textbox" i], [role="searchbox" i], [role="combobox" i]',
  '.CodeMirror, .cm-editor, .monaco-editor, .ace_editor, .ck-editor, .ql-editor, .ProseMirror, .tox, .fr-box',
].join(', ');

export type TicketMarkup = Omit<HelpDeskMarkup, 'hosts'>;

export interface TextRules {
  /** Tells whether a text node belongs to the ticket, according to the site's known markup. */
  readonly isTicketText: (text: Text) => boolean;
  /** Makes the next call check again which markup fits, since the page may have changed. */
  readonly forget: () => void;
}

/**
 * Limits the search to messages, with the first markup that fits the page and finds a message. Without one, the whole
 * page is searched, except what a fitting markup excludes. Since a selector without a match reads the whole page, the
 * result is cached until `forget`.
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

/** Returns the host of the shadow tree around an element; `null` outside shadow trees. */
function hostOf(element: Element): Element | null {
  const root = Element.prototype.getRootNode.call(element);
  return root instanceof ShadowRoot ? root.host : null;
}
