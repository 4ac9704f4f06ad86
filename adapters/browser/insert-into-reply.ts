import { type Insertion, ticketAddressOf } from '#core/ticket/index';

/**
 * Inserts a text into the reply editor of this document: the one with the focus, else the only one that is seen. Looks
 * into frames of the same origin, where rich editors write. It is typed as text, so that the page's own undo takes it
 * back.
 * @param ticket the one that the text was made for; into another nothing is inserted. Its address is what
 * `ticketAddressOf` leaves of the page's, its subject what `readDocument` reads
 */
export async function insertIntoReply(
  text: string,
  ticket: { readonly address: string; readonly subject: string },
): Promise<Insertion> {
  /** Milliseconds for which an editor that draws its text itself may take. */
  const maxWaitMs = 500;

  /** Returns the document of a frame of the same origin; `null` for any other element. */
  function documentIn(element: Element | null): Document | null {
    return (element as HTMLIFrameElement | null)?.contentDocument ?? null;
  }

  function focusedElement(): Element | null {
    let element = document.activeElement;
    for (;;) {
      const root = element?.shadowRoot ?? documentIn(element);
      if (!root?.activeElement) return element;
      element = root.activeElement;
    }
  }

  function editorOf(element: Element | null): HTMLElement | undefined {
    if (element?.localName === 'textarea') {
      const { disabled, readOnly } = element as HTMLTextAreaElement;
      return disabled || readOnly ? undefined : (element as HTMLElement);
    }
    if (element?.ownerDocument.designMode === 'on') return element.ownerDocument.body;
    let editor = element as HTMLElement | null;
    if (editor?.isContentEditable !== true) return undefined;
    while (editor.parentElement?.isContentEditable === true) editor = editor.parentElement;
    return editor;
  }

  /** Tells whether an element is drawn where a page can be scrolled to. */
  function isSeen(element: Element): boolean {
    const { width, height, right, bottom } = element.getBoundingClientRect();
    const { scrollX = 0, scrollY = 0 } = element.ownerDocument.defaultView ?? {};
    return (
      element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
      Math.min(width, height) > 8 &&
      right + scrollX > 0 &&
      bottom + scrollY > 0
    );
  }

  function editorsIn(each: Document): Set<HTMLElement> {
    const found = new Set<HTMLElement>();
    if (each.designMode === 'on') return found.add(each.body);
    for (const element of each.querySelectorAll('textarea, [contenteditable], iframe')) {
      if (!isSeen(element)) continue;
      const inside = documentIn(element);
      const editor = editorOf(element);
      if (inside !== null) for (const one of editorsIn(inside)) found.add(one);
      else if (editor !== undefined) found.add(editor);
    }
    return found;
  }

  /** Types the text at the caret of the editor; where it has none, at its beginning. */
  function type(editor: HTMLElement): void {
    const { ownerDocument, localName } = editor;
    ownerDocument.defaultView?.focus();
    editor.focus();
    const selection = ownerDocument.getSelection();
    if (localName !== 'textarea' && !editor.contains(selection?.anchorNode ?? null))
      selection?.collapse(editor, 0);
    // Nothing else that inserts a text can be undone by the page.
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- no other call writes into the list of what can be undone
    if (ownerDocument.execCommand('insertText', false, text) || localName !== 'textarea') return;
    const area = editor as HTMLTextAreaElement;
    area.setRangeText(text, area.selectionStart, area.selectionEnd, 'end');
    area.dispatchEvent(
      new InputEvent('input', { inputType: 'insertText', data: text, bubbles: true }),
    );
  }

  /** An editor may break lines and replace spaces in its own way. */
  const bare = (written: string): string => written.replace(/[\s\u200b\ufeff]+/gu, '');
  const holdsText = (editor: HTMLElement): boolean =>
    bare('value' in editor ? String(editor.value) : editor.textContent).includes(bare(text));

  function isTheTicket(): boolean {
    const heading =
      document.querySelector('main h1, [role="main"] h1') ?? document.querySelector('h1');
    const words = (heading?.textContent ?? '').replaceAll(/\(\d+\)|\s+/gu, ' ');
    const subject = words.replaceAll(/ +/gu, ' ').trim().slice(0, 200);
    return ticketAddressOf(location.href) === ticket.address && subject === ticket.subject;
  }

  if (!isTheTicket()) return 'other-ticket';
  const [only, ...others] = editorsIn(document);
  const editor = editorOf(focusedElement()) ?? (others.length === 0 ? only : undefined);
  if (editor === undefined) return 'no-field';
  type(editor);
  const end = performance.now() + maxWaitMs;
  while (!holdsText(editor) && performance.now() < end)
    await new Promise((resolve) => setTimeout(resolve, 20));
  return holdsText(editor) ? 'inserted' : 'no-field';
}
