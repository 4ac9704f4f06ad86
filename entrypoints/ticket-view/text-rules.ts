import type { TicketScriptSettings } from '#messaging/ticket/protocol';

export interface TextRules {
  /** Whether what stands in a text node was written in the ticket, as far as the site's notes know. */
  readonly isTicketText: (text: Text) => boolean;
  /** Whether the lines of a text go on through an element. */
  readonly isInline: (element: Element) => boolean;
  /** The element whose lines a text stands in. */
  readonly blockOf: (text: Text) => Element | null;
}

/**
 * The first note that fits the page and finds a message on it limits the search to messages; without one the whole page
 * counts. Judged anew for each text, as single-page desks change their pages.
 */
export function createTextRules({
  never,
  withinLines,
  notes,
}: Pick<TicketScriptSettings, 'never' | 'withinLines' | 'notes'>): TextRules {
  const usable = notes.filter(({ known = '*', messages, composer = '*' }) =>
    isSelector(`${known},${messages},${composer}`),
  );
  const isInline = (element: Element): boolean => element.matches(withinLines);
  return {
    isInline,

    blockOf(text) {
      let element = text.parentElement;
      while (element !== null && isInline(element)) element = element.parentElement;
      return element;
    },

    isTicketText(text) {
      if (document.designMode === 'on') return false;
      const note = usable.find(
        ({ known, messages }) =>
          (known === undefined || document.querySelector(known) !== null) &&
          document.querySelector(messages) !== null,
      );
      let inMessage = note === undefined;
      for (let element = parentOf(text); element !== null; element = hostOf(element)) {
        if (element.closest(never) !== null) return false;
        if (note?.composer !== undefined && element.closest(note.composer) !== null) return false;
        inMessage ||= note !== undefined && element.closest(note.messages) !== null;
      }
      return inMessage;
    },
  };
}

/** Notes are data: one with a selector that this browser does not know is passed over. */
function isSelector(text: string): boolean {
  try {
    document.createDocumentFragment().querySelector(text);
    return true;
  } catch {
    return false;
  }
}

function parentOf({ parentNode }: Text): Element | null {
  return parentNode instanceof ShadowRoot ? parentNode.host : (parentNode as Element | null);
}

/** The element that holds the shadow tree in which this one stands. */
function hostOf(element: Element): Element | null {
  const root = element.getRootNode();
  return root instanceof ShadowRoot ? root.host : null;
}
