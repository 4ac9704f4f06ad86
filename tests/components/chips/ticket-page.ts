import { createTextRules, type TextRules, type TicketMarkup } from '#components/chips/text-rules';

export const code = '8678c3cd-2a21-4afa-b5d1-0f1b4e2d9c70';

/** Shows this HTML as the page and returns its text nodes in reading order, without those of white space alone. */
export function showPage(html: string): Text[] {
  // The title is text in front of the body's.
  document.title = '';
  document.body.innerHTML = html;
  return textNodesIn(document.body);
}

export function textNodesIn(root: Node): Text[] {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const found: Text[] = [];
  while (walker.nextNode()) found.push(walker.currentNode as Text);
  return found.filter(({ data }) => /\S/.test(data));
}

export function addShadowRoot(parent: Element, html: string): ShadowRoot {
  const root = parent.appendChild(document.createElement('div')).attachShadow({ mode: 'open' });
  root.innerHTML = html;
  return root;
}

export function elementOf(selector: string): HTMLElement {
  const element = document.querySelector<HTMLElement>(selector);
  if (element === null) throw new Error(`no ${selector} on the page`);
  return element;
}

export function textRules(...notes: TicketMarkup[]): TextRules {
  return createTextRules(notes);
}
