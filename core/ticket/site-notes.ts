/** On every site: what is written in, what is no text for people, and editors that keep their text in plain elements. */
export const neverTicketText = [
  'script, style, noscript, template, textarea, select, title, svg, iframe, object',
  '[contenteditable]:not([contenteditable="false" i])',
  '[role="textbox" i], [role="searchbox" i], [role="combobox" i]',
  '.CodeMirror, .cm-editor, .monaco-editor, .ace_editor, .ck-editor, .ql-editor, .ProseMirror, .tox, .fr-box',
].join(', ');

/** Elements that stand within a line; between all others there is a line break. */
export const withinLines =
  'a, abbr, acronym, b, bdi, bdo, big, cite, code, data, del, dfn, em, font, i, ins, kbd, label, mark, nobr, q, s, samp, slot, small, span, strike, strong, sub, sup, time, tt, u, var, wbr';

/** Where ticket text stands in the pages of one help desk. */
export interface SiteNote {
  readonly name: string;
  /** The page's host is one of these, or ends in one after a dot. None: the desk is hosted anywhere, and known by `known`. */
  readonly hosts: readonly string[];
  /** A selector that only this desk's pages have, for those hosted anywhere. */
  readonly known?: string;
  /** Elements that hold what customers and agents wrote. Where none of them is on the page, its whole text is looked through. */
  readonly messages: string;
  /** Elements in which an agent writes, beside everything editable. */
  readonly composer?: string;
  /** How far this was tried. `unverified`: gathered from public descriptions of the markup, which the desk may change any day. */
  readonly claim: 'unverified' | 'tried-in-sandbox';
}

/**
 * Help desks whose markup is known. A note that no longer fits does no harm: it finds no message, and the whole page is
 * looked through as on any other site.
 */
const siteNotes: readonly SiteNote[] = [
  {
    name: 'Zendesk',
    hosts: ['zendesk.com'],
    messages: '[data-test-id="omni-log-message-content"], .zd-comment, [data-comment-id]',
    composer: '[data-test-id="omnicomposer-rich-text-ckeditor"], .ck-editor',
    claim: 'unverified',
  },
  {
    name: 'Freshdesk',
    hosts: ['freshdesk.com'],
    messages: '.ticket-details__item, .ticket_note, .conversation-content',
    composer: '.fr-element, .fr-box',
    claim: 'unverified',
  },
  {
    name: 'Help Scout',
    hosts: ['helpscout.net', 'helpscout.com'],
    messages: '.c-thread__body, .thread-body, [data-cy="thread-body"]',
    composer: '.redactor-editor, [data-cy="editor"]',
    claim: 'unverified',
  },
  {
    name: 'Intercom',
    hosts: ['intercom.com', 'intercom.io'],
    messages: '.conversation__part, .intercom-interblocks, [data-conversation-part]',
    composer: '.composer-inbox, .embercom-prosemirror-composer',
    claim: 'unverified',
  },
  {
    name: 'Gmail',
    hosts: ['mail.google.com'],
    messages: '.a3s, [role="listitem"] .ii',
    composer: '.Am.editable, [g_editable="true"]',
    claim: 'unverified',
  },
  {
    name: 'Zammad',
    hosts: [],
    known: '#app .ticketZoom, meta[name="application-name"][content="Zammad"]',
    messages: '.ticket-article-item .article-content, .textBubble',
    composer: '.article-add .richtext, .articleNewEdit-body',
    claim: 'unverified',
  },
  {
    name: 'FreeScout',
    hosts: [],
    known: '#conv-layout, body.conv-view',
    messages: '.thread-content, .thread-body',
    composer: '.note-editor, .conv-reply-block',
    claim: 'unverified',
  },
  {
    name: 'Sandbox',
    hosts: ['localhost', '127.0.0.1'],
    known: 'main[data-desk]',
    messages: '[data-message]',
    composer: '[data-composer]',
    claim: 'tried-in-sandbox',
  },
];

/** The notes that may fit a page at this origin, those for its very host first. Which of them fits, `known` decides. */
export function notesFor(origin: string): readonly SiteNote[] {
  const { hostname } = new URL(origin);
  const isHere = ({ hosts }: SiteNote): boolean =>
    hosts.some((host) => hostname === host || hostname.endsWith(`.${host}`));
  const here = siteNotes.filter(isHere);
  if (here.length > 0) return here;
  return siteNotes.filter(({ hosts, known }) => hosts.length === 0 && known !== undefined);
}
