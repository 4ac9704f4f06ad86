/** The text of one document: its selection, or all of it if nothing is selected. */
export interface DocumentText {
  readonly address: string;
  /** Its heading, without counters in it. */
  readonly subject: string;
  /** When it began to load, epoch milliseconds; this differs between the documents of a tab. */
  readonly document: number;
  readonly loadedAt: string;
  /** Addresses of same-origin links whose file may be a license. */
  readonly attached: readonly string[];
  readonly selection: string;
  readonly text: string;
  /** The initial text of its fields, such as a reply that quotes a message; `''` if something is selected. */
  readonly quoted: string;
}

/**
 * Reads which ticket this document shows, and its selection, or its text if nothing is selected.
 *
 * The browser injects only this function's source into a page, so it must not use anything outside itself.
 * @param maxLength of each text, in UTF-16 code units; longer text is cut off
 * @param leavesTyped whether to leave out fields and editors, and selections in them
 */
export function readDocument(maxLength: number, leavesTyped = false): DocumentText {
  const maxElements = 50_000;
  const timeoutMs = 40;

  function focusedElement(): Element | null {
    let element = document.activeElement;
    while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
    return element;
  }

  function isTyped(element: Element | null): boolean {
    const isField = element instanceof HTMLTextAreaElement || element instanceof HTMLInputElement;
    return leavesTyped && (isField || (element as HTMLElement | null)?.isContentEditable === true);
  }

  /** A field has its own selection, which is not part of the document's. */
  function selectionInField(element: Element | null): string {
    const isField =
      element instanceof HTMLTextAreaElement ||
      (element instanceof HTMLInputElement && /^(?:text|search|url|tel)$/.test(element.type));
    if (!isField) return '';
    const { value, selectionStart, selectionEnd } = element as HTMLTextAreaElement;
    return value.slice(selectionStart, selectionEnd);
  }

  /** Reads the selection around an element. Chromium has one per shadow root; Firefox has only the document's. */
  function selectionAround(element: Element | null): string {
    const root: (Node & Partial<Pick<Document, 'getSelection'>>) | undefined =
      element?.getRootNode();
    const inRoot = root?.getSelection?.()?.toString() ?? '';
    return inRoot === '' ? (getSelection()?.toString() ?? '') : inRoot;
  }

  /** Reads text without layout, until the time is up. */
  function textOfNodes(): string {
    const end = performance.now() + timeoutMs;
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const parts: string[] = [];
    let length = 0;
    for (let count = 0; length < maxLength; count += 1) {
      const node = walker.nextNode() as Text | null;
      if (node === null || (count % 500 === 0 && performance.now() > end)) break;
      const { parentElement } = node;
      if (/^(?:SCRIPT|STYLE|NOSCRIPT|TEXTAREA)$/.test(parentElement?.tagName ?? '')) continue;
      if (isTyped(parentElement)) continue;
      parts.push(node.data);
      length += node.data.length + 1;
    }
    return parts.join('\n');
  }

  /** Reads the visible text without the editors. Only elements that contain an editor are read child by child. */
  function textWithoutEditors(element: Element): string {
    if (isTyped(element)) return '';
    if (!leavesTyped || element.querySelector('[contenteditable]') === null)
      return element instanceof HTMLElement ? element.innerText : element.textContent;
    let text = '';
    for (const child of element.childNodes) {
      if (child instanceof Text) text += child.data;
      if (!(child instanceof Element)) continue;
      const { display } = getComputedStyle(child);
      // An element with `display: contents` has no box, but its children are visible.
      if (!child.checkVisibility() && display !== 'contents') continue;
      const inside = textWithoutEditors(child);
      text += display === 'inline' ? inside : `\n${inside}\n`;
    }
    return text;
  }

  /** Reads the first heading, without a number in parentheses: such a counter changes by itself. */
  function subjectOf(): string {
    const heading =
      document.querySelector('main h1, [role="main"] h1') ?? document.querySelector('h1');
    const words = (heading?.textContent ?? '').replaceAll(/\(\d+\)|\s+/gu, ' ');
    return words.replaceAll(/ +/gu, ' ').trim().slice(0, 200);
  }

  function attachedFiles(): string[] {
    const found = new Set<string>();
    for (const { href, pathname, text, origin } of document.querySelectorAll<HTMLAnchorElement>(
      'a[href]',
    )) {
      const isFile = [pathname, text.trim()].some((name) =>
        /\.(?:lic|licen[cs]e|cert|crt|pem|jwt|json|txt)$/iu.test(name),
      );
      if (isFile && origin === location.origin && found.size < 5) found.add(href);
    }
    return [...found];
  }

  const page = {
    address: location.href,
    subject: subjectOf(),
    document: performance.timeOrigin,
    loadedAt: performance.getEntriesByType('navigation')[0]?.name ?? '',
    attached: attachedFiles(),
  };
  const focused = focusedElement();
  const inField = selectionInField(focused);
  const found = inField === '' ? selectionAround(focused) : inField;
  const selection = isTyped(focused) ? '' : found;
  if (selection.trim() !== '')
    return { ...page, selection: selection.slice(0, maxLength), text: '', quoted: '' };

  // `innerText` forces a layout, which takes too long in a large page.
  const isSmall = document.getElementsByTagName('*').length <= maxElements;
  const isEditor = leavesTyped && document.designMode === 'on';
  const shown = (): string => (isEditor ? '' : textWithoutEditors(document.body));
  const text = isSmall ? shown() : textOfNodes();
  const quoted = Array.from(document.querySelectorAll('textarea'), (field) => field.defaultValue)
    .join('\n\n')
    .slice(0, maxLength);
  return { ...page, selection: '', text: text.slice(0, maxLength), quoted };
}
