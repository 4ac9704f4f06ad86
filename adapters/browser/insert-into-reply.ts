import { type Insertion, ticketAddressOf } from '#core/ticket/index';

/**
 * Inserts a text into the reply editor of this document: the focused one, else the only visible one. Also looks in
 * frames of the same origin, which rich editors use. The text is inserted as typed input, so that the page's own undo
 * can remove it.
 * @param ticket the ticket that the text was made for; nothing is inserted into another. Its address is the page's
 * after `ticketAddressOf`, its subject that of `readDocument`
 */
export async function insertIntoReply(
  text: string,
  ticket: { readonly address: string; readonly subject: string },
): Promise<Insertion> {
  /** How long an editor that draws its text itself may take, in milliseconds. */
  const maxWaitMs = 500;

  /** Returns the document of a same-origin frame; `null` for any other element. */
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

  /** Tells whether an element is drawn at a position that can be scrolled into view. */
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

  /** Types the text at the editor's caret, or at its beginning if it has no caret. */
  function type(editor: HTMLElement): void {
    const { ownerDocument, localName } = editor;
    ownerDocument.defaultView?.focus();
    editor.focus();
    const selection = ownerDocument.getSelection();
    if (localName !== 'textarea' && !editor.contains(selection?.anchorNode ?? null))
      selection?.collapse(editor, 0);
    const { anchorNode: node, anchorOffset } = selection ?? {};
    const area = localName === 'textarea' ? (editor as HTMLTextAreaElement) : undefined;
    const before =
      area?.value.slice(0, area.selectionStart) ?? node?.nodeValue?.slice(0, anchorOffset);
    // It never continues a line of what is written already, such as a first reply.
    const typed = /\S$/u.test(before ?? '') ? `\n\n${text}` : text;
    // The page can undo no other way of inserting text.
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- no other call writes into the list of what can be undone
    if (ownerDocument.execCommand('insertText', false, typed) || !area) return;
    area.setRangeText(typed, area.selectionStart, area.selectionEnd, 'end');
    area.dispatchEvent(
      new InputEvent('input', { inputType: 'insertText', data: typed, bubbles: true }),
    );
  }

  /** Editors may change line breaks and spaces. */
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
