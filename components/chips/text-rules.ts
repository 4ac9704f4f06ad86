import { parentOf } from '#components/chips/flat-tree';
import type { SiteNote } from '#core/chips/index';

/** Selects what is never ticket text: fields, elements without visible text, and editors. */
const neverTicketText = [
  'script, style, noscript, template, textarea, select, title, svg, iframe, object',
  '[contenteditable]:not([contenteditable="false" i])',
  '[role="textbox" i], [role="searchbox" i], [role="combobox" i]',
  '.CodeMirror, .cm-editor, .monaco-editor, .ace_editor, .ck-editor, .ql-editor, .ProseMirror, .tox, .fr-box',
].join(', ');

export type TicketNote = Omit<SiteNote, 'hosts'>;

export interface TextRules {
  /** Tells whether a text node belongs to the ticket, as far as the notes of the site know. */
  readonly isTicketText: (text: Text) => boolean;
  /** Looks anew which notes fit, the next time: the page may be another. */
  readonly forget: () => void;
}

/**
 * Limits the search to messages by the first note that fits the page and finds a message on it; without one the whole page
 * counts, except what the notes that fit leave alone. A selector without a match reads the whole page, so this is kept until
 * `forget`.
 */
export function createTextRules(notes: readonly TicketNote[]): TextRules {
  let note: TicketNote | undefined;
  let apart: string | undefined;

  return {
    isTicketText(text) {
      if (document.designMode === 'on') return false;
      if (apart === undefined) {
        const fitting = notes.filter(
          ({ marker }) => marker === undefined || document.querySelector(marker) !== null,
        );
        note = fitting.find(({ messages }) => document.querySelector(messages) !== null);
        apart = [
          neverTicketText,
          ...(note?.composer === undefined ? [] : [note.composer]),
          ...fitting.flatMap(({ excluded }) => excluded ?? []),
        ].join();
      }
      let inMessage = note === undefined;
      for (let element = parentOf(text); element !== null; element = hostOf(element)) {
        if (closest(element, apart) !== null) return false;
        inMessage ||= note !== undefined && closest(element, note.messages) !== null;
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
