import type { TicketScriptSettings } from '#messaging/ticket/protocol';

export interface TextRules {
  /** Tells whether a text node belongs to the ticket, as far as the notes of the site know. */
  readonly isTicketText: (text: Text) => boolean;
  /** Tells whether a line of text goes on through an element. */
  readonly isInline: (element: Element) => boolean;
  /** Returns the nearest element around a text that is not inline. */
  readonly blockOf: (text: Text) => Element | null;
}

/**
 * Limits the search to messages by the first note that fits the page and finds a message on it; without one the whole page
 * counts. Reads the page for each text, as single-page desks change their pages.
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

/** Tells whether this browser knows a selector; notes with another one are ignored. */
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

/** Returns the host of the shadow tree that holds an element; `null` outside of shadow trees. */
function hostOf(element: Element): Element | null {
  const root = element.getRootNode();
  return root instanceof ShadowRoot ? root.host : null;
}
