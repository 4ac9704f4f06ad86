import { parentOf } from '#entrypoints/ticket-view/flat-tree';
import { neverTicketText, type SiteNote } from '#core/ticket/site-notes';

export type TicketNote = Pick<SiteNote, 'known' | 'messages' | 'composer' | 'leftAlone'>;

export interface TextRules {
  /** Tells whether a text node belongs to the ticket, as far as the notes of the site know. */
  readonly isTicketText: (text: Text) => boolean;
}

/**
 * Limits the search to messages by the first note that fits the page and finds a message on it; without one the whole page
 * counts, except what the notes that fit leave alone. Reads the page for each text, as single-page desks change their pages.
 */
export function createTextRules(notes: readonly TicketNote[]): TextRules {
  const usable = notes.filter(({ known = '*', messages, composer = '*', leftAlone = '*' }) =>
    isSelector(`${known},${messages},${composer},${leftAlone}`),
  );
  return {
    isTicketText(text) {
      if (document.designMode === 'on') return false;
      const fitting = usable.filter(
        ({ known }) => known === undefined || document.querySelector(known) !== null,
      );
      const note = fitting.find(({ messages }) => document.querySelector(messages) !== null);
      const apart = [
        neverTicketText,
        ...(note?.composer === undefined ? [] : [note.composer]),
        ...fitting.flatMap(({ leftAlone }) => leftAlone ?? []),
      ].join();
      let inMessage = note === undefined;
      for (let element = parentOf(text); element !== null; element = hostOf(element)) {
        if (closest(element, apart) !== null) return false;
        inMessage ||= note !== undefined && closest(element, note.messages) !== null;
      }
      return inMessage;
    },
  };
}

function closest(element: Element, selector: string): Element | null {
  return Element.prototype.closest.call(element, selector);
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

/** Returns the host of the shadow tree that holds an element; `null` outside of shadow trees. */
function hostOf(element: Element): Element | null {
  const root = Element.prototype.getRootNode.call(element);
  return root instanceof ShadowRoot ? root.host : null;
}
